import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Fragment, Sql, Tx } from "#core/database.ts"
import { type Direction, ownEntry, type PageWish } from "#core/paging.ts"
import type { TrashEntry } from "#core/trash.ts"

/** Tenant and hubs, once: what belonged to a hub is shown to those who have the hub, a deleted hub itself to all. */
function visibleTrash(sql: Sql, caller: Caller): Fragment {
  return sql`trash.organization_id = ${caller.organizationId}
    and (trash.hub_id is null or trash.type = 'Hub' or ${inCallersHubs(sql, caller, sql`trash.hub_id`)})`
}

function columns(sql: Sql): Fragment {
  return sql`id, type, name, source_id, hub_id, content, deleted_by, deleted_time`
}

export interface TrashFilter {
  types?: readonly string[]
  q?: string
}

export async function listTrash(
  sql: Sql,
  caller: Caller,
  filter: TrashFilter,
  { page, sortBy, direction }: { page: PageWish; sortBy: string; direction: Direction },
): Promise<{ rows: TrashEntry[]; total: number }> {
  const pattern = filter.q === undefined ? undefined : `%${filter.q.replace(/[\\%_]/g, "\\$&")}%`
  const condition = sql`${visibleTrash(sql, caller)}
    ${filter.types ? sql`and type = any (${filter.types as string[]})` : sql``}
    ${pattern === undefined ? sql`` : sql`and name ilike ${pattern}`}`
  const way = direction === "asc" ? sql`asc` : sql`desc`
  const column = ownEntry(sortColumns, sortBy) ?? "deleted_time"
  const [rows, counted] = await Promise.all([
    sql<TrashEntry[]>`
      select ${columns(sql)} from trash where ${condition}
      order by ${sql(column)} ${way}, id ${way} limit ${page.limit} offset ${page.offset}`,
    sql<{ total: number }[]>`select count(*) as total from trash where ${condition}`,
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

const sortColumns: Record<string, string> = {
  deletedTime: "deleted_time",
  name: "name",
  type: "type",
  deletedBy: "deleted_by",
}

export async function findTrash(sql: Sql, caller: Caller, id: string): Promise<TrashEntry | undefined> {
  const rows = await sql<TrashEntry[]>`
    select ${columns(sql)} from trash where ${visibleTrash(sql, caller)} and id = ${id.toLowerCase()}`
  return rows[0]
}

/** Takes an entry out of the trash; a second call at the same time finds it gone. */
export async function takeTrash(tx: Tx, caller: Caller, id: string): Promise<TrashEntry | undefined> {
  const rows = await tx<TrashEntry[]>`
    delete from trash where ${visibleTrash(tx, caller)} and id = ${id.toLowerCase()} returning ${columns(tx)}`
  return rows[0]
}
