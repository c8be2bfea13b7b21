import type { Sql, Tx } from "#core/database/database.ts"
import { chooseLanguage } from "#shared/languages.ts"
import { valueText } from "#shared/values.ts"
import { findSender, internationalNumber } from "../tracking-pages/index.ts"
import type { ChannelKind } from "./channels/channels.ts"
import { insertMessages } from "./message-queries.ts"
import { enqueue } from "./send-message.ts"

export interface Notification {
  organizationId: string
  /** Null: about no task, as an alert about a person. */
  taskId: string | null
  hubId: string
  kind: ChannelKind
  /** A telephone number as the task has it. */
  receiver: unknown
  text: string
  /** The automation and its event, or the alert: the same one sends once. */
  key: string
}

/** Sends the text of an automation or alert as messages to customers are sent. Returns why not, where no channel can. */
export async function queueNotification(
  tx: Tx,
  pool: Sql,
  { organizationId, kind, receiver, text, key, taskId, hubId }: Notification,
  now: Temporal.Instant,
): Promise<"queued" | "no channel" | "no address"> {
  const [channel] = await tx<{ id: string }[]>`
    select id from message_channels where organization_id = ${organizationId} and kind = ${kind} and is_active
    order by id limit 1`
  if (!channel) return "no channel"
  const sender = await findSender(pool, organizationId)
  const recipient = internationalNumber(valueText(receiver) ?? "", sender.phoneCode)
  if (recipient === undefined) return "no address"
  const language = chooseLanguage(sender.settings.language, sender.language)
  const base = {
    organizationId,
    taskId,
    hubId,
    kind,
    language,
    recipient,
    body: text,
    templateId: null,
    fields: taskId === null ? { text } : null,
    runAt: now,
  }
  const message = { ...base, event: "notification" as const, eventKey: key, channelId: channel.id }
  for (const inserted of await insertMessages(tx, [message], now)) await enqueue(tx, inserted)
  return "queued"
}
