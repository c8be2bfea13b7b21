import type { Caller } from "../access/caller.ts"
import {
  afterPlace,
  type CursorOrder,
  findPlace,
  type Place,
  pageAfter,
  placeColumns,
  readPlace,
} from "../cursor-paging.ts"
import type { Fragment, Sql } from "../database/database.ts"
import { containing, type Listed } from "../list-rows.ts"
import type { Direction, PageOptions } from "../paging.ts"
import { type Sight, visibleEntries, visibleParts } from "./visible-parts.ts"

export interface EntryRow {
  id: string
  time: Temporal.Instant
  actorEmail: string | null
  actorId: string | null
  actorName: string | null
  actorKind: string | null
  via: string | null
  operation: string | null
  requestId: string | null
  details: Record<string, string> | null
  address: string | null
  action: string
  targetType: string
  targetId: string | null
  targetName: string | null
  before: unknown
  after: unknown
  partCount: number
}

export interface PartRow {
  number: number
  change: "create" | "update" | "delete"
  objectType: string
  objectId: string
  objectName: string | null
  hubId: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** Counting stops here. */
export const maxCountedParts = 1000

export interface AuditFilter {
  actorId?: string
  /** Only what changed objects; not sign-ins, for example. */
  hasParts?: boolean
  actor?: string
  /** One action, or all of a kind with a trailing dot. */
  action?: string
  targetType?: string
  targetId?: string
  via?: string
  operation?: string
  q?: string
  from: Temporal.Instant | undefined
  to: Temporal.Instant | undefined
}

function conditions(sql: Sql, sight: Sight, filter: AuditFilter): Fragment {
  const { caller } = sight
  const { actor, actorId, hasParts, action, targetType, targetId, via, operation, q, from, to } = filter
  const like = (text: string) => text.replace(/[\\%_]/g, "\\$&")
  const pattern = q === undefined ? "" : containing(q)
  return sql`entry.organization_id = ${caller.organizationId} and ${visibleEntries(sql, sight)}
    ${actor === undefined ? sql`` : sql`and entry.actor_email = ${actor.toLowerCase()}`}
    ${actorId === undefined ? sql`` : sql`and entry.actor_id = ${actorId}`}
    ${hasParts ? sql`and exists (select from audit_parts part where part.organization_id = entry.organization_id and part.entry_id = entry.id)` : sql``}
    ${action === undefined ? sql`` : action.endsWith(".") ? sql`and entry.action like ${`${like(action)}%`}` : sql`and entry.action = ${action}`}
    ${via === undefined ? sql`` : sql`and entry.via = ${via}`}
    ${operation === undefined ? sql`` : sql`and entry.operation = ${operation}`}
    ${
      targetType === undefined || targetId !== undefined
        ? sql``
        : sql`and (entry.target_type = ${targetType} or exists (
      select from audit_parts part where part.organization_id = entry.organization_id and part.entry_id = entry.id
        and part.object_type = ${targetType}))`
    }
    ${targetId === undefined ? sql`` : aboutObject(sql, caller, targetType, targetId.toLowerCase())}
    ${
      q === undefined
        ? sql``
        : sql`and (entry.target_name ilike ${pattern} or entry.actor_name ilike ${pattern}
      or entry.actor_email ilike ${pattern} or entry.action ilike ${pattern})`
    }
    ${from === undefined ? sql`` : sql`and entry.time >= ${from}`}
    ${to === undefined ? sql`` : sql`and entry.time <= ${to}`}`
}

function aboutObject(sql: Sql, caller: Caller, type: string | undefined, id: string): Fragment {
  return sql`and (entry.target_id = ${id} ${type === undefined ? sql`` : sql`and entry.target_type = ${type}`}
    or entry.id in (
      select part.entry_id from audit_parts part where part.organization_id = ${caller.organizationId}
        and part.object_id = ${id} ${type === undefined ? sql`` : sql`and part.object_type = ${type}`}))`
}

const columns = (sql: Sql) => sql`entry.id, entry.time, entry.actor_email, entry.actor_id, entry.actor_name,
  entry.actor_kind, entry.via, entry.operation, entry.request_id, entry.details, entry.address, entry.action,
  entry.target_type, entry.target_id, entry.target_name, coalesce(entry.before, alone.before) as before,
  coalesce(entry.after, alone.after) as after, counted.amount as part_count`

/** How many parts an entry has, and what changed where there is but one. */
const withParts = (sql: Sql) => sql`
  cross join lateral (
    select count(*)::int as amount from (
      select from audit_parts part where part.organization_id = entry.organization_id and part.entry_id = entry.id
      limit ${maxCountedParts + 1}) as counting) as counted
  left join lateral (
    select part.before, part.after from audit_parts part
    where counted.amount = 1 and part.organization_id = entry.organization_id and part.entry_id = entry.id limit 1
  ) as alone on true`

export async function listAuditLog(
  sql: Sql,
  sight: Sight,
  filter: AuditFilter,
  page: PageOptions & { direction: Direction },
): Promise<Listed<EntryRow>> {
  const direction = page.direction === "asc" ? sql`asc` : sql`desc`
  const condition = conditions(sql, sight, filter)
  const [rows, [counted]] = await Promise.all([
    sql<EntryRow[]>`
      select ${columns(sql)} from (
        select * from audit_log entry where ${condition}
        order by time ${direction}, id ${direction} limit ${page.limit} offset ${page.offset}) as entry
      ${withParts(sql)} order by entry.time ${direction}, entry.id ${direction}`,
    sql<{ total: number }[]>`select count(*) as total from audit_log entry where ${condition}`,
  ])
  return { rows, total: counted?.total ?? 0 }
}

export const entryOrder = (sql: Sql, direction: Direction): CursorOrder => ({
  sortBy: "time",
  direction,
  value: sql`entry.time`,
  id: sql`entry.id`,
  isNullable: false,
})

/** A page behind a place in the order of time, and one row more. */
export function listAuditLogAfter(
  sql: Sql,
  sight: Sight,
  filter: AuditFilter,
  { place, direction, limit }: { place: Place | undefined; direction: Direction; limit: number },
): Promise<(EntryRow & Place)[]> {
  const order = entryOrder(sql, direction)
  const way = direction === "asc" ? sql`asc` : sql`desc`
  return sql<(EntryRow & Place)[]>`
    select ${columns(sql)}, ${placeColumns(sql, order)} from (
      select * from audit_log entry
      where ${conditions(sql, sight, filter)} ${place ? sql`and ${afterPlace(sql, order, place)}` : sql``}
      ${pageAfter(sql, order, limit)}) as entry
    ${withParts(sql)} order by entry.time ${way}, entry.id ${way}`
}

/** The place of a cursor; undefined for one of another list. */
export function readEntryPlace(
  sql: Sql,
  caller: Caller,
  direction: Direction,
  cursor: string,
): Promise<Place | undefined> {
  const order = entryOrder(sql, direction)
  return readPlace(sql, order, cursor, {
    table: sql`(values (now(), '')) as entry (time, id)`,
    placeOf: (id) =>
      findPlace(
        sql,
        order,
        sql`audit_log entry where entry.organization_id = ${caller.organizationId} and entry.id = ${id}`,
      ),
  })
}

/** One entry of those that the caller may read. */
export async function findEntry(sql: Sql, sight: Sight, id: string): Promise<EntryRow | undefined> {
  const rows = await sql<EntryRow[]>`
    select ${columns(sql)} from audit_log entry ${withParts(sql)}
    where entry.organization_id = ${sight.caller.organizationId} and entry.id = ${id.toLowerCase()}
      and ${visibleEntries(sql, sight)}`
  return rows[0]
}

/** The parts of an entry in the order of the changes, from a number on. */
export function listParts(
  sql: Sql,
  sight: Sight,
  entryId: string,
  { after, limit }: { after: number; limit: number },
): Promise<PartRow[]> {
  return sql<PartRow[]>`
    select part.number, part.change, part.object_type, part.object_id, part.object_name, part.hub_id, part.before, part.after
    from audit_parts part
    where ${visibleParts(sql, sight, true)} and part.entry_id = ${entryId} and part.number > ${after}
    order by part.number limit ${limit}`
}

export interface HistoryRow extends PartRow {
  entryId: string
  time: Temporal.Instant
  actorEmail: string | null
  actorName: string | null
  actorKind: string | null
  via: string | null
  operation: string | null
  action: string
  details: Record<string, string> | null
}

/** What happened to an object, newest first, before a number. */
export function listHistory(
  sql: Sql,
  sight: Sight,
  object: { type: string; id: string },
  { before, limit }: { before: number | undefined; limit: number },
): Promise<HistoryRow[]> {
  return sql<HistoryRow[]>`
    select part.number, part.change, part.object_type, part.object_id, part.object_name, part.hub_id, part.before, part.after,
      part.time, part.entry_id, entry.actor_email, entry.actor_name, entry.actor_kind, entry.via, entry.operation,
      coalesce(entry.action, part.object_type || '.' || part.change) as action, entry.details
    from audit_parts part
    left join audit_log entry on entry.organization_id = part.organization_id and entry.id = part.entry_id
    where ${visibleParts(sql, sight, false)} and part.object_type = ${object.type} and part.object_id = ${object.id.toLowerCase()}
      ${before === undefined ? sql`` : sql`and part.number < ${before}`}
    order by part.number desc limit ${limit}`
}
