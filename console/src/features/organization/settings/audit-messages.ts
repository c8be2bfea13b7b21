import { defineMessages, type Translate } from "../../../i18n/messages.ts"

/** Actions of the audit log are `subject.verb`; each half has its word, so that a new pair reads well by itself. */
export const auditMessages = defineMessages("organization.audit", {
  "about appointment": "Appointment",
  "about message-channel": "Message channel",
  "about message-opt-out": "Opt-out of messages",
  "about message-settings": "Message settings",
  "about message-template": "Message template",
  "about result": "Route plan",
  "about task": "Task",
  "about record": "Record",
  "about vehicle": "Vehicle",
  "about flow": "Flow",
  "about schedule": "Schedule",
  "about data-type": "Data type",
  "about template": "Template",
  "about organization-data": "Organization data",
  "about custom-permission": "Permission",
  "about permission": "Permission",
  "about export-configuration": "Export setting",
  "about routing-configuration": "Routing profile",
  "about capacity-constraint": "Capacity",
  "about currency": "Currency",
  "about location-link": "Tracking link",
  "about audit-log": "Audit log",
  "about audit-settings": "Audit log",
  "about action": "Action",
  "about tracking-page": "Tracking page",
  "about feedback": "Feedback",
  "about message": "Message",
  "about saved-view": "Saved view",
  "about app-integration": "Single sign-on",
  "about automation": "Automation",
  "about custom-module": "Custom tool",
  "about device-key": "Device key",
  "about hub": "Hub",
  "about import": "Import",
  "about location-settings": "Location settings",
  "about location": "Positions",
  "about organization": "Organization",
  "about password-policy": "Password policy",
  "about plugin": "Plugin",
  "about privacy-policy": "Privacy policy",
  "about role": "Role",
  "about session": "Session",
  "about tracking-link": "Tracking link",
  "about trash": "Trash",
  "about user": "Person",
  "about team": "Team",
  "about token": "Access token",
  "about authenticator": "Authenticator app",
  "about capacityConstraint": "Capacity",
  "about geotag": "Area",
  "about routingConfiguration": "Routing profile",
  "about workflow": "Workflow",
  happened: "{about} {done}",
  "done create": "created",
  "done update": "changed",
  "done delete": "deleted",
  "done undo": "undone",
  "done read": "read",
  "done write": "written",
  "done revoke": "revoked",
  "done rename": "renamed",
  "done restore": "restored",
  "done open": "opened",
  "done close": "closed",
  "done refuse": "refused",
  "done change-password": "changed the password",
  "done reset-password": "received a new password",
  "done reset-authenticator": "lost the authenticator",
  "done unlock": "unlocked",
  "done invite": "invited",
  "done accept": "accepted the invitation",
  "done decline": "declined the invitation",
  "done disable": "switched off",
  "done enable": "switched on",
  "done remove": "removed",
  "done install": "installed",
  "done uninstall": "uninstalled",
  "done renew-recovery-codes": "received new recovery codes",
})

/** An action in words: `user.create` becomes `Person created`. What has no words here stays as the server names it. */
export function actionText(action: string, t: Translate<typeof auditMessages>): string {
  const [subject = "", verb = ""] = action.split(".")
  const [about, done] = [`about ${subject}`, `done ${verb}`]
  return isKnown(about) && isKnown(done) ? t("happened", { about: t(about), done: t(done) }) : action
}

/** A type of object in words. */
export function aboutText(type: string, t: Translate<typeof auditMessages>): string {
  const about = `about ${type}`
  return isKnown(about) ? t(about) : type
}

function isKnown(key: string): key is keyof (typeof auditMessages)["en"] {
  return key in auditMessages.en
}
