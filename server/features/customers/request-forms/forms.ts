import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import { json, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { codeMakerOf } from "../tracking-pages/index.ts"
import { type FormSettings, withDefaults } from "./settings.ts"

export interface FormRow {
  organizationId: Id<"organization">
  id: Id<"request-form">
  name: string
  hubId: string
  flowId: string
  round: number
  settings: FormSettings
  isActive: boolean
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
  updatedBy: string | null
}

export interface FormInput {
  name: string
  hubId: string
  flowId: string
  isActive: boolean
  settings: FormSettings
}

const columns = (sql: Sql) => sql`
  organization_id, id, name, hub_id, flow_id, round, settings, is_active, created_time, updated_time, updated_by`
const complete = (row: FormRow): FormRow => ({ ...row, settings: withDefaults(row.settings) })

const visible = (sql: Sql, caller: Caller) =>
  sql`organization_id = ${caller.organizationId} and ${inCallersHubs(sql, caller, sql`hub_id`)}`

/** The code of a form's link; the next round has another one. */
export async function codeOfForm(pool: Sql, { id, round }: Pick<FormRow, "id" | "round">) {
  return (await codeMakerOf(pool)).codeOf("request-form", `${id}/${round}`)
}

export async function listForms(sql: Sql, caller: Caller): Promise<(FormRow & { pending: number })[]> {
  const rows = await sql<(FormRow & { pending: number })[]>`
    select ${columns(sql)}, (
      select count(*)::int from task_requests request
      where request.organization_id = request_forms.organization_id and request.form_id = request_forms.id
        and request.status = 'pending') as pending
    from request_forms where ${visible(sql, caller)} order by name, id limit 500`
  return rows.map((row) => ({ ...row, ...complete(row) }))
}

export async function findForm(sql: Sql, caller: Caller, formId: string): Promise<FormRow | undefined> {
  const rows = await sql<FormRow[]>`
    select ${columns(sql)} from request_forms where ${visible(sql, caller)} and id = ${formId.toLowerCase()}`
  return rows[0] && complete(rows[0])
}

/** The form of a public address, of any organization. */
export async function findFormByHash(sql: Sql, hash: Buffer): Promise<FormRow | undefined> {
  const rows = await sql<FormRow[]>`select ${columns(sql)} from request_forms where code_hash = ${hash}`
  return rows[0] && complete(rows[0])
}

/** The form, with others who send from it waiting until this transaction ends. */
export async function lockForm(tx: Tx, organizationId: string, id: string): Promise<FormRow | undefined> {
  const rows = await tx<FormRow[]>`
    select ${columns(tx)} from request_forms where organization_id = ${organizationId} and id = ${id} for update`
  return rows[0] && complete(rows[0])
}

export async function insertForm(
  tx: Tx,
  pool: Sql,
  { organizationId, email }: Pick<Caller, "organizationId" | "email">,
  input: FormInput,
  now: Temporal.Instant,
): Promise<FormRow> {
  const id = newId<"request-form">()
  const { hash } = await codeOfForm(pool, { id, round: 0 })
  const rows = await tx<FormRow[]>`
    insert into request_forms (organization_id, id, name, hub_id, flow_id, code_hash, settings, is_active, created_time,
      updated_time, updated_by)
    values (${organizationId}, ${id}, ${input.name}, ${input.hubId.toLowerCase()}, ${input.flowId.toLowerCase()}, ${hash},
      ${json(tx, input.settings)}, ${input.isActive}, ${now}, ${now}, ${email})
    returning ${columns(tx)}`
  return complete(rows[0] as FormRow)
}

export async function updateForm(
  tx: Tx,
  { organizationId, email }: Pick<Caller, "organizationId" | "email">,
  formId: string,
  input: FormInput,
  now: Temporal.Instant,
): Promise<FormRow> {
  const rows = await tx<FormRow[]>`
    update request_forms set name = ${input.name}, hub_id = ${input.hubId.toLowerCase()},
      flow_id = ${input.flowId.toLowerCase()}, settings = ${json(tx, input.settings)}, is_active = ${input.isActive},
      updated_time = ${now}, updated_by = ${email}
    where organization_id = ${organizationId} and id = ${formId} returning ${columns(tx)}`
  return complete(rows[0] as FormRow)
}

/** Gives a form another address; the one before stops working at once. */
export async function renewCode(
  tx: Tx,
  pool: Sql,
  form: FormRow,
  email: string,
  now: Temporal.Instant,
): Promise<FormRow> {
  const round = form.round + 1
  const { hash } = await codeOfForm(pool, { id: form.id, round })
  await tx`
    update request_forms set round = ${round}, code_hash = ${hash}, updated_time = ${now}, updated_by = ${email}
    where organization_id = ${form.organizationId} and id = ${form.id}`
  return { ...form, round, updatedTime: now }
}

export async function deleteForm(tx: Tx, organizationId: string, formId: string): Promise<void> {
  await tx`delete from request_forms where organization_id = ${organizationId} and id = ${formId}`
}
