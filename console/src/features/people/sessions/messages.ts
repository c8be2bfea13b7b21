import { defineMessages } from "../../../i18n/messages.ts"

export const sessionMessages = defineMessages("people.session", {
  title: "Sign in to Fieldway",
  submit: "Sign in",
  codeTitle: "One more step",
  codeText: "Enter the code that we e-mailed to you, or the one that your authenticator app shows.",
  codeMailed: "We sent a code to {email}. It is valid for ten minutes.",
  codeApp: "Enter the code that your authenticator app shows, or one of your recovery codes.",
  codeAgain: "Send a new code",
  codeSent: "A new code has been sent. The old one no longer works.",
  forgot: "Forgot your password?",
  register: "Register an organization",
  mailAgain: "Send the confirmation mail again",
  mailOnItsWay: "If the address is awaiting confirmation, an e-mail has been sent.",
  code: "Code",
  confirm: "Confirm",
  back: "Back to sign-in",
  words: "Plan the day, see the team move, finish the work.",
  signInWith: "Sign in with {name}",
  signInAt: "Sign in with {name} ({organizationName})",
  ssoFailed:
    "The provider's response could not be verified. Try again; if it still fails, ask your administrator to check the connection.",
  ssoExpired: "The sign-in expired or was already used. Start again.",
  ssoUnknown: "No member of this organization has your e-mail address. Ask for an invitation.",
  ssoWaiting: "Your invitation or your e-mail address is not confirmed yet. Open the link in the mail first.",
  ssoUnreachable: "The provider could not be reached. Try again shortly, or sign in with your password.",
})
