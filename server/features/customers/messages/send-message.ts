import { Type } from "typebox"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { defineJob, type JobContext, send } from "#core/jobs/define-job.ts"
import { connectMailServer } from "#core/outbound/mail.ts"
import { OutboundError } from "#core/outbound/outbound-http.ts"
import { findWritten, type TaskRow } from "../../work/tasks/index.ts"
import { makeReport, readReportSettings } from "../reports/index.ts"
import { customerCaller, findSender, type Sender, timeZoneOfHub } from "../tracking-pages/index.ts"
import { type ChannelRow, callbackUrl, findChannel, openSecrets, requestOf } from "./channels/channels.ts"
import {
  callProvider,
  hasMessage,
  ProviderRefusal,
  type ProviderValues,
  RetryableFailure,
} from "./channels/provider.ts"
import { zoneOfCustomer } from "./customer-zone.ts"
import { fieldsOf } from "./fields.ts"
import { mailHtml } from "./mail-html.ts"
import { type MessageRow, messageColumns } from "./message-queries.ts"
import { hasOptedOut } from "./opt-outs.ts"
import { endOfQuiet } from "./quiet-hours.ts"
import { readMessageSettings } from "./settings.ts"
import { defaultText } from "./templates/default-texts.ts"
import { fillTemplate } from "./templates/template-text.ts"
import { findTemplate } from "./templates/templates.ts"
import { isUrgent } from "./triggers.ts"

/**
 * Sends one message. Its row says `sending` before the provider is called and `sent` afterwards: where the process ends in
 * between, the next attempt finds `sending` and asks the provider, or relies on the provider's idempotency; where neither
 * is possible the channel decides between sending again and `uncertain`.
 */
export const sendMessage = defineJob({
  name: "customer-messages.send",
  payload: Type.Object({ organizationId: Type.String(), messageId: Type.String() }),
  // The queue waits e, e², … seconds between attempts: ten span six hours.
  maxAttempts: 10,
  timeoutSeconds: 90,
  async handle(context, { organizationId, messageId }) {
    const prepared = await inTransaction(context.sql, (tx) => prepare(tx, context, organizationId, messageId))
    if (!prepared) return
    const { message, channel } = prepared
    const set = (values: Outcome) => writeOutcome(context, message, values)
    try {
      const providerId = await deliver(context, prepared)
      await set(
        providerId === uncertain
          ? {
              status: "uncertain",
              reason: "Sending was interrupted, and the provider cannot be asked. Check and resend",
            }
          : { status: "sent", providerId, sentTime: context.clock.now() },
      )
    } catch (error) {
      const reason = error instanceof Error ? error.message.slice(0, 500) : "unknown"
      const isRefused = error instanceof ProviderRefusal
      if (isRefused || context.isLastAttempt) {
        await set({ status: isRefused || !isAmbiguous(error) ? "failed" : "uncertain", reason })
        return
      }
      // What surely did not arrive waits for the next attempt; of what may have arrived the row keeps saying `sending`.
      await set({ status: isAmbiguous(error) || channel.kind === "email" ? "sending" : "waiting", reason })
      throw error
    }
  },
})

/** A time-out or a broken connection: the provider may have the message. */
function isAmbiguous(error: unknown): boolean {
  if (error instanceof RetryableFailure || error instanceof ProviderRefusal) return false
  return !(error instanceof OutboundError && error.failure === "target")
}

interface Outcome {
  status: "sent" | "failed" | "waiting" | "sending" | "uncertain" | "skipped"
  reason?: string
  providerId?: string | null
  sentTime?: Temporal.Instant
}

async function writeOutcome(
  { sql, clock }: JobContext,
  message: MessageRow,
  outcome: Outcome,
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    const written = await tx`
      update customer_messages set status = ${outcome.status}, reason = ${outcome.reason ?? null},
        provider_id = coalesce(${outcome.providerId ?? null}, provider_id),
        sent_time = coalesce(${outcome.sentTime ?? null}, sent_time), updated_time = ${clock.now()}
      where organization_id = ${message.organizationId} and id = ${message.id} and status in ('sending', 'waiting')
      returning 1`
    if (outcome.status === "failed" && written.length > 0) await releaseUsage(tx, message)
  })
}

interface Prepared {
  message: MessageRow
  task: TaskRow | undefined
  channel: ChannelRow
  subject: string
  body: string
  fields: ProviderValues
  /** An earlier attempt began and its end is not known. */
  wasInterrupted: boolean
}

/** Decides under a lock whether the message is sent now, and writes its text. */
async function prepare(
  tx: Tx,
  context: JobContext,
  organizationId: string,
  messageId: string,
): Promise<Prepared | undefined> {
  const now = context.clock.now()
  const [message] = await tx<MessageRow[]>`
    select ${messageColumns(tx)} from customer_messages
    where organization_id = ${organizationId} and id = ${messageId} for update`
  if (!message || (message.status !== "waiting" && message.status !== "sending")) return undefined
  const skip = async (reason: string) => {
    await tx`
      update customer_messages set status = 'skipped', reason = ${reason}, updated_time = ${now}
      where organization_id = ${organizationId} and id = ${messageId}`
    await releaseUsage(tx, message)
    return undefined
  }
  const channel = await findChannel(tx, organizationId, message.channelId).catch(() => undefined)
  if (!channel?.isActive) return skip("The channel was deleted or switched off")
  const wasInterrupted = message.status === "sending"
  const taskIds = message.taskId === null ? [] : [message.taskId]
  const [task] = await findWritten(tx, customerCaller(organizationId), taskIds)
  if (!task && !message.fields) return skip("The task was deleted")
  const sender = await findSender(context.sql, organizationId)
  if (!wasInterrupted) {
    if (await hasOptedOut(tx, organizationId, [message.recipient])) return skip("The customer has opted out")
    // What is about no task is an alert for a member: its rule has quiet hours of its own.
    const isForCustomer = message.taskId !== null
    const quietUntil =
      isForCustomer && (await quietEnd(tx, context, sender, { hubId: message.hubId, task, now }))
    if (quietUntil && isUrgent(message.event)) return skip("Quiet hours: it would be out of date afterwards")
    if (quietUntil) {
      await postpone(tx, message, quietUntil)
      return undefined
    }
    if (!(await countUsage(tx, channel, sender, message, now)))
      return skip("The channel's daily limit is reached")
  }
  const text = await textOf(tx, context, sender, task, message)
  await tx`
    update customer_messages set status = 'sending', attempts = attempts + 1, subject = ${text.subject},
      body = ${text.body}, cost = ${channel.cost}, updated_time = ${now}
    where organization_id = ${organizationId} and id = ${messageId}`
  return { message, task, channel, ...text, wasInterrupted }
}

async function quietEnd(
  tx: Tx,
  { sql }: JobContext,
  sender: Sender,
  { hubId, task, now }: { hubId: string; task: TaskRow | undefined; now: Temporal.Instant },
) {
  const settings = await readMessageSettings(tx, sender.organizationId)
  return endOfQuiet(settings, zoneOfCustomer(task, await timeZoneOfHub(sql, sender, hubId)), now)
}

async function postpone(tx: Tx, message: MessageRow, runAt: Temporal.Instant): Promise<void> {
  await tx`
    update customer_messages set run_at = ${runAt}
    where organization_id = ${message.organizationId} and id = ${message.id}`
  await enqueue(tx, { organizationId: message.organizationId, messageId: message.id, runAt })
}

/**
 * Counts a message once, however often it is tried, in the day of the organization's time zone; false when the limit is
 * reached.
 */
async function countUsage(
  tx: Tx,
  { organizationId, id, cost, dailyCap }: ChannelRow,
  { timeZone }: Sender,
  message: MessageRow,
  now: Temporal.Instant,
): Promise<boolean> {
  if (message.countedDay !== null) return true
  const day = now.toZonedDateTimeISO(timeZone).toPlainDate().toString()
  if (dailyCap <= 0) return false
  const rows = await tx`
    insert into message_usage as usage (organization_id, channel_id, day, messages, cost)
    values (${organizationId}, ${id}, ${day}, 1, ${cost})
    on conflict (organization_id, channel_id, day) do update
      set messages = usage.messages + 1, cost = usage.cost + excluded.cost where usage.messages < ${dailyCap}
    returning 1`
  if (rows.length === 0) return false
  await tx`
    update customer_messages set counted_day = ${day}
    where organization_id = ${organizationId} and id = ${message.id}`
  return true
}

/** A message that was not sent takes nothing of the limit and costs nothing. */
async function releaseUsage(tx: Tx, { organizationId, id, channelId }: MessageRow): Promise<void> {
  await tx`
    with given_back as (
      update customer_messages message set counted_day = null, cost = 0
      from customer_messages before
      where message.organization_id = ${organizationId} and message.id = ${id} and message.counted_day is not null
        and before.organization_id = message.organization_id and before.id = message.id
      returning before.counted_day, before.cost)
    update message_usage usage set messages = usage.messages - 1, cost = usage.cost - given_back.cost
    from given_back
    where usage.organization_id = ${organizationId} and usage.channel_id = ${channelId}
      and usage.day = given_back.counted_day and usage.messages > 0`
}

async function textOf(
  tx: Tx,
  { sql, links, config, clock }: JobContext,
  sender: Sender,
  task: TaskRow | undefined,
  message: MessageRow,
): Promise<{ subject: string; body: string; fields: ProviderValues }> {
  const fieldContext = { sql: tx, pool: sql, links, publicUrl: config.publicUrl, now: clock.now() }
  const fields = task
    ? await fieldsOf(fieldContext, sender, task, message.language, message.templateId ? null : message.body)
    : new Map(Object.entries(message.fields ?? {}))
  // A retry of an interrupted attempt sends the same text.
  if (message.status === "sending" && message.body !== null)
    return { subject: message.subject ?? "", body: message.body, fields }
  const template = message.templateId
    ? await findTemplate(tx, message.organizationId, message.templateId).catch(() => undefined)
    : undefined
  const builtIn = defaultText(message.event, message.language)
  const subject = fillTemplate(template?.subject || builtIn.subject, fields)
  return { subject, body: fillTemplate(template?.body || builtIn.body, fields), fields }
}

const uncertain = Symbol("uncertain")

/** Returns the provider's id, or `uncertain` where an interrupted attempt must not be repeated. */
async function deliver(context: JobContext, prepared: Prepared): Promise<string | null | typeof uncertain> {
  const { config, sql, signal } = context
  const { message, channel, subject, body, fields, wasInterrupted } = prepared
  if (channel.kind === "email") return sendMail(context, prepared)
  const secrets = await openSecrets({ sql, config }, channel)
  const values = new Map<string, string>([
    ...fields,
    ...Object.entries(channel.settings.variables),
    ...Object.entries(secrets).map(([name, value]): [string, string] => [`secret.${name}`, value]),
    ["to", message.recipient],
    ["text", body],
    ["line", body.replace(/\s+/g, " ")],
    ["subject", subject],
    ["reference", message.id],
    ["callbackUrl", callbackUrl(config.publicUrl, channel, secrets)],
  ])
  const request = requestOf(channel)
  const options = { allow: config.webhookAllow, signal }
  if (wasInterrupted && !request.isIdempotent) {
    const isKnown = await hasMessage(request, values, options)
    if (isKnown === true) return message.providerId
    if (isKnown === undefined && channel.settings.onUncertain === "stop") return uncertain
  }
  return callProvider(request, values, options)
}

/** The same Message-ID at each attempt: a mail that was taken before an interruption is recognized by it. */
async function sendMail(context: JobContext, prepared: Prepared): Promise<null> {
  const { config } = context
  const { message, subject, body } = prepared
  if (!config.mailUrl) throw new ProviderRefusal("No mail server is configured: set MAIL_URL")
  const attachments = await attachmentsOf(context, prepared)
  const server = connectMailServer(config.mailUrl, config.publicUrl)
  try {
    const html = mailHtml(body, message.language)
    await server.send({
      id: message.id,
      to: message.recipient,
      subject: subject.slice(0, 200),
      text: body,
      html,
      attachments,
    })
    return null
  } finally {
    server.close()
  }
}

/** The service report, where the flow's report is to be sent with receipts. */
async function attachmentsOf(context: JobContext, { message, task }: Prepared) {
  if (message.event !== "receipt" || !task) return []
  const settings = await readReportSettings(context.sql, task.organizationId, task.flowId)
  if (!settings.attachToReceipt) return []
  const content = await makeReport({ ...context, now: context.clock.now() }, task, message.language)
  return [{ filename: `report-${task.id}.pdf`, content }]
}

/** Two at a time for an organization: thousands of its messages leave workers for those of others. */
export function enqueue(
  tx: Tx,
  {
    organizationId,
    messageId,
    runAt,
  }: { organizationId: string; messageId: string; runAt: Temporal.Instant | undefined },
): Promise<void> {
  const slot = Number.parseInt(messageId.slice(-1), 16) % 2
  const options = {
    queue: `customer-messages:${organizationId}:${slot}`,
    key: `customer-message:${messageId}`,
    ...(runAt ? { runAt } : {}),
  }
  return send(tx, sendMessage, { organizationId, messageId }, options)
}
