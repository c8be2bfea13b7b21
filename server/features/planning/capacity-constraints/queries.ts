import type { Caller } from "#core/access/caller.ts"
import { json, type Sql } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"

interface CapacityConstraint {
  name: string
  denominator: string
}

export interface ConstraintsRow {
  id: Id<"capacity-constraints">
  organizationId: Id<"organization">
  name: string | null
  capacityConstraint: CapacityConstraint[]
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

/** Names and units of what the organization's vehicles carry. */
export async function findCapacityConstraints(
  sql: Sql,
  caller: Caller,
): Promise<readonly { name: string; denominator: string }[]> {
  return (await findConstraints(sql, caller))?.capacityConstraint ?? []
}

export async function findConstraints(
  sql: Sql,
  caller: Caller,
  id?: string,
): Promise<ConstraintsRow | undefined> {
  const rows = await sql<ConstraintsRow[]>`
    select * from capacity_constraints
    where organization_id = ${caller.organizationId} ${id === undefined ? sql`` : sql`and id = ${id.toLowerCase()}`}`
  return rows[0]
}

/** Undefined when the organization has its document already. */
export async function insertConstraints(
  sql: Sql,
  caller: Caller,
  constraints: readonly CapacityConstraint[],
  name?: string | null,
): Promise<ConstraintsRow | undefined> {
  const rows = await sql<ConstraintsRow[]>`
    insert into capacity_constraints (organization_id, id, name, capacity_constraint)
    values (${caller.organizationId}, ${newId()}, ${name ?? null}, ${json(sql, constraints)})
    on conflict (organization_id) do nothing returning *`
  return rows[0]
}

export async function updateConstraints(
  sql: Sql,
  { organizationId, id }: Pick<ConstraintsRow, "organizationId" | "id">,
  constraints: readonly CapacityConstraint[],
  name: string | null,
): Promise<ConstraintsRow | undefined> {
  const [row] = await sql<ConstraintsRow[]>`
    update capacity_constraints set capacity_constraint = ${json(sql, constraints)}, name = ${name}, updated_time = now()
    where organization_id = ${organizationId} and id = ${id} returning *`
  return row
}

export async function removeConstraints(
  sql: Sql,
  caller: Caller,
  id: string,
): Promise<ConstraintsRow | undefined> {
  const [row] = await sql<ConstraintsRow[]>`
    delete from capacity_constraints
    where organization_id = ${caller.organizationId} and id = ${id.toLowerCase()} returning *`
  return row
}
