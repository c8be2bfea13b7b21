import { defineErrors } from "#core/errors.ts"

export const messageErrors = defineErrors("messg", {
  badConversation: [400, "001", "Send one of taskId, userId, recordId and resultId"],
  empty: [400, "001", "A message needs a text or a photo"],
  badPhoto: [400, "004", "A photo is not one that you uploaded. Upload it with POST /task/photo first"],
  badMention: [
    400,
    "005",
    "A mentioned person is not an active member who can see this. Mention others, or leave them out",
  ],
  notFound: [404, "033", "Data not found"],
})
