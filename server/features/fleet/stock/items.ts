import type { Caller } from "#core/access/caller.ts"
import { databaseErrorOf, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { containing, type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { readLine } from "#core/plain-text.ts"
import { stockErrors } from "./errors.ts"
import type { ItemInput } from "./schemas.ts"

export interface ItemRow {
  id: Id<"stock-item">
  code: string
  name: string
  unit: string | null
  /** In all vehicles and hubs. */
  total: number
}

const maxItems = 50_000
const columns = (sql: Sql) => sql`
  items.id, items.code, items.name, items.unit, coalesce((
    select sum(quantity) from stock_levels levels
    where levels.organization_id = items.organization_id and levels.item_id = items.id), 0)::float8 as total`

export function listItems(
  sql: Sql,
  { organizationId }: Caller,
  q: string | undefined,
  page: PageOptions,
): Promise<Listed<ItemRow>> {
  return listRows<ItemRow>(sql, page, {
    columns: columns(sql),
    from: sql`from stock_items items where organization_id = ${organizationId}
      ${q === undefined ? sql`` : sql`and (name ilike ${containing(q)} or code ilike ${containing(q)})`}`,
    order: sql`lower(name), id`,
  })
}

export async function findItem(sql: Sql, { organizationId }: Caller, id: string): Promise<ItemRow> {
  const [row] = await sql<ItemRow[]>`
    select ${columns(sql)} from stock_items items where organization_id = ${organizationId} and id = ${id.toLowerCase()}`
  if (!row) throw stockErrors.noItem()
  return row
}

export async function createItem(
  tx: Tx,
  caller: Caller,
  body: ItemInput,
  now: Temporal.Instant,
): Promise<ItemRow> {
  const { organizationId, email } = caller
  const [count] = await tx<{ count: number }[]>`
    select count(*)::int as count from stock_items where organization_id = ${organizationId}`
  if ((count?.count ?? 0) >= maxItems) throw stockErrors.tooMany()
  const { code, name, unit } = readItem(body)
  const id = newId<"stock-item">()
  await onceByCode(
    () => tx`
      insert into stock_items (organization_id, id, code, name, unit, created_time, updated_time, updated_by)
      values (${organizationId}, ${id}, ${code}, ${name}, ${unit}, ${now}, ${now}, ${email})`,
  )
  return findItem(tx, caller, id)
}

export async function changeItem(
  tx: Tx,
  caller: Caller,
  id: string,
  body: ItemInput,
  now: Temporal.Instant,
): Promise<ItemRow> {
  const { code, name, unit } = readItem(body)
  const before = await findItem(tx, caller, id)
  await onceByCode(
    () => tx`
      update stock_items set code = ${code}, name = ${name}, unit = ${unit}, updated_time = ${now}, updated_by = ${caller.email}
      where organization_id = ${caller.organizationId} and id = ${before.id}`,
  )
  return findItem(tx, caller, before.id)
}

/** Deletes an item of which nothing is left, with its movements. */
export async function deleteItem(tx: Tx, caller: Caller, id: string): Promise<void> {
  const item = await findItem(tx, caller, id)
  await tx`
    select from stock_items where organization_id = ${caller.organizationId} and id = ${item.id} for update`
  if ((await findItem(tx, caller, item.id)).total > 0) throw stockErrors.inUse()
  await tx`delete from stock_items where organization_id = ${caller.organizationId} and id = ${item.id}`
}

function readItem({ code, name, unit }: ItemInput) {
  return {
    code: readLine(code, "stock", "code"),
    name: readLine(name, "stock", "name"),
    unit: unit?.trim() ? readLine(unit, "stock", "unit") : null,
  }
}

async function onceByCode(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== "stock_items_code") throw error
    throw stockErrors.codeTaken()
  }
}
