import { defineErrors } from "#core/errors.ts"

export const accountErrors = defineErrors("user", {
  emailTaken: [400, "037", "An account with this e-mail already exists. Sign in or reset your password"],
  weakPassword: [400, "005", "The password is too weak"],
  usedPassword: [400, "005", "This password was used before. Choose another password"],
  changedRecently: [
    400,
    "005",
    "The password was changed recently. The password policy of your organization requires you to wait",
  ],
  wrongPassword: [400, "034", "The current password is incorrect"],
  badReset: [400, "041", "This link was already used or has expired. Request a new one on the sign-in page"],
  badActivation: [400, "043", "This activation code is incorrect or has expired. Request a new e-mail"],
  alreadyActive: [400, "044", "This account is already active. Sign in"],
  badCode: [400, "secrt-001", "The code is incorrect or has expired"],
})
