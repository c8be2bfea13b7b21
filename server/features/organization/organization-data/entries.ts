import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { databaseErrorOf, inTransaction, json, type Sql, type Tx } from "#core/database/database.ts"
import { defineErrors } from "#core/errors.ts"
import { type Id, isId, newId } from "#core/ids.ts"
import { containing, type Listed, listRows, orderOf } from "#core/list-rows.ts"
import type { Direction, PageOptions } from "#core/paging.ts"

export const organizationDataErrors = defineErrors("orgdt", {
  nameTaken: [409, "009", "Data with this name already exists. Choose another name"],
  badData: [400, "013", "data must be a JSON object or array"],
  notFound: [404, "033", "Data with this id or name does not exist"],
})

export interface EntryRow {
  id: Id<"organization data">
  organizationId: Id<"organization">
  name: string
  data: unknown
  createdBy: string | null
  updatedBy: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

const sortColumns: Record<string, string> = {
  name: "name",
  createdTime: "created_time",
  updatedTime: "updated_time",
  _id: "id",
}

export interface EntryFilter {
  name?: string
  q?: string
  sortBy?: string
  direction: Direction
}

export function listEntries(
  sql: Sql,
  caller: Caller,
  filter: EntryFilter,
  page: PageOptions,
): Promise<Listed<EntryRow>> {
  const condition = sql`organization_id = ${caller.organizationId}
    ${filter.name === undefined ? sql`` : sql`and name = ${filter.name}`}
    ${filter.q === undefined ? sql`` : sql`and name ilike ${containing(filter.q)}`}`
  return listRows<EntryRow>(sql, page, {
    columns: sql`*`,
    from: sql`from organization_data where ${condition}`,
    order: orderOf(sql, sortColumns, filter, "name"),
  })
}

/** By id or by name; what looks like an id is tried as one first. */
export async function findEntry(sql: Sql, caller: Caller, identifier: string): Promise<EntryRow> {
  const id = isId(identifier) ? identifier.toLowerCase() : ""
  const rows = await sql<EntryRow[]>`
    select * from organization_data
    where organization_id = ${caller.organizationId} and (id = ${id} or name = ${identifier})
    order by id = ${id} desc limit 1`
  if (!rows[0]) throw organizationDataErrors.notFound()
  return rows[0]
}

/** An object or a list; scalars are refused. */
export function checkData(data: unknown): void {
  if (typeof data !== "object" || data === null)
    throw organizationDataErrors.badData({ fields: { data: ["must be a JSON object or array"] } })
}

export async function createEntry(
  tx: Tx,
  caller: Caller,
  options: { name: string; data: unknown },
  address: string,
): Promise<EntryRow> {
  checkData(options.data)
  const id = newId<"organization data">()
  await refuseTakenName(
    tx,
    (point) => point`
    insert into organization_data (organization_id, id, name, data, created_by, updated_by)
    values (${caller.organizationId}, ${id}, ${options.name}, ${json(point, options.data)}, ${caller.userId}, ${caller.userId})`,
  )
  await note(tx, caller, "organization-data.create", { id, name: options.name }, address)
  return findEntry(tx, caller, id)
}

export async function updateEntry(
  tx: Tx,
  caller: Caller,
  identifier: string,
  options: { name?: string; data: unknown },
  address: string,
): Promise<EntryRow> {
  checkData(options.data)
  const before = await findEntry(tx, caller, identifier)
  const name = options.name ?? before.name
  await refuseTakenName(
    tx,
    (point) => point`
    update organization_data set name = ${name}, data = ${json(point, options.data)}, updated_by = ${caller.userId}, updated_time = now()
    where organization_id = ${caller.organizationId} and id = ${before.id}`,
  )
  await note(tx, caller, "organization-data.update", { id: before.id, name }, address)
  return findEntry(tx, caller, before.id)
}

export async function deleteEntry(
  tx: Tx,
  caller: Caller,
  identifier: string,
  address: string,
): Promise<EntryRow> {
  const entry = await findEntry(tx, caller, identifier)
  await tx`delete from organization_data where organization_id = ${caller.organizationId} and id = ${entry.id}`
  await note(tx, caller, "organization-data.delete", entry, address)
  return entry
}

async function refuseTakenName(tx: Tx, write: (point: Tx) => Promise<unknown>): Promise<void> {
  try {
    await inTransaction(tx, write)
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "organization_data_name")
      throw organizationDataErrors.nameTaken({ cause: error })
    throw error
  }
}

/** Names only: what programs keep here may be large, or secret. */
function note(
  tx: Tx,
  caller: Caller,
  action: string,
  entry: { id: string; name: string },
  address: string,
): Promise<void> {
  return audit(tx, actorOf(caller, address), {
    action,
    targetType: "organization data",
    targetId: entry.id,
    targetName: entry.name,
  })
}
