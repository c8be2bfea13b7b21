import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import { type Fragment, json, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import type { ChannelKind } from "./channels/channels.ts"
import type { Trigger } from "./triggers.ts"

export const messageStatuses = [
  "waiting",
  "sending",
  "sent",
  "delivered",
  "read",
  "failed",
  "skipped",
  "uncertain",
] as const
export type MessageStatus = (typeof messageStatuses)[number]

export interface NewMessage {
  organizationId: string
  /** Null: it is about a request that has no task, and has `fields`. */
  taskId: string | null
  hubId: string
  event: Trigger
  eventKey: string
  kind: ChannelKind
  channelId: string
  templateId: string | null
  /** Undefined: the task has no address of this kind. The message is then recorded as skipped. */
  recipient: string | undefined
  language: string
  /** Set where the text does not come from a template. */
  body: string | null
  /** Values of placeholders, where they do not come from a task. */
  fields?: Readonly<Record<string, string>> | null
  runAt: Temporal.Instant
}

export interface MessageRow extends Omit<NewMessage, "recipient"> {
  id: Id<"customer-message">
  recipient: string
  subject: string | null
  status: MessageStatus
  reason: string | null
  attempts: number
  providerId: string | null
  providerStatus: string | null
  cost: string
  /** The day on which it counts towards its channel's limit and cost. */
  countedDay: string | null
  createdTime: Temporal.Instant
  sentTime: Temporal.Instant | null
  /** The message that a person sent again by this one. */
  resendOf: string | null
}

export const messageColumns = (sql: Sql): Fragment => sql`
  id, organization_id, task_id, hub_id, event, event_key, kind, channel_id, template_id, recipient, language, subject,
  body, status, reason, attempts, provider_id, provider_status, cost::text, counted_day::text, created_time, run_at, sent_time, fields, resend_of`

const noAddress = "The task has no address of the customer for this channel"

/** Inserts messages whose event has none yet, and returns those that are new and can be sent. */
export async function insertMessages(
  tx: Tx,
  messages: readonly NewMessage[],
  now: Temporal.Instant,
): Promise<{ organizationId: string; messageId: string; runAt: Temporal.Instant | undefined }[]> {
  const inserted = []
  for (const message of messages) {
    const id = newId<"customer-message">()
    const isSendable = message.recipient !== undefined
    const rows = await tx`
      insert into customer_messages (organization_id, id, task_id, hub_id, event, event_key, kind, channel_id, template_id,
        recipient, language, body, fields, status, reason, created_time, run_at, updated_time)
      values (${message.organizationId}, ${id}, ${message.taskId}, ${message.hubId}, ${message.event}, ${message.eventKey},
        ${message.kind}, ${message.channelId}, ${message.templateId}, ${message.recipient ?? ""}, ${message.language},
        ${message.body}, ${message.fields ? json(tx, message.fields) : null}, ${isSendable ? "waiting" : "skipped"}, ${isSendable ? null : noAddress}, ${now}, ${message.runAt}, ${now})
      on conflict do nothing returning 1`.reusePlan()
    if (rows.length > 0 && isSendable)
      inserted.push({
        organizationId: message.organizationId,
        messageId: id as string,
        runAt: Temporal.Instant.compare(message.runAt, now) > 0 ? message.runAt : undefined,
      })
  }
  return inserted
}

export interface MessageFilter {
  taskId?: string | undefined
  status?: string | undefined
  event?: string | undefined
  recipient?: string | undefined
}

const visible = (sql: Sql, caller: Caller) =>
  sql`organization_id = ${caller.organizationId} and ${inCallersHubs(sql, caller, sql`hub_id`)}`

export function listMessages(
  sql: Sql,
  caller: Caller,
  { taskId, status, event, recipient }: MessageFilter,
  page: PageOptions,
): Promise<Listed<MessageRow>> {
  return listRows<MessageRow>(sql, page, {
    columns: messageColumns(sql),
    from: sql`from customer_messages where ${visible(sql, caller)}
      ${taskId === undefined ? sql`` : sql`and task_id = ${taskId.toLowerCase()}`}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${event === undefined ? sql`` : sql`and event = ${event}`}
      ${recipient === undefined ? sql`` : sql`and recipient = ${recipient}`}`,
    order: sql`created_time desc, id`,
  })
}

const delivered: ReadonlySet<MessageStatus> = new Set(["sent", "delivered", "read"])
const undelivered: ReadonlySet<MessageStatus> = new Set(["failed", "skipped", "uncertain"])

/**
 * What a person sends again: a message that was not delivered waits again; of one that was sent a copy is made, which refers
 * to it, so that the log shows both. `message` is undefined where it is being sent already, or has no recipient.
 */
export async function takeForResend(
  tx: Tx,
  caller: Caller,
  messageId: string,
  now: Temporal.Instant,
): Promise<{ found: boolean; message: { id: string; organizationId: string } | undefined }> {
  const rows = await tx<MessageRow[]>`
    select ${messageColumns(tx)} from customer_messages
    where ${visible(tx, caller)} and id = ${messageId.toLowerCase()} for update`
  const [row] = rows
  if (!row || row.recipient === "") return { found: row !== undefined, message: undefined }
  if (delivered.has(row.status)) return { found: true, message: await copyForResend(tx, row, now) }
  if (!undelivered.has(row.status)) return { found: true, message: undefined }
  await tx`
    update customer_messages set status = 'waiting', reason = null, attempts = 0, run_at = ${now}, updated_time = ${now}
    where organization_id = ${row.organizationId} and id = ${row.id}`
  return { found: true, message: row }
}

/** Undefined where a copy is on its way: two people, or two clicks, send one. */
async function copyForResend(tx: Tx, row: MessageRow, now: Temporal.Instant) {
  const { organizationId } = row
  const original = row.resendOf ?? row.id
  const pending = await tx`
    select 1 from customer_messages where organization_id = ${organizationId} and resend_of = ${original}
      and status in ('waiting', 'sending') limit 1`
  if (pending.length > 0) return undefined
  const id = newId<"customer-message">()
  // A text from a template is rewritten with the times of now; any other one is the message itself.
  await tx`
    insert into customer_messages (organization_id, id, task_id, hub_id, event, event_key, kind, channel_id, template_id,
      recipient, language, body, fields, status, created_time, run_at, updated_time, resend_of)
    select organization_id, ${id}, task_id, hub_id, event, ${`resend:${id}`}, kind, channel_id, template_id, recipient, language,
      case when template_id is null then body end, fields, 'waiting', ${now}, ${now}, ${now}, ${original}
    from customer_messages where organization_id = ${organizationId} and id = ${row.id}`
  return { id, organizationId }
}
