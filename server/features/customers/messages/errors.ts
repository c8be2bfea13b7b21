import { defineErrors } from "#core/errors.ts"

export const messageErrors = defineErrors("cumsg", {
  invalid: [400, "016", "The channel, template or message is invalid"],
  noContact: [400, "017", "The task has no address of the customer for this channel"],
  notResendable: [409, "032", "The message has no recipient, or is being sent already"],
  notFound: [404, "033", "This channel, template or message does not exist"],
})
