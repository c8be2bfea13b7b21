import { defineErrors } from "#core/errors.ts"

export const accountErrors = defineErrors("user", {
  emailTaken: {
    http: 400,
    code: "037",
    message: "An account with this e-mail already exists. Sign in or reset your password",
  },
  weakPassword: { http: 400, code: "005", message: "The password is too weak" },
  usedPassword: { http: 400, code: "005", message: "This password was used before. Choose another password" },
  changedRecently: {
    http: 400,
    code: "005",
    message:
      "The password was changed recently. The password policy of your organization requires you to wait",
  },
  wrongPassword: { http: 400, code: "034", message: "The current password is incorrect" },
  badReset: {
    http: 400,
    code: "041",
    message: "This link was already used or has expired. Request a new one on the sign-in page",
  },
  badActivation: {
    http: 400,
    code: "043",
    message: "This activation code is incorrect or has expired. Request a new e-mail",
  },
  alreadyActive: { http: 400, code: "044", message: "This account is already active. Sign in" },
  badCode: { http: 400, code: "secrt-001", message: "The code is incorrect or has expired" },
})
