import { defineErrors } from "#core/errors.ts"

export const sessionErrors = defineErrors("auth", {
  /** One response for an unknown e-mail, a wrong password, a locked and a disabled account. */
  refused: {
    http: 401,
    code: "034",
    message: "The e-mail or password is incorrect, or the account is temporarily locked",
  },
  notYetMember: {
    http: 400,
    code: "user-043",
    message: "This account is not active yet. Open the link in the e-mail that you received",
  },
  wrongCode: {
    http: 400,
    code: "secrt-001",
    message: "The code is incorrect or has expired. Sign in again",
  },
  notSent: { http: 400, code: "secrt-034", message: "No more codes can be sent. Sign in again" },
})
