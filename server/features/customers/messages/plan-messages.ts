import type { Sql, Tx } from "#core/database/database.ts"
import { chooseLanguage } from "#shared/languages.ts"
import { findFlows } from "../../work/flows/index.ts"
import { findWritten, type TaskRow } from "../../work/tasks/index.ts"
import {
  contactOf,
  customerCaller,
  findSender,
  internationalNumber,
  type Sender,
} from "../tracking-pages/index.ts"
import type { ChannelKind } from "./channels/channels.ts"
import { insertMessages, type NewMessage } from "./message-queries.ts"
import { enqueue } from "./send-message.ts"
import { readMessageSettings } from "./settings.ts"
import { chooseTemplate, type TemplateRow } from "./templates/templates.ts"
import { suits, type Trigger } from "./triggers.ts"

/** That something happened to a task: `key` tells two occurrences apart that both deserve a message. */
export interface Occurrence {
  taskId: string
  event: Trigger
  key: string
}

interface PlanContext {
  /** The application's pool. */
  pool: Sql
  now: Temporal.Instant
}

/** Enqueues the messages that occurrences cause, each once however often the same occurrence is reported. */
export async function planMessages(
  tx: Tx,
  { pool, now }: PlanContext,
  organizationId: string,
  occurrences: readonly Occurrence[],
  templates: readonly TemplateRow[],
): Promise<number> {
  if (occurrences.length === 0 || templates.length === 0) return 0
  const caller = customerCaller(organizationId)
  const [sender, settings, tasks] = await Promise.all([
    findSender(pool, organizationId),
    readMessageSettings(tx, organizationId),
    findWritten(tx, caller, [...new Set(occurrences.map(({ taskId }) => taskId))]),
  ])
  const flows = await findFlows(tx, caller, [...new Set(tasks.map(({ flowId }) => flowId))])
  const pagesOf = new Map(flows.map((flow) => [flow.id as string, flow.pages]))
  const byId = new Map(tasks.map((task) => [task.id as string, task]))
  const messages = occurrences.flatMap(({ taskId, event, key }): NewMessage[] => {
    const task = byId.get(taskId)
    if (!task || !suits(event, task.attributes.outcome)) return []
    const contact = contactOf(task.values, pagesOf.get(task.flowId) ?? [], sender.settings.fields)
    const language = chooseLanguage(contact.language, sender.settings.language, sender.language)
    const delay = event === "ratingRequest" ? settings.ratingDelayMinutes : 0
    return kinds.flatMap((kind) => {
      const recipient = addressOf(kind, contact, sender)
      const fitting = templates.filter((template) => template.kind === kind && template.event === event)
      const template = chooseTemplate(fitting, { hubId: task.hubId, flowId: task.flowId, language })
      if (!template) return []
      return [
        messageOf(task, {
          event,
          key,
          kind,
          language,
          recipient,
          template,
          runAt: now.add({ minutes: delay }),
        }),
      ]
    })
  })
  const inserted = await insertMessages(tx, messages, now)
  for (const message of inserted) await enqueue(tx, message)
  return inserted.length
}

const kinds: readonly ChannelKind[] = ["email", "sms", "whatsapp"]

interface Chosen {
  event: Trigger
  key: string
  kind: ChannelKind
  language: string
  recipient: string | undefined
  template: TemplateRow
  runAt: Temporal.Instant
}

function messageOf(task: TaskRow, { key, template, ...chosen }: Chosen): NewMessage {
  return {
    ...chosen,
    organizationId: task.organizationId,
    taskId: task.id,
    hubId: task.hubId,
    eventKey: key,
    channelId: template.channelId,
    templateId: template.id,
    body: null,
  }
}

/** The customer's address on a kind of channel, in the form that opt-outs and replies have too. */
export function addressOf(
  kind: ChannelKind,
  { phone, email }: { phone: string | null; email: string | null },
  { phoneCode }: Pick<Sender, "phoneCode">,
): string | undefined {
  if (kind === "email") return email ?? undefined
  return phone === null ? undefined : internationalNumber(phone, phoneCode)
}
