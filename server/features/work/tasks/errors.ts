import { defineErrors } from "#core/errors.ts"

export const taskErrors = defineErrors("task", {
  invalid: [400, "032", "The task is invalid"],
  alreadyDone: [400, "032", "This task is finished and can no longer be changed"],
  notDoable: [400, "032", "This task cannot be finished now"],
  changedMeanwhile: [
    412,
    "032",
    "The task has been modified since you read it. Read it again and repeat your change",
  ],
  notFound: [404, "033", "Data not found"],
  forbidden: [403, "035", "Your role does not allow this change to the task"],
  badHub: [400, "036", "This hub does not exist, or you do not have access to it"],
  badAssignee: [400, "036", "An assignee is not a member with access to the task's hub"],
  tooMany: [400, "040", "Send at most 2000 tasks per request"],
  severalMatches: [
    400,
    "032",
    "Several tasks have this refId. Update them by _id, or give each a unique refId",
  ],
  refIdTaken: [
    409,
    "031",
    "Another task already has this refId, and your organization requires unique values",
  ],
  taken: [409, "031", "Somebody else has taken this task"],
  notCorrectable: [400, "032", "The time for correcting this task is over. Ask your planner"],
  noPhoto: [400, "032", "Send the photo as the part `photo` of a multipart form"],
  notAPhoto: [400, "032", "This file is not a photo. Send a JPEG or PNG image"],
  photoTooLarge: [413, "015", "A photo must be at most 10 MB"],
  uploadFailed: [500, "039", "The photo could not be stored. Send it again"],
  linkExpired: [401, "037", "This task can no longer be tracked because its link has expired"],
  unknownCursor: [
    400,
    "003",
    "cursor must be nextCursor of the previous page in the same sort order, or the _id of a task",
  ],
  sortTooWide: [
    400,
    "003",
    "More than 20,000 tasks match. Narrow the filter, or sort by a time or orderIndex",
  ],
  summaryTooWide: [400, "003", "More than 100,000 tasks match. Narrow the filter to group and add them up"],
})
