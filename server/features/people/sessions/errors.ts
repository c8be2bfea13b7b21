import { defineErrors } from "#core/errors.ts"

export const sessionErrors = defineErrors("auth", {
  /** One answer for an unknown e-mail, a wrong password, a locked and a disabled account. */
  refused: {
    http: 401,
    code: "034",
    message: "E-mail and password do not match, or the account is locked for now",
  },
  notYetMember: {
    http: 400,
    code: "user-043",
    message: "This account is not active yet: open the link in the mail you were sent",
  },
  wrongCode: {
    http: 400,
    code: "secrt-001",
    message: "The code is not right, or has expired: sign in again",
  },
  notSent: { http: 400, code: "secrt-034", message: "No further code can be sent: sign in again" },
})
