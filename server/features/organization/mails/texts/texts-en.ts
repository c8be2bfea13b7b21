import type { MailTexts } from "./texts.ts"

export const english: MailTexts = {
  verify: ({ name, link, days }) => ({
    subject: "Confirm your e-mail address",
    lines: [`Hello ${name},`, "Confirm your e-mail address to set up your organization in Fieldway."],
    action: { label: "Confirm and set up", url: link },
    footnote: `The link is valid for ${days} days. If you did not register, ignore this e-mail.`,
  }),
  invite: ({ inviter, organization, link, days }) => ({
    subject: `Invitation to ${organization}`,
    lines: [`${inviter} invited you to join ${organization} in Fieldway.`],
    action: { label: "Open the invitation", url: link },
    footnote: `The link is valid for ${days} days. If you do not know the sender, ignore this e-mail.`,
  }),
  reset: ({ link, minutes }) => ({
    subject: "Choose a new password",
    lines: ["We received a request to reset your password."],
    action: { label: "Choose a new password", url: link },
    footnote: `You can use the link once, within ${minutes} minutes. If you did not request it, ignore this e-mail: your password stays the same.`,
  }),
  code: ({ code, minutes }) => ({
    subject: "Your sign-in code",
    lines: ["Enter this code to finish signing in:"],
    code,
    footnote: `The code is valid for ${minutes} minutes. Do not share it. If you are not signing in, change your password: somebody else knows it.`,
  }),
  passwordChanged: ({ name, organization }) => ({
    subject: "Your password was changed",
    lines: [
      `Hello ${name},`,
      `An administrator of ${organization} set a new password for your account. All your sessions have ended.`,
    ],
    footnote:
      "If you did not expect this, reset your password on the sign-in page and contact your organization.",
  }),
  emailChanged: ({ name, email }) => ({
    subject: "Your e-mail address was changed",
    lines: [`Hello ${name},`, `The e-mail address of your Fieldway account is now ${email}.`],
    footnote: "If you did not expect this, contact the administrator of your organization immediately.",
  }),
  passwordExpires: ({ name, days, link }) => ({
    subject: "Your password expires soon",
    lines: [
      `Hello ${name},`,
      days === 1 ? "Your password expires tomorrow." : `Your password expires in ${days} days.`,
    ],
    action: { label: "Change your password", url: link },
    footnote: "You receive this e-mail because your organization requires regular password changes.",
  }),
  exportReady: ({ name, link, days }) => ({
    subject: "Your export is ready",
    lines: [`Your export ${name} is ready.`],
    action: { label: "Download the file", url: link },
    footnote: `The link is valid for ${days} days for anyone who has it. The export log keeps the file for 30 days.`,
  }),
  exportFailed: ({ name }) => ({
    subject: "Your export failed",
    lines: [`The export ${name} failed. See the export log for the reason.`],
    footnote: "You receive this e-mail because you started the export or are a recipient of its schedule.",
  }),
  webhookFailing: ({ name, endpoint, failed, attempted, minutes }) => ({
    subject: `The webhook ${name} is failing`,
    lines: [
      `${failed} of ${attempted} calls to ${endpoint} failed within ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
      "Check that the endpoint is available and returns status 200 within 30 seconds. The automation log shows every call. You can retry failed calls there.",
    ],
    footnote:
      "You receive this e-mail because you are an owner of the organization. It is sent at most once an hour for each webhook.",
  }),
  webhookPaused: ({ name, endpoint, failed, hours }) => ({
    subject: `The webhook ${name} is paused`,
    lines: [
      failed < 2
        ? `${endpoint} returned status 410 (Gone), which means that it accepts no more calls.`
        : `The last ${failed} calls to ${endpoint} failed, over ${hours} ${hours === 1 ? "hour" : "hours"}.`,
      "Deliveries are on hold and kept for 30 days. When the endpoint works again, open the deliveries of the webhook and resume it. All waiting deliveries are then sent in order.",
    ],
    footnote: "You receive this e-mail because you are an owner of the organization.",
  }),
  automationPaused: ({ name, loss, permissions }) => ({
    subject: `The automation ${name} is paused`,
    lines: [
      loss === "membership"
        ? "It runs with the permissions of the person who last saved it, who is no longer an active member."
        : `It runs with the permissions of the person who last saved it, who no longer has all the permissions it needs: ${permissions}.`,
      "To resume it, open the automation and save it. It then runs with your permissions.",
    ],
    footnote: "You receive this e-mail because you own the automation or administer the organization.",
  }),
  alert: ({ rule, text, link }) => ({
    subject: `Alert: ${rule}`,
    lines: [text],
    action: { label: "Open the alert", url: link },
    footnote: "You receive this e-mail because an alert rule of your organization names you.",
  }),
  scheduledReport: ({ name, from, until, link }) => ({
    subject: `Report: ${name}`,
    lines: [`The report for ${from} to ${until} is attached.`],
    action: { label: "Open the report", url: link },
    footnote: "You receive this e-mail because a report schedule of your organization names you.",
  }),
  organizationDeleted: ({ name, organization }) => ({
    subject: `${organization} was deleted`,
    lines: [
      `Hello ${name},`,
      `The owner of ${organization} deleted the organization and all its data. You can no longer access it.`,
    ],
    footnote: "You receive this e-mail because you were a member.",
  }),
}
