import { type Static, Type } from "typebox"
import type { Fragment, Pool, Sql } from "#core/database/database.ts"
import { horizonOf, type LiveEvent, type LiveSource } from "#core/events/live-events.ts"
import { mapInSlices } from "#core/http/limits/large-lists.ts"
import { readInSlices } from "#core/read-in-slices.ts"
import type { BoundingBox } from "#packages/geodesy/geodesy.ts"
import { toT1 } from "#shared/wire-time.ts"
import { hubsOfEverybody, teamsOfEverybody } from "../../people/users/index.ts"
import { isInSight, type Sight } from "./sharing/visible-people.ts"
import { DeviceAttributesSchema, deviceAttributes } from "./store/device-attributes.ts"
import { defaultSource, sourceOf } from "./thinning/point-codes.ts"
import { idleMetersPerSecond, movementState, type SeenPoint, silentAfterSeconds } from "./track/movement.ts"

const NullableNumber = Type.Union([Type.Number(), Type.Null()])
const NullableText = Type.Union([Type.String(), Type.Null()])

/** A person's last known position. Nulls: never seen, or not sent by the device. */
export const PositionSchema = Type.Object(
  {
    userId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    hubIds: Type.Array(Type.String()),
    teamIds: Type.Array(Type.String()),
    lat: NullableNumber,
    lon: NullableNumber,
    speed: Type.Union([Type.Number(), Type.Null()], { description: "km/h" }),
    accuracy: Type.Union([Type.Number(), Type.Null()], { description: "Metres" }),
    bearing: Type.Union([Type.Number(), Type.Null()], { description: "Degrees, clockwise from north" }),
    altitude: NullableNumber,
    battery: Type.Union([Type.Number(), Type.Null()], { description: "Percent" }),
    charging: Type.Union([Type.Boolean(), Type.Null()]),
    taskId: NullableText,
    attributes: Type.Union([DeviceAttributesSchema, Type.Null()], { description: "Of GPS trackers" }),
    createdFrom: NullableText,
    createdTime: Type.Union([Type.String(), Type.Null()], { description: "Device time" }),
    time: Type.Union([Type.Integer(), Type.Null()], { description: "Device time, epoch milliseconds" }),
    ageSeconds: NullableNumber,
    movement: Type.Union([
      Type.Literal("moving"),
      Type.Literal("still"),
      Type.Literal("silent"),
      Type.Literal("never-seen"),
    ]),
    silentAfterSeconds: Type.Integer({ description: "Positions older than this are considered stale" }),
    hasOpenSession: Type.Boolean(),
  },
  { title: "Position" },
)
export type WirePosition = Static<typeof PositionSchema>

interface PositionRow {
  userId: string
  email: string
  name: string
  hubIds: string[]
  teamIds: string[]
  interval: number | null
  recordedAt: Temporal.Instant | null
  lat: number | null
  lng: number | null
  speed: number | null
  accuracy: number | null
  bearing: number | null
  altitude: number | null
  battery: number | null
  charging: boolean | null
  source: number | null
  taskId: string | null
  attributes: Record<string, unknown> | null
  previousRecordedAt: Temporal.Instant | null
  previousLat: number | null
  previousLng: number | null
  previousAccuracy: number | null
  hasOpenSession: boolean
}

/** Columns of a person and their newest position. `ids` is how hubs and teams are read. */
function positionColumns(sql: Sql, ids: Fragment = idsOfPerson(sql)): Fragment {
  return sql`
    users.id as user_id, users.email, users.name, ${ids},
    (select (detail ->> 'interval')::float8 from jsonb_array_elements(roles.permission_details) as detail
      where detail ->> 'permissionName' = 'view/checkincheckout' and jsonb_typeof(detail -> 'interval') = 'number' limit 1) as interval,
    newest.recorded_at, newest.lat, newest.lng, newest.speed, newest.accuracy, newest.bearing, newest.altitude,
    newest.battery, newest.charging, newest.source, newest.task_id, newest.attributes,
    newest.previous_recorded_at, newest.previous_lat, newest.previous_lng, newest.previous_accuracy`
}

/** By index for each person: for few of many. */
function idsOfPerson(sql: Sql): Fragment {
  return sql`
    array(select hub_id from user_hubs h where h.organization_id = users.organization_id and h.user_id = users.id) as hub_ids,
    array(select team_id from user_teams t where t.organization_id = users.organization_id and t.user_id = users.id) as team_ids,
    exists (select from location_sessions s where s.organization_number = newest.organization_number
      and s.person_number = newest.person_number and s.finished_at is null) as has_open_session`
}

/** Each table once for the whole organization: 50,000 people would be 150,000 lookups. */
function idsOfEverybody(sql: Sql, caller: Sight): { columns: Fragment; joins: Fragment } {
  return {
    columns: sql`coalesce(hubs_of.ids, '{}') as hub_ids, coalesce(teams_of.ids, '{}') as team_ids,
      open_session.person_number is not null as has_open_session`,
    joins: sql`
      left join ${hubsOfEverybody(sql, caller.organizationId)} hubs_of on hubs_of.user_id = users.id
      left join ${teamsOfEverybody(sql, caller.organizationId)} teams_of on teams_of.user_id = users.id
      left join (select distinct person_number from location_sessions
          where organization_number = ${caller.organizationNumber} and finished_at is null)
        open_session on open_session.person_number = newest.person_number`,
  }
}

export interface PositionFilter {
  hubId?: string | undefined
  teamId?: string | undefined
  userIds?: readonly string[] | undefined
  /** Part of a name. */
  q?: string | undefined
  /** Only positions in this area. */
  box?: BoundingBox | undefined
  /** Only positions that were stored since this cursor. */
  after?: string | undefined
}

/**
 * The newest position of everybody in sight, those never seen included unless an area or a cursor is given, by name; no
 * more than `limit`.
 */
export async function listPositions(
  sql: Sql,
  caller: Sight,
  { limit, ...filter }: PositionFilter & { limit?: number | undefined },
  now: Temporal.Instant,
): Promise<WirePosition[]> {
  const { box, after } = filter
  const isEverybody = limit === undefined && Object.values(filter).every((value) => value === undefined)
  const all = isEverybody ? idsOfEverybody(sql, caller) : undefined
  const query = sql<PositionRow[]>`
    select ${positionColumns(sql, all?.columns)} from ${peopleWithNewest(sql, caller)}
    join ${theirRoles(sql)}
    ${all?.joins ?? sql``}
    where ${matchingPeople(sql, caller, filter)}
      ${box === undefined ? sql`` : sql`and ${isInBox(sql, box)}`}
      ${after === undefined ? sql`` : sql`and not pg_visible_in_snapshot(newest.xid, ${after}::pg_snapshot)`}
    order by lower(users.name), users.id ${limit === undefined ? sql`` : sql`limit ${limit}`}`
  const rows = await (isEverybody ? readInSlices(query, Number.POSITIVE_INFINITY) : query)
  return mapInSlices(rows, (row) => toWirePosition(row, now))
}

/** `users` with their newest positions, if they have one. */
export function peopleWithNewest(sql: Sql, caller: Sight): Fragment {
  return sql`users left join person_positions newest
    on newest.organization_number = ${caller.organizationNumber} and newest.person_number = users.number`
}

/** `users` of any organizations with their newest positions. */
function peopleSeen(sql: Sql): Fragment {
  return sql`users join person_positions newest
    on newest.organization_id = users.organization_id and newest.person_number = users.number`
}

function theirRoles(sql: Sql): Fragment {
  return sql`roles on roles.organization_id = users.organization_id and roles.id = users.role_id`
}

/** The condition on `users` of a filter, wherever people are. */
export function matchingPeople(
  sql: Sql,
  caller: Sight,
  { userIds, hubId, teamId, q }: Pick<PositionFilter, "userIds" | "hubId" | "teamId" | "q">,
): Fragment {
  return sql`users.organization_id = ${caller.organizationId} and users.status = 'active' and ${isInSight(sql, caller)}
    ${userIds === undefined ? sql`` : sql`and users.id = any (${userIds as string[]})`}
    ${hubId === undefined ? sql`` : sql`and exists (select from user_hubs h where h.organization_id = users.organization_id and h.user_id = users.id and h.hub_id = ${hubId})`}
    ${teamId === undefined ? sql`` : sql`and exists (select from user_teams t where t.organization_id = users.organization_id and t.user_id = users.id and t.team_id = ${teamId})`}
    ${q === undefined ? sql`` : sql`and lower(users.name) like lower(${`%${q.trim().replace(/[\\%_]/g, "\\$&")}%`})`}`
}

/** Without an index, which each position of a moving vehicle would rewrite. */
export function isInBox(sql: Sql, { west, south, east, north }: BoundingBox): Fragment {
  const across =
    west <= east
      ? sql`newest.lng between ${west} and ${east}`
      : sql`(newest.lng >= ${west} or newest.lng <= ${east})`
  return sql`newest.lat between ${south} and ${north} and ${across}`
}

export function toWirePosition(row: PositionRow, now: Temporal.Instant): WirePosition {
  const silentAfter = silentAfterSeconds(row.interval)
  const at = row.recordedAt?.epochMilliseconds ?? null
  return {
    userId: row.userId,
    email: row.email,
    name: row.name,
    hubIds: row.hubIds,
    teamIds: row.teamIds,
    lat: row.lat,
    lon: row.lng,
    speed: row.speed,
    accuracy: row.accuracy,
    bearing: row.bearing,
    altitude: row.altitude,
    battery: row.battery,
    charging: row.charging,
    taskId: row.taskId,
    attributes: deviceAttributes(row.source, row.attributes),
    createdFrom: at === null ? null : (sourceOf(row.source) ?? defaultSource),
    createdTime: row.recordedAt ? toT1(row.recordedAt) : null,
    time: at,
    ageSeconds: at === null ? null : Math.max(0, Math.round((now.epochMilliseconds - at) / 1000)),
    movement: movementState(
      seen(row.recordedAt, row.lat, row.lng, row.accuracy, row.speed),
      seen(row.previousRecordedAt, row.previousLat, row.previousLng, row.previousAccuracy, null),
      now.epochMilliseconds,
      { movingMetersPerSecond: idleMetersPerSecond, silentAfterSeconds: silentAfter },
    ),
    silentAfterSeconds: silentAfter,
    hasOpenSession: row.hasOpenSession,
  }
}

function seen(
  at: Temporal.Instant | null,
  lat: number | null,
  lng: number | null,
  accuracy: number | null,
  speed: number | null,
): SeenPoint | undefined {
  if (at === null || lat === null || lng === null) return undefined
  return {
    recordedAt: at.epochMilliseconds,
    position: [lng, lat],
    accuracyMeters: accuracy ?? undefined,
    speedMetersPerSecond: speed === null ? undefined : speed / 3.6,
  }
}

/**
 * Newest positions as live events. The table holds one row a person, so a reader that was away gets where
 * everybody is now and nothing in between; ids repeat for the same position and are dropped by readers.
 */
export function positionSource(sql: Pool, now: () => Temporal.Instant): LiveSource {
  const moved = (people: Fragment, cursor: string) => sql<(PositionRow & { organizationId: string })[]>`
    select ${positionColumns(sql)}, users.organization_id from ${peopleSeen(sql)} join ${theirRoles(sql)}
    where ${people} and newest.xid >= ${horizonOf(cursor)}::xid8 and not pg_visible_in_snapshot(newest.xid, ${cursor}::pg_snapshot)`
  return async ({ organizationIds, people }, cursor) => {
    const rows = await Promise.all([
      organizationIds.length === 0
        ? []
        : moved(sql`newest.organization_id = any (${organizationIds as string[]})`, cursor),
      people.length === 0
        ? []
        : moved(
            sql`users.organization_id = any (${people.map(({ organizationId }) => organizationId)})
              and newest.organization_number = any (${people.map(({ organizationNumber }) => organizationNumber)}::int[])
              and users.id = any (${people.flatMap(({ userIds }) => userIds)})`,
            cursor,
          ).reusePlan(),
    ])
    return rows.flat().map((row) => toEvent(row, row.organizationId, now()))
  }
}

function toEvent(row: PositionRow, organizationId: string, now: Temporal.Instant): LiveEvent {
  const position = toWirePosition(row, now)
  return {
    id: `${row.userId}-${position.time}-${position.lat}-${position.lon}`,
    organizationId,
    type: "position.moved",
    hubId: null,
    hubIds: row.hubIds,
    teamIds: row.teamIds,
    owner: row.email,
    emails: [row.email],
    person: { userId: row.userId, place: [row.lng ?? Number.NaN, row.lat ?? Number.NaN] },
    content: position,
  }
}
