import type { Caller } from "#core/access/caller.ts"
import { json, type Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import type { Id } from "#core/ids.ts"
import { distanceMeters } from "#packages/geodesy/geodesy.ts"
import { formatLatLng, parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import type { HubRow } from "../../organization/hubs/index.ts"
import { defaultWorkingTime, type VehicleRow } from "../../work/vehicles/index.ts"
import { vehicleRoute } from "./adjust/route-nodes.ts"
import { formatClock, formatClockShort, minutesUp, parseClock } from "./clock-time.ts"
import type { InputVehicle } from "./plan/run-input.ts"
import { findResult, insertResult, lockResult, type ResultRow } from "./queries.ts"
import type { RouteNode, Routing } from "./result-schemas.ts"
import { assigneesOf, summarize } from "./results/summarize.ts"
import { defaultDetourFactor, secondsPerMeter } from "./roads/travel-matrix.ts"
import type { Settings } from "./settings/settings.ts"

/** A stop of a planned route, as a line of a file has it. */
export interface ImportedStop {
  vehicle: VehicleRow
  /** E-mail; empty: the vehicle's own. */
  assignee: string
  trip: number
  order: number
  visitId: string
  visitName: string
  address: string
  coordinate: string
  /** Seconds of the clock; null: not given. */
  eta: number | null
  etd: number | null
  distance: number
  travelTime: number
  waitingTime: number
  visitTime: number
  tags: string[]
  demand: Readonly<Record<string, number>>
}

export interface ImportedResult {
  /** Of the result, the same for every batch of a file. */
  id: Id<"result">
  name: string
  hub: HubRow
  settings: Settings
  configurationId: string | null
}

/** Which places of a vehicle's trips are taken already: `<vehicle id> <trip> <order>`. */
export async function takenPlaces(tx: Tx, caller: Caller, resultId: string): Promise<Set<string>> {
  const row = await findResult(tx, caller, resultId)
  return new Set(
    row
      ? row.result.routing.flatMap(({ vehicleId, trips }) =>
          stopsOf(trips).map((node) => placeOf(vehicleId, node.tripOrder ?? 1, node.order ?? 0)),
        )
      : [],
  )
}

export function placeOf(vehicleId: string, trip: number, order: number): string {
  return `${vehicleId} ${trip} ${order}`
}

/** Adds stops to the result of a file, which is made with the first of them. Not dispatched, nothing dropped. */
export async function addStops(
  tx: Tx,
  caller: Caller,
  made: ImportedResult,
  stops: readonly ImportedStop[],
  { now, live }: { now: Temporal.Instant; live: LiveEvents },
): Promise<void> {
  const dimensions = made.settings.capacityConstraint
  const existing = await lockResult(tx, caller, made.id)
  if (!existing) await begin(tx, caller, made, now)
  const routing: Routing = { routing: [...(existing?.result.routing ?? [])], dropped: [] }
  for (const group of Map.groupBy(stops, ({ vehicle }) => vehicle.id).values()) {
    const [first] = group
    if (!first) continue
    const index = routing.routing.findIndex(({ vehicleId }) => vehicleId === first.vehicle.id)
    const before = routing.routing[index]
    const assignee = before?.assignee || group.find((stop) => stop.assignee !== "")?.assignee
    const vehicle = inputVehicle(first.vehicle, assignee || first.vehicle.assignee || "", made.hub.id)
    const nodes = [...stopsOf(before?.trips ?? []), ...group.map(nodeOf)]
    const route = vehicleRoute(vehicle, withHubs(nodes, made, vehicle), dimensions, false)
    if (index < 0) routing.routing.push(route)
    else routing.routing[index] = route
  }
  await tx`
    update routing_results set status = 'done', result = ${json(tx, routing)}, original = ${json(tx, routing)},
      summary = ${json(tx, summarize(routing, dimensions))}, assignees = ${assigneesOf(routing)},
      finish_time = ${now}, updated_time = ${now}
    where organization_id = ${caller.organizationId} and id = ${made.id}`
  const { organizationId } = caller
  await publish(tx, live, "routing.changed", {
    organizationId,
    hubId: made.hub.id,
    content: { resultIds: [made.id] },
  })
}

/** Removes the result of a file when nobody touched it since; true when it is gone. */
export async function removeImportedResult(
  tx: Tx,
  caller: Caller,
  resultId: string,
  writtenTime: Temporal.Instant,
  live: LiveEvents,
): Promise<boolean> {
  const row = await lockResult(tx, caller, resultId)
  if (!row) return true
  if (!isUntouched(row, writtenTime)) return false
  const { organizationId } = caller
  await tx`delete from routing_results where organization_id = ${organizationId} and id = ${row.id}`
  await publish(tx, live, "routing.changed", {
    organizationId,
    hubId: row.hubId,
    content: { resultIds: [row.id] },
  })
  return true
}

function isUntouched(row: ResultRow, writtenTime: Temporal.Instant): boolean {
  return row.dispatchStatus === null && Temporal.Instant.compare(row.updatedTime, writtenTime) === 0
}

function begin(tx: Tx, caller: Caller, made: ImportedResult, now: Temporal.Instant): Promise<void> {
  const { hub, settings } = made
  const routingDate = now
    .toZonedDateTimeISO(hub.timeZone ?? caller.timeZone)
    .toPlainDate()
    .toString()
  return insertResult(
    tx,
    caller,
    {
      id: made.id,
      hubId: hub.id,
      name: made.name,
      resultCode: String(now.epochMilliseconds),
      routingDate,
      hubCoordinate: formatLatLng([hub.lng, hub.lat]),
      countryCode: hub.countryCode,
      configurationId: made.configurationId,
      configuration: settings,
      input: null,
      warnings: [],
      createdFrom: "WEB",
    },
    now,
  )
}

function stopsOf(trips: readonly RouteNode[]): RouteNode[] {
  return trips.filter((node) => !node.isHub)
}

function nodeOf(stop: ImportedStop): RouteNode {
  const time = (seconds: number | null) => (seconds === null ? null : formatClock(seconds))
  const short = (seconds: number | null) => (seconds === null ? null : formatClockShort(seconds))
  return {
    visitId: stop.visitId,
    visitName: stop.visitName,
    address: stop.address,
    coordinate: stop.coordinate,
    isHub: false,
    order: stop.order,
    tripOrder: stop.trip,
    eta: time(stop.eta),
    etd: time(stop.etd),
    etaStr: short(stop.eta),
    etdStr: short(stop.etd),
    travelTime: stop.travelTime,
    distance: stop.distance,
    visitTime: stop.visitTime,
    waitingTime: stop.waitingTime,
    timeWindow: { startTime: null, endTime: null },
    tags: stop.tags.length > 0 ? stop.tags : null,
    ...stop.demand,
  }
}

/** The stops by trip and order, with the hub in front, between trips, and at the end where routes return to it. */
function withHubs(
  stops: readonly RouteNode[],
  { hub, settings }: ImportedResult,
  vehicle: InputVehicle,
): RouteNode[] {
  const sorted = stops.toSorted(
    (a, b) => (a.tripOrder ?? 1) - (b.tripOrder ?? 1) || (a.order ?? 0) - (b.order ?? 0),
  )
  const coordinate = formatLatLng([hub.lng, hub.lat])
  const hubNode = (
    kind: "hub" | "reload-hub",
    order: number,
    tripOrder: number,
    from?: RouteNode,
  ): RouteNode => {
    const [start, end] = [parseLatLng(from?.coordinate ?? ""), parseLatLng(coordinate)]
    const meters = start && end ? Math.round(distanceMeters(start, end) * defaultDetourFactor) : 0
    const seconds = meters * secondsPerMeter(vehicle.speed)
    const left = parseClock(from?.etd ?? "") ?? parseClock(vehicle.workingTime.startTime) ?? 0
    const at = from ? left + seconds : left
    const times = {
      eta: formatClock(at),
      etd: formatClock(at),
      etaStr: formatClockShort(at),
      etdStr: formatClockShort(at),
    }
    return {
      visitId: `${kind}-${hub.id}`,
      coordinate,
      isHub: true,
      order,
      tripOrder,
      ...times,
      travelTime: minutesUp(from ? seconds : 0),
      distance: from ? meters : 0,
      visitTime: 0,
      waitingTime: 0,
    }
  }
  const nodes: RouteNode[] = []
  for (const stop of sorted) {
    const last = nodes.at(-1)
    const trip = stop.tripOrder ?? 1
    if (!last) nodes.push(hubNode("hub", 0, trip))
    else if ((last.tripOrder ?? 1) !== trip) nodes.push(hubNode("reload-hub", 0, trip, last))
    nodes.push(stop)
  }
  const last = nodes.at(-1)
  if (last && (settings.returnToHub || settings.multitrip))
    nodes.push(hubNode("hub", (last.order ?? 0) + 1, last.tripOrder ?? 1, last))
  return nodes
}

function inputVehicle(vehicle: VehicleRow, assignee: string, hubId: string): InputVehicle {
  const { startTime, endTime } = { ...defaultWorkingTime, ...vehicle.workingTime }
  return {
    id: vehicle.id,
    name: vehicle.name,
    assignee,
    speed: vehicle.speed,
    isSpeedAuto: false,
    fixedCost: vehicle.fixedCost,
    oddEven: vehicle.oddEven === "odd" || vehicle.oddEven === "even" ? vehicle.oddEven : null,
    capacity: vehicle.capacity,
    tags: vehicle.tags,
    workingTime: { startTime, endTime },
    breakTime: vehicle.breakTime ?? { startTime: null, endTime: null },
    hubId,
    allowSubHub: false,
  }
}
