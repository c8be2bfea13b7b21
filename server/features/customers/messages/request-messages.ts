import type { Sql, Tx } from "#core/database/database.ts"
import { type CustomerContact, findSender } from "../tracking-pages/index.ts"
import { plain } from "./fields.ts"
import { insertMessages } from "./message-queries.ts"
import { addressOf } from "./plan-messages.ts"
import { enqueue } from "./send-message.ts"
import { activeTemplates, chooseTemplate } from "./templates/templates.ts"

export interface RequestMessage {
  organizationId: string
  hubId: string
  flowId: string
  event: "requestReceived" | "requestApproved" | "requestRejected"
  /** One message for each key and address. */
  key: string
  language: string
  contact: CustomerContact
  link: string
  /** Placeholders. What a stranger typed is not among them: nobody sends texts of their own to others. */
  fields: Readonly<Record<"reference" | "date" | "window" | "reason", string>>
  /** Asked for each address before it is written to. */
  mayWriteTo(address: string): Promise<boolean>
}

/** Enqueues the messages about a request on the channels that have a template for it. Returns how many are new. */
export async function queueRequestMessages(
  tx: Tx,
  pool: Sql,
  message: RequestMessage,
  now: Temporal.Instant,
): Promise<number> {
  const { organizationId, hubId, flowId, event, language, contact } = message
  const templates = await activeTemplates(tx, organizationId, [event])
  if (templates.length === 0) return 0
  const sender = await findSender(pool, organizationId)
  const { phone, email } = sender.settings
  const shown = { ...message.fields, organization: sender.name, phone, email }
  const values = Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, plain(value)]))
  let queued = 0
  for (const kind of ["email", "sms", "whatsapp"] as const) {
    const fitting = templates.filter((template) => template.kind === kind)
    const template = chooseTemplate(fitting, { hubId, flowId, language })
    const recipient = addressOf(kind, contact, sender)
    if (!template || recipient === undefined || !(await message.mayWriteTo(recipient))) continue
    const row = {
      ...{ organizationId, hubId, event, kind, language, recipient },
      taskId: null,
      eventKey: `${message.key}:${recipient}`,
      channelId: template.channelId,
      templateId: template.id,
      body: null,
      fields: { ...values, link: message.link },
      runAt: now,
    }
    const inserted = await insertMessages(tx, [row], now)
    for (const entry of inserted) await enqueue(tx, entry)
    queued += inserted.length
  }
  return queued
}
