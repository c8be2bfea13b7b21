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
  severalMatches: {
    http: 400,
    code: "032",
    message: "Several tasks have this refId: change them by _id, or give each a refId of its own",
  },
  refIdTaken: {
    http: 409,
    code: "031",
    message: "Another task has this refId already, and your organization requires them to be unique",
  },
  noPhoto: { http: 400, code: "032", message: "Send the photo as the part `photo` of a multipart form" },
  notAPhoto: { http: 400, code: "032", message: "This file is not a photo: send a JPEG or PNG image" },
  photoTooLarge: { http: 413, code: "015", message: "A photo may have at most 10 MB" },
  uploadFailed: { http: 500, code: "039", message: "The photo could not be stored: send it again" },
  linkExpired: {
    http: 401,
    code: "037",
    message: "This task can no longer be tracked because its link has expired",
  },
  unknownCursor: {
    http: 400,
    code: "003",
    message: "The cursor must be nextCursor of the page before, in the same order, or the _id of a task",
  },
  sortTooWide: {
    http: 400,
    code: "003",
    message: "More than 20,000 tasks match: narrow the filter, or sort by a time or orderIndex",
  },
})
