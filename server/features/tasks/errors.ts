import { defineErrors } from "#core/errors.ts"

export const taskErrors = defineErrors("task", {
  invalid: { http: 400, code: "032", message: "The task cannot be saved like this" },
  alreadyDone: { http: 400, code: "032", message: "This task is finished and can no longer change" },
  notDoable: { http: 400, code: "032", message: "This task cannot be finished now" },
  changedMeanwhile: {
    http: 412,
    code: "032",
    message: "Somebody changed this task meanwhile: read it again, then repeat your change",
  },
  notFound: { http: 404, code: "033", message: "Data not found" },
  forbidden: { http: 403, code: "035", message: "Your role does not allow this change of the task" },
  badHub: { http: 400, code: "036", message: "This hub does not exist, or is not one of yours" },
  badAssignee: { http: 400, code: "036", message: "An assignee is not a member who has the task's hub" },
  tooMany: { http: 400, code: "040", message: "Send at most 2000 tasks in one call" },
  unknownCursor: { http: 400, code: "003", message: "The cursor must be the _id of a task that you can see" },
  sortTooWide: {
    http: 400,
    code: "003",
    message: "More than 20,000 tasks match: narrow the filter, or sort by a time or orderIndex",
  },
})
