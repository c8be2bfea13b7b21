import type { Caller } from "#core/access/caller.ts"
import { databaseErrorOf, type Fragment, json, type Sql, type Tx } from "#core/database/database.ts"
import type { DomainEventName } from "#core/domain-events.ts"
import { type Id, newId } from "#core/ids.ts"
import { containing, type Listed, listRows, orderOf } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import type { Sealing } from "#core/security/sealing.ts"
import { type Signing, sealDetails } from "./automation-secrets.ts"
import { automationErrors } from "./errors.ts"
import { checkScopes } from "./needed-permissions.ts"
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
  /** Sealed; `openAutomation` puts them into the details, where masks stand. */
  secrets: Buffer | null
  /** Who saved it last: it acts with this person's rights. */
  ownerId: Id<"user"> | null
  /** Since when it waits to be saved by somebody with the rights for it, and what its owner lacks. */
  pausedTime: Temporal.Instant | null
  pauseReason: "membership" | "permission" | null
  createdBy: string | null
  updatedBy: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

export type AutomationWrite = Pick<
  AutomationRow,
  "name" | "event" | "dataType" | "automationType" | "details" | "rules" | "isActive"
> &
  Signing

export function automationColumns(sql: Sql): Fragment {
  return sql`automations.id, automations.organization_id, automations.name, automations.event, automations.data_type,
    automations.automation_type, automations.details, automations.rules, automations.is_active,
    automations.secrets, automations.owner_id, automations.paused_time, automations.pause_reason, automations.created_by, automations.updated_by, automations.created_time,
    automations.updated_time`
}

export async function findAutomation(
  sql: Sql,
  tenant: { organizationId: string },
  automationId: string,
): Promise<AutomationRow | undefined> {
  const rows = await sql<AutomationRow[]>`
    select ${automationColumns(sql)} from automations
    where organization_id = ${tenant.organizationId} and id = ${automationId.toLowerCase()}`
  return rows[0]
}

export async function lockAutomation(
  tx: Tx,
  tenant: Pick<Caller, "organizationId">,
  automationId: string,
): Promise<AutomationRow | undefined> {
  const rows = await tx<AutomationRow[]>`
    select ${automationColumns(tx)} from automations
    where organization_id = ${tenant.organizationId} and id = ${automationId.toLowerCase()} for update`
  return rows[0]
}

/** Automations of any organizations. */
export function findAutomations(
  sql: Sql,
  keys: readonly { organizationId: string; automationId: string }[],
): Promise<AutomationRow[]> {
  return sql<AutomationRow[]>`
    select ${automationColumns(sql)} from automations
    join unnest(${keys.map((key) => key.organizationId)}::text[], ${keys.map((key) => key.automationId)}::text[])
      as wanted (organization, automation)
      on automations.organization_id = wanted.organization and automations.id = wanted.automation`
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

export function listAutomations(
  sql: Sql,
  caller: Caller,
  filter: AutomationFilter,
  page: PageOptions,
): Promise<Listed<AutomationRow>> {
  const part = filter.q === undefined ? undefined : containing(filter.q)
  const where = sql`organization_id = ${caller.organizationId}
    ${part === undefined ? sql`` : sql`and (name ilike ${part} or automation_type ilike ${part} or rules ->> 'flow' ilike ${part})`}
    ${filter.event === undefined ? sql`` : sql`and event = ${filter.event}`}
    ${filter.automationType === undefined ? sql`` : sql`and automation_type = ${filter.automationType}`}
    ${filter.dataType === undefined ? sql`` : sql`and data_type = ${filter.dataType}`}
    ${filter.flow === undefined ? sql`` : sql`and rules ->> 'flow' = ${filter.flow}`}`
  return listRows<AutomationRow>(sql, page, {
    columns: automationColumns(sql),
    from: sql`from automations where ${where}`,
    order: orderOf(sql, sortColumns, filter, "created_time"),
  })
}

/** The caller becomes the owner, as of one that is updated. */
export async function insertAutomation(
  sealing: Sealing,
  caller: Caller,
  write: AutomationWrite,
): Promise<AutomationRow> {
  checkScopes(caller, write)
  const { sql } = sealing
  const id = newId<"automation">()
  const { details, secrets } = await sealDetails(sealing, id, write.details, write)
  return refuseTakenName(
    () => sql<AutomationRow[]>`
      insert into automations (organization_id, id, name, event, data_type, automation_type, details, rules, is_active,
        secrets, owner_id, created_by, updated_by)
      values (${caller.organizationId}, ${id}, ${write.name}, ${write.event}, ${write.dataType}, ${write.automationType},
        ${json(sql, details)}, ${json(sql, write.rules)}, ${write.isActive}, ${secrets}, ${caller.userId}, ${caller.email}, ${caller.email})
      returning ${automationColumns(sql)}`,
  )
}

export async function updateAutomation(
  sealing: Sealing,
  caller: Caller,
  automationId: string,
  write: AutomationWrite,
): Promise<AutomationRow> {
  checkScopes(caller, write)
  const { sql } = sealing
  const { details, secrets } = await sealDetails(sealing, automationId, write.details, write)
  return refuseTakenName(
    () => sql<AutomationRow[]>`
      update automations set name = ${write.name}, event = ${write.event}, data_type = ${write.dataType},
        details = ${json(sql, details)}, rules = ${json(sql, write.rules)}, is_active = ${write.isActive},
        secrets = ${secrets}, signing_secret = null, owner_id = ${caller.userId}, paused_time = null, pause_reason = null,
        updated_by = ${caller.email}, updated_time = now()
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
