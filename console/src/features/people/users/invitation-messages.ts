import { defineMessages } from "../../../i18n/messages.ts"

export const invitationMessages = defineMessages("people.invitation", {
  title: "Invitation",
  joinTitle: "Join {organization}",
  joinText: "This invitation is for {email}.",
  join: "Join",
  decline: "I do not want to join",
  declinedTitle: "Declined",
  declinedText: "You are not a member of {organization}. You need to do nothing else.",
  deadTitle: "This invitation no longer works",
  deadText: "The address is incomplete. Copy the whole link from the e-mail.",
  askAgain: "Ask the person who invited you to send it again.",
  signInFirst: "You already have an account. Sign in to continue and join.",
  otherPerson: "You are signed in as {email}. Sign out first, then open the link again.",
})
