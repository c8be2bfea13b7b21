import { defineErrors } from "#core/errors.ts"

export const sessionErrors = defineErrors("auth", {
  /** One response for an unknown e-mail, a wrong password, a locked and a disabled account. */
  refused: [401, "034", "The e-mail or password is incorrect, or the account is temporarily locked"],
  notYetMember: [
    400,
    "user-043",
    "This account is not active yet. Open the link in the e-mail that you received",
  ],
  wrongCode: [400, "secrt-001", "The code is incorrect or has expired. Sign in again"],
  notSent: [400, "secrt-034", "No more codes can be sent. Sign in again"],
})
