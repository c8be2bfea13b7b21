import { type Caller, may } from "#core/access/caller.ts"
import { databaseErrorOf, type Fragment, json, type Sql, type Tx } from "#core/database.ts"
import type { DomainEventName } from "#core/domain-events.ts"
import { type Id, newId } from "#core/ids.ts"
import { ownEntry, type PageWish } from "#core/paging.ts"
import { toT1 } from "#shared/wire-time.ts"
import { automationErrors } from "./errors.ts"
import type { AutomationType } from "./schemas.ts"

export interface Rules {
  flow?: string
  flowId?: string
  dataTypeId?: string
  fields?: Record<string, unknown>
  schema?: string
}

export interface AutomationRow {
  id: Id<"automation">
  organizationId: Id<"organization">
  name: string
  event: DomainEventName
  dataType: string
  automationType: AutomationType
  details: Record<string, unknown>
  rules: Rules
  isActive: boolean
  signingSecret: string | null
  createdBy: string | null
  updatedBy: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

export type AutomationWrite = Pick<
  AutomationRow,
  "name" | "event" | "dataType" | "automationType" | "details" | "rules" | "isActive" | "signingSecret"
>

export function automationColumns(sql: Sql): Fragment {
  return sql`automations.id, automations.organization_id, automations.name, automations.event, automations.data_type,
    automations.automation_type, automations.details, automations.rules, automations.is_active,
    automations.signing_secret, automations.created_by, automations.updated_by, automations.created_time,
    automations.updated_time`
}

export async function findAutomation(
  sql: Sql,
  tenant: Pick<Caller, "organizationId">,
  automationId: string,
): Promise<AutomationRow | undefined> {
  const rows = await sql<AutomationRow[]>`
    select ${automationColumns(sql)} from automations
    where organization_id = ${tenant.organizationId} and id = ${automationId.toLowerCase()}`
  return rows[0]
}

const sortColumns: Record<string, string> = {
  createdTime: "created_time",
  updatedTime: "updated_time",
  name: "name",
  event: "event",
  automationType: "automation_type",
  dataType: "data_type",
  isActive: "is_active",
}

export interface AutomationFilter {
  q?: string
  event?: string
  automationType?: string
  dataType?: string
  flow?: string
  sortBy?: string
  direction: "asc" | "desc"
}

export async function listAutomations(
  sql: Sql,
  caller: Caller,
  filter: AutomationFilter,
  page: PageWish,
): Promise<{ rows: AutomationRow[]; total: number }> {
  const part = filter.q === undefined ? undefined : `%${filter.q.replace(/[\\%_]/g, "\\$&")}%`
  const where = sql`organization_id = ${caller.organizationId}
    ${part === undefined ? sql`` : sql`and (name ilike ${part} or automation_type ilike ${part} or rules ->> 'flow' ilike ${part})`}
    ${filter.event === undefined ? sql`` : sql`and event = ${filter.event}`}
    ${filter.automationType === undefined ? sql`` : sql`and automation_type = ${filter.automationType}`}
    ${filter.dataType === undefined ? sql`` : sql`and data_type = ${filter.dataType}`}
    ${filter.flow === undefined ? sql`` : sql`and rules ->> 'flow' = ${filter.flow}`}`
  const column = ownEntry(sortColumns, filter.sortBy ?? "createdTime") ?? "created_time"
  const direction = filter.direction === "asc" ? sql`asc` : sql`desc`
  const [rows, counted] = await Promise.all([
    sql<AutomationRow[]>`
      select ${automationColumns(sql)} from automations where ${where}
      order by ${sql(column)} ${direction}, id ${direction} limit ${page.limit} offset ${page.offset}`,
    sql<{ total: number }[]>`select count(*) as total from automations where ${where}`,
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

export function insertAutomation(sql: Sql, caller: Caller, write: AutomationWrite): Promise<AutomationRow> {
  return refuseTakenName(
    () => sql<AutomationRow[]>`
      insert into automations (organization_id, id, name, event, data_type, automation_type, details, rules, is_active,
        signing_secret, created_by, updated_by)
      values (${caller.organizationId}, ${newId()}, ${write.name}, ${write.event}, ${write.dataType}, ${write.automationType},
        ${json(sql, write.details)}, ${json(sql, write.rules)}, ${write.isActive}, ${write.signingSecret}, ${caller.email}, ${caller.email})
      returning ${automationColumns(sql)}`,
  )
}

export function updateAutomation(
  sql: Sql,
  caller: Caller,
  automationId: string,
  write: AutomationWrite,
): Promise<AutomationRow> {
  return refuseTakenName(
    () => sql<AutomationRow[]>`
      update automations set name = ${write.name}, event = ${write.event}, data_type = ${write.dataType},
        details = ${json(sql, write.details)}, rules = ${json(sql, write.rules)}, is_active = ${write.isActive},
        signing_secret = ${write.signingSecret}, updated_by = ${caller.email}, updated_time = now()
      where organization_id = ${caller.organizationId} and id = ${automationId}
      returning ${automationColumns(sql)}`,
  )
}

/** Its log goes with it. Returns the row as `restoreRows` takes it. */
export async function removeAutomation(
  tx: Tx,
  caller: Caller,
  automationId: string,
): Promise<{ name: string; content: unknown } | undefined> {
  const rows = await tx<{ name: string; content: unknown }[]>`
    delete from automations where organization_id = ${caller.organizationId} and id = ${automationId.toLowerCase()}
    returning name, to_jsonb(automations) as content`
  return rows[0]
}

async function refuseTakenName(write: () => PromiseLike<AutomationRow[]>): Promise<AutomationRow> {
  try {
    const [row] = await write()
    if (!row) throw automationErrors.notFound()
    return row
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "automations_name")
      throw automationErrors.nameTaken({ cause: error, fields: { name: ["is taken"] } })
    throw error
  }
}

/** Stands where a secret is that the reader may not see; a write that carries it keeps what is stored. */
export const mask = "********"

/** Headers and keys are shown to those who may change them. */
export function toWireAutomation(row: AutomationRow, caller: Caller) {
  const details = row.signingSecret
    ? { ...row.details, signingSecret: row.signingSecret }
    : { ...row.details }
  return {
    _id: row.id,
    name: row.name,
    event: row.event,
    dataType: row.dataType,
    automationType: row.automationType,
    automationDetails: may(caller, "edit/automation") ? details : masked(details),
    rules: { ...row.rules },
    isActive: row.isActive,
    organizationId: row.organizationId,
    createdBy: row.createdBy,
    updatedBy: row.updatedBy,
    createdTime: toT1(row.createdTime),
    updatedTime: toT1(row.updatedTime),
  }
}

export function masked(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = { ...details }
  if (typeof shown.headers === "object" && shown.headers !== null)
    shown.headers = Object.fromEntries(Object.keys(shown.headers).map((name) => [name, mask]))
  for (const key of ["secretKey", "signingSecret"]) if (key in shown) shown[key] = mask
  return shown
}
