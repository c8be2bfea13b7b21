import { inTransaction, type Pool, type Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { cleanText } from "#core/plain-text.ts"
import { saveReply } from "../../feedback/index.ts"
import { findSender, internationalNumber } from "../../tracking-pages/index.ts"
import type { ChannelRow } from "../channels/channels.ts"
import { addOptOut, meaningOf, removeOptOut } from "../opt-outs.ts"
import { type CallbackContent, statusOf } from "./callbacks.ts"

interface ReceiveContext {
  sql: Pool
  live: LiveEvents
  now: Temporal.Instant
}

/** Takes in what a provider reports: the state of a message, or what a customer wrote. */
export async function receiveCallback(
  context: ReceiveContext,
  channel: ChannelRow,
  { providerId, status, from, text }: CallbackContent,
): Promise<void> {
  if (from !== null && text !== null) return receiveReply(context, channel, from, text)
  if (providerId === null || status === null) return
  const outcome = statusOf(status)
  await context.sql`
    update customer_messages set provider_status = ${status.slice(0, 100)}, updated_time = ${context.now},
      status = case
        when ${outcome ?? null}::text is null or status in ('read', 'skipped') then status
        when status = 'delivered' and ${outcome ?? null}::text <> 'read' then status
        else ${outcome ?? null}::text end
    where organization_id = ${channel.organizationId} and channel_id = ${channel.id}
      and (provider_id = ${providerId} or id = ${providerId.toLowerCase()})`
}

async function receiveReply(
  context: ReceiveContext,
  channel: ChannelRow,
  from: string,
  text: string,
): Promise<void> {
  const { sql, live, now } = context
  const { organizationId } = channel
  const { phoneCode } = await findSender(sql, organizationId)
  const bare = from.replace(/^whatsapp:/i, "")
  const number = internationalNumber(/^[1-9]\d{8,}$/.test(bare) ? `+${bare}` : bare, phoneCode)
  const address = bare.includes("@") ? bare.toLowerCase() : number
  if (address === undefined) return
  await inTransaction(sql, async (tx) => {
    const meaning = meaningOf(text)
    if (meaning === "stop") await addOptOut(tx, organizationId, [address], "reply", now)
    else if (meaning === "start") await removeOptOut(tx, organizationId, [address])
    const taskId = await lastTaskOf(tx, organizationId, address)
    if (taskId !== undefined)
      await saveReply(
        tx,
        { live, now },
        { organizationId, taskId, sender: address, comment: cleanText(text).slice(0, 2000) },
      )
  })
}

/** The task of the last message to an address: what a reply is about. */
async function lastTaskOf(tx: Tx, organizationId: string, address: string): Promise<string | undefined> {
  const rows = await tx<{ taskId: string }[]>`
    select task_id from customer_messages where organization_id = ${organizationId} and recipient = ${address}
      and task_id is not null
    order by created_time desc limit 1`
  return rows[0]?.taskId
}
