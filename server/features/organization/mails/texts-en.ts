import type { MailTexts } from "./texts.ts"

export const english: MailTexts = {
  verify: ({ name, link, days }) => ({
    subject: "Confirm your e-mail address",
    lines: [`Hello ${name},`, "confirm your address to set up your organization in Fieldway."],
    action: { label: "Confirm and set up", url: link },
    footnote: `The link works for ${days} days. If you did not register, ignore this mail.`,
  }),
  invite: ({ inviter, organization, link, days }) => ({
    subject: `Invitation to ${organization}`,
    lines: [`${inviter} invites you to work with ${organization} in Fieldway.`],
    action: { label: "Open the invitation", url: link },
    footnote: `The link works for ${days} days. If you do not know the sender, ignore this mail.`,
  }),
  reset: ({ link, minutes }) => ({
    subject: "Choose a new password",
    lines: ["Somebody, probably you, asked for a new password."],
    action: { label: "Choose a new password", url: link },
    footnote: `The link works once, for ${minutes} minutes. If it was not you, ignore this mail: nothing changes.`,
  }),
  code: ({ code, minutes }) => ({
    subject: "Your sign-in code",
    lines: ["Type this code to finish signing in:"],
    code,
    footnote: `It works for ${minutes} minutes. Never tell it to anybody. If you are not signing in, change your password: somebody knows it.`,
  }),
  passwordChanged: ({ name, organization }) => ({
    subject: "Your password was changed",
    lines: [
      `Hello ${name},`,
      `an administrator of ${organization} gave your account a new password. All your sessions have ended.`,
    ],
    footnote:
      "If this surprises you, ask for a new password on the sign-in page, and tell your organization.",
  }),
  emailChanged: ({ name, email }) => ({
    subject: "Your e-mail address was changed",
    lines: [`Hello ${name},`, `your account in Fieldway now has the address ${email}.`],
    footnote: "If this surprises you, tell the administrator of your organization at once.",
  }),
  passwordExpires: ({ name, days, link }) => ({
    subject: "Your password expires soon",
    lines: [
      `Hello ${name},`,
      days === 1 ? "your password expires tomorrow." : `your password expires in ${days} days.`,
    ],
    action: { label: "Change the password", url: link },
    footnote: "You get this mail because your organization asks for a new password from time to time.",
  }),
  exportReady: ({ name, link, days }) => ({
    subject: "Your export is ready",
    lines: [`The export ${name} is ready.`],
    action: { label: "Download the file", url: link },
    footnote: `The link works for ${days} days, for everybody who has it. The export log has the file for 30 days.`,
  }),
  exportFailed: ({ name }) => ({
    subject: "Your export could not be made",
    lines: [`The export ${name} could not be made. The export log says why.`],
    footnote: "You get this mail because you asked for the export, or a schedule names you.",
  }),
  webhookFailing: ({ name, endpoint, failed, attempted, minutes }) => ({
    subject: `The webhook ${name} is failing`,
    lines: [
      `${failed} of ${attempted} calls to ${endpoint} failed within ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
      "Check that the endpoint is up and answers with status 200 within 30 seconds. The log of automations shows every call, and sends failed ones again.",
    ],
    footnote: "You get this mail, at most once an hour for one webhook, because you own the organization.",
  }),
  webhookPaused: ({ name, endpoint, failed, hours }) => ({
    subject: `The webhook ${name} is paused`,
    lines: [
      failed < 2
        ? `${endpoint} answered 410, by which it says that it wants no more calls.`
        : `The last ${failed} calls to ${endpoint} failed, over ${hours} ${hours === 1 ? "hour" : "hours"}.`,
      "Nothing is sent there now. What happens meanwhile waits, for 30 days. Once the endpoint works, open the deliveries of the webhook and resume it: everything is then sent in order.",
    ],
    footnote: "You get this mail because you own the organization.",
  }),
  automationPaused: ({ name, loss, permissions }) => ({
    subject: `The automation ${name} is paused`,
    lines: [
      loss === "membership"
        ? "It acts with the rights of the person who saved it last, who is no longer an active member."
        : `It acts with the rights of the person who saved it last, who no longer has all of the permissions it needs: ${permissions}.`,
      "Open the automation and save it: it then acts with your rights.",
    ],
    footnote: "You get this mail because you own the automation or administer the organization.",
  }),
  organizationDeleted: ({ name, organization }) => ({
    subject: `${organization} was deleted`,
    lines: [
      `Hello ${name},`,
      `the owner of ${organization} deleted it with all its data. You can no longer open it.`,
    ],
    footnote: "You get this mail because you were a member.",
  }),
}
