import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Sql } from "#core/database/database.ts"
import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { orNull, toT1 } from "#shared/wire-time.ts"
import { fenceVisits, isInSight, plausiblePoints } from "../../../location/positions/index.ts"
import { findHub } from "../../../organization/hubs/index.ts"
import { findTasks, type TaskRow } from "../../../work/tasks/index.ts"
import { parseClock } from "../clock-time.ts"
import { taskIdOf } from "../plan/planned-tasks.ts"
import type { ResultRow } from "../queries.ts"
import type { RouteNode, VehicleRoute } from "../result-schemas.ts"
import { defaultSettings } from "../settings/settings.ts"
import { matchStops } from "./match-stops.ts"

/** The radius in metres within which arrivals at hubs and tasks are detected. */
const stopRadiusMeters = 50
const hubRadiusMeters = 150
/** How long before and after its planned day a vehicle's positions are looked at. */
const hoursBefore = 2
const hoursAfter = 6
/** Deviations up to this count as on time. */
const toleratedMinutes = 15

export interface ActualStop {
  visitId: string
  visitName: string | null
  isHub: boolean
  order: number
  plannedArrival: string | null
  plannedDeparture: string | null
  actualArrival: string | null
  actualDeparture: string | null
  /** Minutes; above zero is late. */
  arrivalDeviation: number | null
  plannedMinutes: number
  actualMinutes: number | null
  /** `visited`: positions show it. `done`: only the finished task does. `missed`: neither, and its time is over. `open`: still to come. */
  state: "visited" | "done" | "missed" | "open"
  doneTime: string | null
  /** When the assignee is expected at an open stop. */
  estimatedArrival: string | null
  /** The arrival with which it was first dispatched. */
  promisedArrival: string | null
  isPromiseKept: boolean | null
}

export interface ActualVehicle {
  vehicleId: string
  vehicleName: string
  assignee: string
  /** False: the assignee is nobody whose positions the caller may see, or there are none. */
  hasPositions: boolean
  plannedDistance: number
  /** Metres along the positions of the day. */
  drivenDistance: number | null
  plannedFinish: string | null
  actualFinish: string | null
  stops: ActualStop[]
}

export interface Actual {
  resultId: string
  name: string
  routingDate: string
  timeZone: string
  vehicles: ActualVehicle[]
  summary: {
    plannedStops: number
    servedStops: number
    onTimeStops: number
    missedStops: number
    plannedDistance: number
    drivenDistance: number
    averageDeviation: number | null
    promisedStops: number
    keptPromises: number
    /** Stops that planning again gave to another vehicle, in all and of the vehicle with most. */
    changedStops: number
    maxChangedStops: number
  }
}

/** When the assignees of these tasks are expected; tasks without an estimate are left out. */
export type ReadArrivals = (
  sql: Sql,
  taskIds: readonly string[],
) => Promise<ReadonlyMap<string, { arrival: Temporal.Instant }>>

/**
 * A plan against what happened: arrivals and departures from the positions of the vehicle's assignee, by the same
 * rules as arrivals everywhere, and the state of the tasks. Reading somebody's past positions is written down.
 */
export async function readActual(
  sql: Sql,
  caller: Caller,
  row: ResultRow,
  { now, address, readArrivals }: { now: Temporal.Instant; address: string; readArrivals: ReadArrivals },
): Promise<Actual> {
  const hub = await findHub(sql, caller, row.hubId)
  const timeZone = hub?.timeZone ?? caller.timeZone
  const midnight = Temporal.PlainDate.from(row.routingDate).toZonedDateTime(timeZone).toInstant()
  const routes = row.result.routing.filter(({ trips }) => trips.length > 0)
  const people = await findPeople(sql, caller, routes)
  const ids = routes.flatMap(({ trips }) => trips.flatMap((node) => taskIdOf(node.visitId) ?? []))
  const tasks = new Map(
    (await findTasks(sql, caller, [...new Set(ids)])).map((task) => [task.id as string, task]),
  )
  const open = [...tasks].flatMap(([id, { status }]) => (status === "ONGOING" ? id : []))
  const expected = await readArrivals(sql, open)
  const vehicles: ActualVehicle[] = []
  for (const route of routes) {
    const person = people.get(route.assignee ?? "")
    const span = spanOf(route, midnight, now)
    const points =
      person && Temporal.Instant.compare(span.from, span.to) < 0
        ? await plausiblePoints(sql, caller, person.number, span.from, span.to)
        : []
    if (person && points.length > 0 && person.email !== caller.email)
      await audit(sql, actorOf(caller, address), {
        action: "location.read",
        targetType: "user",
        targetId: person.id,
        targetName: person.email,
        after: { how: `plan and actual of ${row.id}` },
      })
    vehicles.push(compare(route, points, { tasks, expected, promiseOf: promisesOf(row) }, { midnight, now }))
  }
  const { id, name, routingDate } = row
  const changes = await changedStops(sql, row)
  const summary = { ...summarizeActual(vehicles), ...changes }
  return { resultId: id, name, routingDate, timeZone, vehicles, summary }
}

type PromiseOf = (node: RouteNode) => { time: string; minutes: number } | undefined

/** What customers expect: the times of a dispatched plan, before it was planned again. */
function promisesOf({ configuration, dispatchStatus }: ResultRow): PromiseOf {
  // Results of before have no setting.
  const minutes = configuration?.promiseMinutes ?? defaultSettings.promiseMinutes
  return (node) => {
    const time = node.promisedTime ?? (dispatchStatus === null ? undefined : node.eta)
    return time && minutes > 0 && !node.isHub ? { time, minutes } : undefined
  }
}

interface Person {
  id: string
  email: string
  number: number
}

async function findPeople(
  sql: Sql,
  caller: Caller,
  routes: readonly VehicleRoute[],
): Promise<Map<string, Person>> {
  const emails = [...new Set(routes.flatMap(({ assignee }) => assignee || []))]
  if (emails.length === 0) return new Map()
  const rows = await sql<Person[]>`
    select users.id, users.email, users.number from users
    where users.organization_id = ${caller.organizationId} and users.email = any (${emails}) and ${isInSight(sql, caller)}`
  return new Map(rows.map((person) => [person.email, person]))
}

function spanOf({ trips }: VehicleRoute, midnight: Temporal.Instant, now: Temporal.Instant) {
  const times = trips
    .flatMap((node) => [parseClock(node.eta ?? ""), parseClock(node.etd ?? "")])
    .filter((time) => time !== undefined)
  const from = midnight.add({ seconds: Math.min(...times, 24 * 3600) - hoursBefore * 3600 })
  const last = midnight.add({ seconds: Math.max(...times, 0) + hoursAfter * 3600 })
  return { from, to: Temporal.Instant.compare(last, now) < 0 ? last : now }
}

type Points = Awaited<ReturnType<typeof plausiblePoints>>

function compare(
  route: VehicleRoute,
  points: Points,
  {
    tasks,
    expected,
    promiseOf,
  }: {
    tasks: ReadonlyMap<string, TaskRow>
    expected: Awaited<ReturnType<ReadArrivals>>
    promiseOf: PromiseOf
  },
  { midnight, now }: { midnight: Temporal.Instant; now: Temporal.Instant },
): ActualVehicle {
  const at = (time: string | null | undefined): Temporal.Instant | null => {
    const seconds = parseClock(time ?? "")
    return seconds === undefined ? null : midnight.add({ seconds })
  }
  const seen = route.trips.map((node) => {
    const center = parseLatLng(node.coordinate ?? "")
    return {
      place: center ? center.join(",") : null,
      planned: at(node.eta)?.epochMilliseconds ?? null,
      visits: center ? visitsAt(points, center, node.isHub === true, now) : [],
    }
  })
  const matched = matchStops(seen)
  const stops = route.trips.map((node, index): ActualStop => {
    const visit = matched[index]
    const task = tasks.get(taskIdOf(node.visitId) ?? "")
    const planned = at(node.eta)
    const done = task?.status === "DONE" ? task.doneTime : null
    // At the start of the day only leaving counts, and at its end only coming.
    const arrived = visit ? Temporal.Instant.fromEpochMilliseconds(visit.arrivedAt) : null
    const left = visit?.leftAt ? Temporal.Instant.fromEpochMilliseconds(visit.leftAt) : null
    const isFirst = index === 0 && node.isHub === true
    const promise = promiseOf(node)
    const promised = promise ? at(promise.time) : null
    const reached = arrived ?? timeOf(task, "arrivedTime")
    const gone = visit ? left : timeOf(task, "leftTime")
    const state = visit ? "visited" : done ? "done" : planned && isOver(planned, now) ? "missed" : "open"
    return {
      visitId: node.visitId,
      visitName: node.visitName ?? null,
      isHub: node.isHub === true,
      order: index,
      plannedArrival: orNull(planned, toT1),
      plannedDeparture: orNull(at(node.etd), toT1),
      actualArrival: orNull(isFirst ? null : reached, toT1),
      actualDeparture: orNull(gone, toT1),
      arrivalDeviation: reached && planned && !isFirst ? minutesBetween(planned, reached) : null,
      plannedMinutes: node.visitTime ?? 0,
      actualMinutes: reached && gone && !isFirst ? minutesBetween(reached, gone) : null,
      state,
      doneTime: orNull(done, toT1),
      estimatedArrival: orNull(visit ? null : expected.get(task?.id ?? "")?.arrival, toT1),
      promisedArrival: orNull(promised, toT1),
      isPromiseKept:
        promise && promised && reached
          ? Math.abs(minutesBetween(promised, reached)) <= promise.minutes
          : null,
    }
  })
  const last = route.trips.at(-1)
  return {
    vehicleId: route.vehicleId,
    vehicleName: route.vehicleName ?? route.vehicleId,
    assignee: route.assignee ?? "",
    hasPositions: points.length > 0,
    plannedDistance: route.trips.reduce((sum, node) => sum + (node.distance ?? 0), 0),
    drivenDistance: points.length > 1 ? Math.round(lengthOf(points)) : null,
    plannedFinish: orNull(at(last?.isHub ? last.eta : last?.etd), toT1),
    actualFinish: (last?.isHub ? stops.at(-1)?.actualArrival : stops.at(-1)?.actualDeparture) ?? null,
    stops,
  }
}

/** When the phone was there, where no positions show it. */
function timeOf(task: TaskRow | undefined, name: "arrivedTime" | "leftTime"): Temporal.Instant | null {
  const time = task?.attributes[name]
  return typeof time === "string" ? Temporal.Instant.from(time) : null
}

function visitsAt(points: Points, center: LngLat, isHub: boolean, now: Temporal.Instant) {
  const fence = { center, radiusMeters: isHub ? hubRadiusMeters : stopRadiusMeters }
  return fenceVisits(points, fence, now.epochMilliseconds)
}

function lengthOf(points: Points): number {
  return points.reduce((sum, point, index) => {
    const before = points[index - 1]
    return before ? sum + distanceMeters(before.position, point.position) : sum
  }, 0)
}

function isOver(planned: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(planned.add({ hours: hoursAfter }), now) < 0
}

function minutesBetween(from: Temporal.Instant, to: Temporal.Instant): number {
  return Math.round((to.epochMilliseconds - from.epochMilliseconds) / 60_000)
}

/** From accepted proposals. */
async function changedStops(
  sql: Sql,
  { organizationId, id }: ResultRow,
): Promise<Pick<Actual["summary"], "changedStops" | "maxChangedStops">> {
  const rows = await sql<{ from: string; to: string; stops: number }[]>`
    select visit ->> 'from' as "from", visit ->> 'to' as "to", count(*)::int as stops
    from routing_proposals, jsonb_array_elements(changes -> 'visits') as visit
    where organization_id = ${organizationId} and result_id = ${id} and status = 'accepted'
      and visit ->> 'from' <> visit ->> 'to'
    group by 1, 2`
  const perVehicle = new Map<string, number>()
  for (const { from, to, stops } of rows)
    for (const vehicleId of [from, to]) perVehicle.set(vehicleId, (perVehicle.get(vehicleId) ?? 0) + stops)
  return {
    changedStops: rows.reduce((sum, { stops }) => sum + stops, 0),
    maxChangedStops: Math.max(0, ...perVehicle.values()),
  }
}

function summarizeActual(
  vehicles: readonly ActualVehicle[],
): Omit<Actual["summary"], "changedStops" | "maxChangedStops"> {
  const stops = vehicles.flatMap((vehicle) => vehicle.stops.filter(({ isHub }) => !isHub))
  const deviations = stops.flatMap(({ arrivalDeviation }) => arrivalDeviation ?? [])
  const served = stops.filter(({ state }) => state === "visited" || state === "done")
  const promises = stops.flatMap(({ isPromiseKept }) => isPromiseKept ?? [])
  return {
    promisedStops: promises.length,
    keptPromises: promises.filter((isKept) => isKept).length,
    plannedStops: stops.length,
    servedStops: served.length,
    onTimeStops: deviations.filter((minutes) => minutes <= toleratedMinutes).length,
    missedStops: stops.filter(({ state }) => state === "missed").length,
    plannedDistance: vehicles.reduce((sum, { plannedDistance }) => sum + plannedDistance, 0),
    drivenDistance: vehicles.reduce((sum, { drivenDistance }) => sum + (drivenDistance ?? 0), 0),
    averageDeviation:
      deviations.length > 0
        ? Math.round((deviations.reduce((sum, minutes) => sum + minutes, 0) / deviations.length) * 10) / 10
        : null,
  }
}
