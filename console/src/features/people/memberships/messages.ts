import { defineMessages } from "../../../i18n/messages.ts"

export const membershipMessages = defineMessages("people.membership", {
  country: "Country",
  create: "New organization…",
  createTitle: "New organization",
  copy: "Start as a copy",
  copyHint: "Copies settings, hubs, custom roles and flows of the first organization that you own.",
  language: "Language of e-mails",
  submit: "Create and open",
  invitations: "Invitations",
  accept: "Join",
  accepted: "You are a member of {name} now",
  openFailed: "The organization was created but could not be opened. Choose it in the list of organizations.",
})
