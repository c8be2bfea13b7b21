import { defineErrors } from "#core/errors.ts"

export const accountErrors = defineErrors("user", {
  emailTaken: {
    http: 400,
    code: "037",
    message: "There is already an account with this e-mail: sign in, or ask for a new password",
  },
  weakPassword: { http: 400, code: "005", message: "The password is too weak" },
  usedPassword: { http: 400, code: "005", message: "This password was used before: choose another one" },
  changedRecently: {
    http: 400,
    code: "005",
    message: "The password was changed only recently: the policy of your organization asks you to wait",
  },
  wrongPassword: { http: 400, code: "034", message: "The current password is not right" },
  badReset: {
    http: 400,
    code: "041",
    message: "This link was used or has expired: ask for a new one on the sign-in page",
  },
  badActivation: {
    http: 400,
    code: "043",
    message: "This activation code is not right or has expired: ask for a new mail",
  },
  alreadyActive: { http: 400, code: "044", message: "This account is active already: sign in" },
  badCode: { http: 400, code: "secrt-001", message: "The code is not right or has expired" },
})
