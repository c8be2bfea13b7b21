import { defineErrors } from "#core/errors.ts"

export const messageErrors = defineErrors("messg", {
  badConversation: [400, "001", "Send either taskId or userId"],
  empty: [400, "001", "A message needs a text or a photo"],
  badPhoto: [400, "004", "A photo is not one that you uploaded. Upload it with POST /task/photo first"],
  notFound: [404, "033", "Data not found"],
})
