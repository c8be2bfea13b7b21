import type { Sql, Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import type { ChannelKind } from "../channels/channels.ts"
import { messageErrors } from "../errors.ts"
import type { Trigger } from "../triggers.ts"
import { unknownFields } from "./template-text.ts"

export interface TemplateInput {
  event: Trigger
  channelId: Id<"channel">
  hubId: string | null
  flowId: string | null
  /** Empty: every language without a template of its own. */
  language: string
  subject: string
  /** Empty: the built-in text. */
  body: string
  isActive: boolean
}

export interface TemplateRow extends TemplateInput {
  id: Id<"message-template">
  kind: ChannelKind
}

const select = (sql: Sql) => sql`
  select t.id, t.event, t.channel_id, t.hub_id, t.flow_id, t.language, t.subject, t.body, t.is_active, c.kind
  from message_templates t
  join message_channels c on c.organization_id = t.organization_id and c.id = t.channel_id`

export function listTemplates(sql: Sql, organizationId: string): Promise<TemplateRow[]> {
  return sql<TemplateRow[]>`
    ${select(sql)} where t.organization_id = ${organizationId}
    order by t.event, c.kind, t.hub_id nulls first, t.flow_id nulls first, t.language, t.id`
}

/** Templates in use, of channels in use. */
export function activeTemplates(
  sql: Sql,
  organizationId: string,
  events: readonly Trigger[],
): Promise<TemplateRow[]> {
  return sql<TemplateRow[]>`
    ${select(sql)} where t.organization_id = ${organizationId} and t.event = any (${[...events]}) and t.is_active
      and c.is_active
    order by t.id`.reusePlan()
}

export async function findTemplate(
  sql: Sql,
  organizationId: string,
  templateId: string,
): Promise<TemplateRow> {
  const rows = await sql<TemplateRow[]>`
    ${select(sql)} where t.organization_id = ${organizationId} and t.id = ${templateId.toLowerCase()}`
  if (!rows[0]) throw messageErrors.notFound()
  return rows[0]
}

export async function saveTemplate(
  tx: Tx,
  { organizationId, email }: { organizationId: string; email: string },
  templateId: string | undefined,
  input: TemplateInput,
): Promise<TemplateRow> {
  const id = templateId ?? newId<"message-template">()
  await tx`
    insert into message_templates (organization_id, id, event, channel_id, hub_id, flow_id, language, subject, body,
      is_active, updated_by)
    values (${organizationId}, ${id}, ${input.event}, ${input.channelId}, ${input.hubId}, ${input.flowId},
      ${input.language}, ${input.subject}, ${input.body}, ${input.isActive}, ${email})
    on conflict (organization_id, id) do update set event = excluded.event, channel_id = excluded.channel_id,
      hub_id = excluded.hub_id, flow_id = excluded.flow_id, language = excluded.language, subject = excluded.subject,
      body = excluded.body, is_active = excluded.is_active, updated_time = now(), updated_by = excluded.updated_by`
  return findTemplate(tx, organizationId, id)
}

export async function deleteTemplate(tx: Tx, organizationId: string, templateId: string): Promise<boolean> {
  const rows = await tx`
    delete from message_templates
    where organization_id = ${organizationId} and id = ${templateId.toLowerCase()} returning 1`
  return rows.length > 0
}

/** The template for a task: its own flow counts most, then its hub, then the language. */
export function chooseTemplate(
  templates: readonly TemplateRow[],
  { hubId, flowId, language }: { hubId: string; flowId: string; language: string },
): TemplateRow | undefined {
  const fitting = templates.filter(
    (template) =>
      (template.hubId === null || template.hubId === hubId) &&
      (template.flowId === null || template.flowId === flowId) &&
      (template.language === "" || template.language === language),
  )
  const rank = (template: TemplateRow) =>
    (template.flowId === null ? 0 : 4) +
    (template.hubId === null ? 0 : 2) +
    (template.language === "" ? 0 : 1)
  return fitting.toSorted((one, other) => rank(other) - rank(one))[0]
}

/** Unknown placeholders would be empty in every message. */
export function requireKnownFields({ subject, body }: { subject: string; body: string }): void {
  const unknown = unknownFields(`${subject}\n${body}`)
  if (unknown.length > 0)
    throw messageErrors.invalid({ fields: { body: unknown.map((name) => `{{${name}}} is unknown`) } })
}
