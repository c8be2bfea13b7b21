import { type Caller, inCallersHubs, may } from "#core/access/caller.ts"
import type { Fragment, Sql, Tx } from "#core/database/database.ts"
import { containing, type Listed, listRows, orderOf } from "#core/list-rows.ts"
import type { Direction, PageOptions } from "#core/paging.ts"
import { deleteFromTrash, type Restorer, type TrashEntry } from "#core/trash.ts"

export interface Sight {
  caller: Caller
  kinds: readonly Restorer[]
}

/**
 * What the caller could read while it existed, once: kinds by their permission, what belonged to a hub in the caller's
 * hubs, and what the kind itself says.
 */
function visibleTrash(sql: Sql, { caller, kinds }: Sight): Fragment {
  const readable = kinds.filter(({ viewPermission }) => may(caller, viewPermission))
  const rules = readable.map(({ type, isVisible }) =>
    isVisible ? sql`when ${type} then ${isVisible(sql, caller)}` : sql`when ${type} then true`,
  )
  if (rules.length === 0) return sql`false`
  return sql`trash.organization_id = ${caller.organizationId} and trash.type = any (${readable.map(({ type }) => type)})
    and (trash.hub_id is null or trash.type = 'Hub' or ${inCallersHubs(sql, caller, sql`trash.hub_id`)})
    and case trash.type ${rules.reduce((all, rule) => sql`${all} ${rule}`)} end`
}

function columns(sql: Sql): Fragment {
  return sql`id, type, name, source_id, hub_id, content, deleted_by, deleted_time, action_id`
}

export interface TrashFilter {
  types?: readonly string[]
  q?: string
  actionId?: string
}

export function listTrash(
  sql: Sql,
  sight: Sight,
  filter: TrashFilter,
  { page, sortBy, direction }: { page: PageOptions; sortBy: string; direction: Direction },
): Promise<Listed<TrashEntry>> {
  const pattern = filter.q === undefined ? undefined : containing(filter.q)
  const condition = sql`${visibleTrash(sql, sight)}
    ${filter.types ? sql`and type = any (${filter.types as string[]})` : sql``}
    ${pattern === undefined ? sql`` : sql`and name ilike ${pattern}`}
    ${filter.actionId === undefined ? sql`` : sql`and action_id = ${filter.actionId.toLowerCase()}`}`
  return listRows<TrashEntry>(sql, page, {
    columns: columns(sql),
    from: sql`from trash where ${condition}`,
    order: orderOf(sql, sortColumns, { sortBy, direction }, "deleted_time"),
  })
}

const sortColumns: Record<string, string> = {
  deletedTime: "deleted_time",
  name: "name",
  type: "type",
  deletedBy: "deleted_by",
}

export async function findTrash(sql: Sql, sight: Sight, id: string): Promise<TrashEntry | undefined> {
  const rows = await sql<TrashEntry[]>`
    select ${columns(sql)} from trash where ${visibleTrash(sql, sight)} and id = ${id.toLowerCase()}`
  return rows[0]
}

/** Takes an entry out of the trash; a second call at the same time finds it gone. */
export async function takeTrash(tx: Tx, sight: Sight, id: string): Promise<TrashEntry | undefined> {
  const entry = await findTrash(tx, sight, id)
  const isTaken = entry && (await deleteFromTrash(tx, sight.caller.organizationId, entry.id))
  return isTaken ? entry : undefined
}

/** The entries of deleted objects of a type, the newest of each object, by the ids of the objects. */
export async function findDeleted(
  sql: Sql,
  sight: Sight,
  type: string,
  sourceIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; sourceId: string }[]>`
    select distinct on (source_id) id, source_id from trash
    where ${visibleTrash(sql, sight)} and type = ${type} and source_id = any (${sourceIds as string[]})
    order by source_id, deleted_time desc`
  return new Map(rows.map(({ id, sourceId }) => [sourceId, id]))
}

/** The types of these entries, by their ids. */
export async function listByIds(
  sql: Sql,
  sight: Sight,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const wanted = ids.map((id) => id.toLowerCase())
  const rows = await sql<{ id: string; type: string }[]>`
    select id, type from trash where ${visibleTrash(sql, sight)} and id = any (${wanted})`
  return new Map(rows.map(({ id, type }) => [id, type]))
}
