import { defineErrors } from "#core/errors.ts"

export const taskErrors = defineErrors("task", {
  invalid: { http: 400, code: "032", message: "The task is invalid" },
  alreadyDone: { http: 400, code: "032", message: "This task is finished and can no longer be changed" },
  notDoable: { http: 400, code: "032", message: "This task cannot be finished now" },
  changedMeanwhile: {
    http: 412,
    code: "032",
    message: "The task has been modified since you read it. Read it again and repeat your change",
  },
  notFound: { http: 404, code: "033", message: "Data not found" },
  forbidden: { http: 403, code: "035", message: "Your role does not allow this change to the task" },
  badHub: { http: 400, code: "036", message: "This hub does not exist, or you do not have access to it" },
  badAssignee: {
    http: 400,
    code: "036",
    message: "An assignee is not a member with access to the task's hub",
  },
  tooMany: { http: 400, code: "040", message: "Send at most 2000 tasks per request" },
  severalMatches: {
    http: 400,
    code: "032",
    message: "Several tasks have this refId. Update them by _id, or give each a unique refId",
  },
  refIdTaken: {
    http: 409,
    code: "031",
    message: "Another task already has this refId, and your organization requires unique values",
  },
  noPhoto: { http: 400, code: "032", message: "Send the photo as the part `photo` of a multipart form" },
  notAPhoto: { http: 400, code: "032", message: "This file is not a photo. Send a JPEG or PNG image" },
  photoTooLarge: { http: 413, code: "015", message: "A photo must be at most 10 MB" },
  uploadFailed: { http: 500, code: "039", message: "The photo could not be stored. Send it again" },
  linkExpired: {
    http: 401,
    code: "037",
    message: "This task can no longer be tracked because its link has expired",
  },
  unknownCursor: {
    http: 400,
    code: "003",
    message: "cursor must be nextCursor of the previous page in the same sort order, or the _id of a task",
  },
  sortTooWide: {
    http: 400,
    code: "003",
    message: "More than 20,000 tasks match. Narrow the filter, or sort by a time or orderIndex",
  },
})
