import { type Caller, findCallerOfUser } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { JobContext } from "#core/jobs/define-job.ts"
import { queueNotification } from "../../customers/messages/index.ts"
import { queueMail } from "../../organization/mails/index.ts"
import { findOrganization } from "../../organization/organizations/index.ts"
import { findContacts, type MemberContact } from "../../people/users/index.ts"
import { writeNotices } from "../../work/notices/index.ts"
import { type AlertRow, isVisibleAlert } from "./alerts.ts"
import type { RuleRow } from "./rules.ts"
import type { AlertKind } from "./schemas.ts"

/** Notifies the recipients of alerts by what their rules say, each only of what they may see. */
export async function notifyRecipients(
  tx: Tx,
  { sql, live, clock, config }: JobContext,
  organizationId: string,
  alerts: readonly AlertRow[],
  rules: readonly RuleRow[],
): Promise<void> {
  const now = clock.now()
  const { language: ownLanguage, timeZone } = await findOrganization(sql, organizationId)
  const byId = new Map<string, RuleRow>(rules.map((rule) => [rule.id, rule]))
  const contacts = await findContacts(tx, organizationId, [
    ...new Set<string>(rules.flatMap(({ settings }) => settings.recipients ?? [])),
  ])
  const readers: (MemberContact & { caller: Caller | undefined })[] = []
  for (const contact of contacts)
    readers.push({ ...contact, caller: await findCallerOfUser(tx, organizationId, contact.userId) })
  for (const alert of alerts) {
    const rule = byId.get(alert.ruleId)
    if (!rule) continue
    const { channels = ["notice"] } = rule.settings
    const recipients: readonly string[] = rule.settings.recipients ?? []
    const reached: MemberContact[] = []
    // As in the list of alerts: by hubs, teams and "only mine".
    for (const one of readers)
      if (recipients.includes(one.userId) && one.caller && (await isVisibleAlert(tx, one.caller, alert.id)))
        reached.push(one)
    const text = textOf(alert, timeZone)
    const link = `${config.publicUrl}/alerts`
    if (channels.includes("notice"))
      await writeNotices(tx, { organizationId, by: "System", now, live }, [
        {
          ...{ kind: "alert", taskId: null, about: "alert", aboutId: alert.id, title: text },
          emails: reached.map(({ email }) => email),
        },
      ])
    for (const { email, phoneNumber, language } of reached) {
      if (channels.includes("email"))
        await queueMail(tx, { organizationId, email, language: language ?? ownLanguage }, "alert", {
          rule: rule.name,
          text,
          link,
        })
      if (channels.includes("sms") && phoneNumber) {
        const message = {
          receiver: phoneNumber,
          text: `${text}\n${link}`,
          key: `alert:${alert.id}:${phoneNumber}`,
        }
        const about = { organizationId, taskId: null, hubId: alert.hubIds[0] ?? "", kind: "sms" as const }
        await queueNotification(tx, sql, { ...about, ...message }, now)
      }
    }
  }
}

const units: Partial<Record<AlertKind, string>> = {
  ...{ speed: "km/h", outsideHours: "km/h", battery: "%" },
  ...{ dwell: "min", late: "min", eta: "min" },
}

/** The rule, whom and where it is about, and since when: names, numbers and units, which need no translation. */
function textOf({ kind, ruleName, details, startedAt }: AlertRow, timeZone: string): string {
  const { name, placeName, value, text } = details
  const local = startedAt.toZonedDateTimeISO(timeZone)
  const since = `${local.toPlainDate()} ${local.toPlainTime().toString({ smallestUnit: "minute" })}`
  const facts = [
    name,
    placeName,
    text,
    value === undefined ? undefined : `${value} ${units[kind] ?? ""}`.trim(),
    since,
  ]
  return `${ruleName}: ${facts.filter((fact) => fact !== null && fact !== undefined).join(" · ")}`
}
