import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import { json, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { alertErrors } from "./errors.ts"
import type { AlertKind, RuleSettings } from "./schemas.ts"

const maxRules = 500

export interface RuleRow {
  id: Id<"alert-rule">
  organizationId: string
  hubId: string | null
  name: string
  kind: AlertKind
  settings: RuleSettings
  isActive: boolean
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
  updatedBy: string | null
}
export type RuleValues = Pick<RuleRow, "hubId" | "name" | "kind" | "settings" | "isActive">

const columns = (sql: Sql) => sql`
  id, organization_id, hub_id, name, kind, settings, is_active, created_time, updated_time, updated_by`

/** Rules of the whole organization, and of the caller's hubs. */
const visibleRules = (sql: Sql, caller: Caller) => sql`
  organization_id = ${caller.organizationId} and (hub_id is null or ${inCallersHubs(sql, caller, sql`hub_id`)})`

export function listRules(sql: Sql, caller: Caller): Promise<RuleRow[]> {
  return sql<RuleRow[]>`
    select ${columns(sql)} from alert_rules where ${visibleRules(sql, caller)} order by lower(name), id limit ${maxRules}`
}

export async function findRule(sql: Sql, caller: Caller, id: string): Promise<RuleRow> {
  const [row] = await sql<RuleRow[]>`
    select ${columns(sql)} from alert_rules where ${visibleRules(sql, caller)} and id = ${id.toLowerCase()}`
  if (!row) throw alertErrors.noRule()
  return row
}

/** Organizations that have rules, after an id. */
export async function organizationsWithRules(sql: Sql, last: string, limit: number): Promise<string[]> {
  const rows = await sql<{ organizationId: string }[]>`
    select distinct organization_id from alert_rules where is_active and organization_id > ${last}
    order by organization_id limit ${limit}`
  return rows.map(({ organizationId }) => organizationId)
}

export function activeRules(sql: Sql, organizationId: string): Promise<RuleRow[]> {
  return sql<RuleRow[]>`
    select ${columns(sql)} from alert_rules where organization_id = ${organizationId} and is_active limit ${maxRules}`
}

export async function insertRule(
  tx: Tx,
  { organizationId, email }: Caller,
  values: RuleValues,
  now: Temporal.Instant,
): Promise<RuleRow> {
  const [count] = await tx<{ count: number }[]>`
    select count(*)::int as count from alert_rules where organization_id = ${organizationId}`
  if ((count?.count ?? 0) >= maxRules)
    throw alertErrors.invalid({ message: `An organization has at most ${maxRules} alert rules` })
  const [row] = await tx<RuleRow[]>`
    insert into alert_rules (organization_id, id, hub_id, name, kind, settings, is_active, created_time, updated_time,
      updated_by)
    values (${organizationId}, ${newId()}, ${values.hubId}, ${values.name}, ${values.kind}, ${json(tx, values.settings)},
      ${values.isActive}, ${now}, ${now}, ${email}) returning ${columns(tx)}`
  if (!row) throw new Error("a rule was not written")
  return row
}

/** Changes a rule. Its open alerts end where the rule no longer says what they are about. */
export async function updateRule(
  tx: Tx,
  { organizationId, email }: Caller,
  id: string,
  values: RuleValues,
  now: Temporal.Instant,
): Promise<RuleRow> {
  const [row] = await tx<RuleRow[]>`
    update alert_rules set hub_id = ${values.hubId}, name = ${values.name}, kind = ${values.kind},
      settings = ${json(tx, values.settings)}, is_active = ${values.isActive}, updated_time = ${now}, updated_by = ${email}
    where organization_id = ${organizationId} and id = ${id} returning ${columns(tx)}`
  if (!row) throw alertErrors.noRule()
  await tx`
    update alerts set ended_at = greatest(started_at, ${now}), notify_at = null
    where organization_id = ${organizationId} and rule_id = ${id} and ended_at is null
      and (${!values.isActive} or kind <> ${values.kind})`
  return row
}

export async function deleteRule(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx`delete from alert_rules where organization_id = ${organizationId} and id = ${id}`
}
