import { type Static, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { type Direction, ListQuery, type PageOptions } from "#core/paging.ts"
import { parseTimeBound } from "#shared/wire-time.ts"
import { locationErrors } from "../errors.ts"
import { keptSince } from "../settings.ts"
import { type VisiblePeople, visiblePeople } from "../sharing/visible-people.ts"
import { findPersonNumbers, type Tenant, tenantOf } from "../store/people.ts"
import { defaultSource, type EventName, eventCodes, sourceCodeOf } from "../thinning/point-codes.ts"
import { completeRecords, pointColumns, type RecordRow, sessionColumns } from "./record-rows.ts"

export const RecordsQuery = Type.Object({
  ...ListQuery,
  email: Type.Optional(Type.String({ description: "Exact e-mail; without view/tracking, only your own" })),
  taskId: Type.Optional(Type.String()),
  sortBy: Type.Optional(
    Type.String({ description: "Accepted but ignored; the order is always by createdTime" }),
  ),
  timeBy: Type.Optional(Type.Union([Type.Literal("createdTime"), Type.Literal("startTime")])),
  timeFrom: Type.Optional(Type.String({ format: "wire-time-bound" })),
  timeTo: Type.Optional(Type.String({ format: "wire-time-bound" })),
  startFinish: Type.Optional(Type.Boolean({ description: "true: only sessions; false: only plain points" })),
  isLatest: Type.Optional(Type.Boolean({ description: "true: only the newest record of each person" })),
  eventName: Type.Optional(Type.Union([Type.Literal("otw"), Type.Literal("nearBy"), Type.Literal("done")])),
  createdFrom: Type.Optional(Type.String({ description: "Exact source label" })),
})
export type RecordsQuery = Static<typeof RecordsQuery>

export interface RecordFilter {
  tenant: Tenant
  /** Undefined: everybody of the organization. */
  people: readonly number[] | undefined
  taskId: string | undefined
  timeBy: "createdTime" | "startTime" | undefined
  from: Temporal.Instant | undefined
  to: Temporal.Instant | undefined
  startFinish: boolean | undefined
  isLatest: boolean | undefined
  eventName: EventName | undefined
  createdFrom: string | undefined
  now: Temporal.Instant
}

/** What the query asks for, within what the caller may see. Refuses others' e-mails without the permission. */
export async function readFilter(
  sql: Sql,
  caller: Caller,
  query: RecordsQuery,
  now: Temporal.Instant,
): Promise<RecordFilter> {
  const tenant = tenantOf(caller)
  const visible = await visiblePeople(sql, caller)
  const asked = query.email === undefined ? undefined : await findPersonNumbers(sql, tenant, query.email)
  if (asked && !caller.permissions.has("view/tracking") && !asked.includes(caller.userNumber))
    throw locationErrors.forbidden()
  return {
    tenant,
    people: within(asked, visible),
    taskId: query.taskId,
    timeBy: query.timeBy,
    from: bound(query.timeBy && query.timeFrom, "from"),
    to: bound(query.timeBy && query.timeTo, "to"),
    startFinish: query.startFinish,
    isLatest: query.isLatest,
    eventName: query.eventName,
    createdFrom: query.createdFrom,
    now,
  }
}

function within(asked: readonly number[] | undefined, visible: VisiblePeople): readonly number[] | undefined {
  if (visible === "all") return asked
  return asked ? asked.filter((number) => visible.has(number)) : [...visible]
}

function bound(text: string | undefined, end: "from" | "to"): Temporal.Instant | undefined {
  const at = text === undefined ? undefined : parseTimeBound(text, end)
  return at === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(at)
}

/** One page, newest or oldest device time first. */
export async function listRecords(
  sql: Sql,
  filter: RecordFilter,
  direction: Direction,
  page: PageOptions,
): Promise<RecordRow[]> {
  if (filter.people?.length === 0) return []
  const reach = page.offset + page.limit
  const order = direction === "asc" ? sql`asc` : sql`desc`
  const window = await pointWindow(sql, filter, direction, reach)
  const points = sql`(
    select ${pointColumns(sql)} from location_points p where ${pointConditions(sql, { ...filter, ...window })}
    order by p.recorded_at ${order}, p.received_at ${order} limit ${reach})`
  const sessions = sql`(
    select ${sessionColumns(sql)} from location_sessions s where ${sessionConditions(sql, filter)}
    order by s.recorded_at ${order}, s.received_at ${order} limit ${reach})`
  const records = sql`
    select * from (${joined(sql, filter, points, sessions)}) as records
    order by recorded_at ${order}, received_at ${order}, person_number limit ${page.limit} offset ${page.offset}`
  return sql<RecordRow[]>`
    ${completeRecords(sql, filter.tenant, records)}
    order by record.recorded_at ${order}, record.received_at ${order}, record.person_number`
}

function joined(sql: Sql, filter: RecordFilter, points: Fragment, sessions: Fragment): Fragment {
  const onlySessions = filter.startFinish === true || filter.timeBy === "startTime"
  if (onlySessions && filter.startFinish === false) return sql`${sessions} limit 0`
  if (onlySessions) return sessions
  return filter.startFinish === false ? points : sql`${points} union all ${sessions}`
}

function peopleCondition(sql: Sql, filter: RecordFilter, column: Fragment): Fragment {
  if (filter.people === undefined) return sql``
  // A single number lets the index deliver the order; a list would need a sort.
  return filter.people.length === 1
    ? sql`and ${column} = ${filter.people[0] ?? 0}`
    : sql`and ${column} = any (${filter.people as number[]})`
}

function pointConditions(sql: Sql, filter: RecordFilter): Fragment {
  const source = filter.createdFrom === undefined ? undefined : sourceCodeOf(filter.createdFrom)
  const createdFrom =
    filter.createdFrom === undefined
      ? sql``
      : source !== undefined
        ? sql`and p.source = ${source}`
        : filter.createdFrom === defaultSource
          ? sql`and p.source is null and p.extra -> 'createdFrom' is null`
          : sql`and p.source is null and p.extra ->> 'createdFrom' = ${filter.createdFrom}`
  return sql`p.organization_number = ${filter.tenant.organizationNumber}
    and p.recorded_at >= ${keptSince(sql, filter.tenant, filter.now)}
    ${peopleCondition(sql, filter, sql`p.person_number`)}
    ${filter.from ? sql`and p.recorded_at >= ${filter.from}` : sql``}
    ${filter.to ? sql`and p.recorded_at <= ${filter.to}` : sql``}
    ${filter.taskId === undefined ? sql`` : sql`and p.task_id = ${filter.taskId}`}
    ${filter.eventName ? sql`and p.event = ${eventCodes[filter.eventName]}` : sql``}
    ${createdFrom}
    ${filter.isLatest === undefined ? sql`` : newestCondition(sql, filter, filter.isLatest)}`
}

/** The newest points by their keys: from the small table to the large one, never the other way, and never row by row. */
function newestCondition(sql: Sql, filter: RecordFilter, isLatest: boolean): Fragment {
  return sql`and (p.person_number, p.recorded_at, p.fingerprint) ${isLatest ? sql`in` : sql`not in`} (
    select person_number, recorded_at, fingerprint from person_positions
    where organization_number = ${filter.tenant.organizationNumber} and fingerprint is not null)`
}

function sessionConditions(sql: Sql, filter: RecordFilter): Fragment {
  const column = filter.timeBy === "startTime" ? sql`s.started_at` : sql`s.recorded_at`
  const latest = sql`(s.finished_at is null and exists (
    select from person_positions n where n.organization_number = s.organization_number and n.person_number = s.person_number
      and n.session_id = s.id))`
  return sql`s.organization_number = ${filter.tenant.organizationNumber}
    and s.recorded_at >= ${keptSince(sql, filter.tenant, filter.now)}
    ${peopleCondition(sql, filter, sql`s.person_number`)}
    ${filter.from ? sql`and ${column} >= ${filter.from}` : sql``}
    ${filter.to ? sql`and ${column} <= ${filter.to}` : sql``}
    ${filter.taskId === undefined ? sql`` : sql`and s.task_id = ${filter.taskId}`}
    ${filter.eventName ? sql`and s.event = ${eventCodes[filter.eventName]}` : sql``}
    ${filter.createdFrom === undefined ? sql`` : sql`and coalesce(s.created_from, ${defaultSource}) = ${filter.createdFrom}`}
    ${filter.isLatest === undefined ? sql`` : filter.isLatest ? sql`and ${latest}` : sql`and not ${latest}`}`
}

/**
 * Points of many people have no index in order of time: it would cost a third of the space of all points. The
 * page is found in a window of time instead, from the end where the list begins, and the window grows until
 * it holds the page. One person's points come in order from their key.
 */
async function pointWindow(
  sql: Sql,
  filter: RecordFilter,
  direction: Direction,
  reach: number,
): Promise<Pick<RecordFilter, "from" | "to">> {
  const { from, to } = filter
  if (filter.people?.length === 1 || filter.isLatest || filter.startFinish || filter.timeBy === "startTime")
    return { from, to }
  const start = from ?? filter.now.subtract({ hours: 24 * 366 })
  const end = to ?? filter.now.add({ hours: 24 })
  const all = end.epochMilliseconds - start.epochMilliseconds
  for (let span = 25 * 3_600_000; span < all; span *= 4) {
    const window =
      direction === "asc"
        ? { from, to: start.add({ milliseconds: span }) }
        : { from: end.subtract({ milliseconds: span }), to }
    const rows = await sql<{ count: number }[]>`
      select count(*) from (
        select 1 from location_points p where ${pointConditions(sql, { ...filter, ...window })} limit ${reach}) as found`
    if ((rows[0]?.count ?? 0) >= reach) return window
  }
  return { from, to }
}

/** How many records match. Without a filter the stored count is used. */
export async function countRecords(sql: Sql, filter: RecordFilter): Promise<number> {
  if (filter.people?.length === 0) return 0
  const onlySessions = filter.startFinish === true || filter.timeBy === "startTime"
  const none = sql`select 0::bigint`
  const points = onlySessions
    ? none
    : isWholeOrganization(filter)
      ? storedCount(sql, filter)
      : sql`select count(*) from location_points p where ${pointConditions(sql, filter)}`
  const sessions =
    filter.startFinish === false
      ? none
      : sql`select count(*) from location_sessions s where ${sessionConditions(sql, filter)}`
  const rows = await sql<{ count: number }[]>`select (${points}) + (${sessions}) as count`
  return rows[0]?.count ?? 0
}

function isWholeOrganization(filter: RecordFilter): boolean {
  return [
    filter.people,
    filter.taskId,
    filter.from,
    filter.to,
    filter.eventName,
    filter.createdFrom,
    filter.isLatest,
  ].every((options) => options === undefined)
}

function storedCount(sql: Sql, { tenant }: RecordFilter): Fragment {
  return sql`select greatest(0,
    coalesce((select sum(count) from location_counts where organization_number = ${tenant.organizationNumber}), 0)
    + coalesce((select sum(change) from location_count_changes where organization_number = ${tenant.organizationNumber}), 0))::bigint`
}
