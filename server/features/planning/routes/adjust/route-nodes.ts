import { secondsLate } from "../../../../../packages/route-optimizer/evaluate/evaluator.ts"
import type { RouteTimetable, Stop } from "../../../../../packages/route-optimizer/evaluate/timetable.ts"
import { roundLoad } from "../../../../../packages/route-optimizer/loads.ts"
import type { PlanProblem, Visit } from "../../../../../packages/route-optimizer/problem/problem.ts"
import type { VisitPart } from "../../../../../packages/route-optimizer/search/split.ts"
import { formatClock, formatClockShort, minutesUp } from "../clock-time.ts"
import { visitMinutes } from "../plan/build-problem.ts"
import { hasCosts, routeSums } from "../plan/costs.ts"
import type { InputVehicle, InputVisit, RunInput, Span } from "../plan/run-input.ts"
import type { RouteNode, VehicleRoute } from "../result-schemas.ts"

/** Timetables in the words of the result: nodes of a vehicle's trips, and their sums. */

export interface TimedRoutes {
  readonly problem: PlanProblem
  readonly timetables: readonly RouteTimetable[]
  readonly dimensions: readonly string[]
  /** The visit of the input that a visit of the problem is, or is a part of; undefined for a handover. */
  readonly visitOf: (index: number) => InputVisit | undefined
  readonly partOf: (index: number) => VisitPart | undefined
  /** What is handed over at a sub-hub, where a visit of the problem stands for that. */
  readonly handoverOf?: (
    index: number,
  ) => { subHubId: string; coordinate: string; visitIds: string[] } | undefined
}

/** The nodes of one vehicle; the days of one that starts at the hub every day follow each other. */
export function nodesOf(input: RunInput, vehicle: InputVehicle, timed: TimedRoutes): RouteNode[] {
  const tables = timed.timetables.filter(({ vehicle: index }) => {
    const planned = timed.problem.vehicles[index]
    return (planned?.owner ?? planned?.id) === vehicle.id
  })
  const stops = tables
    .toSorted((a, b) => a.vehicle - b.vehicle)
    .flatMap(({ stops }) =>
      stops.map((stop) => ({ stop, trips: tables.length * ((stops.at(-1)?.trip ?? 0) + 1) })),
    )
  let trip = 0
  // Planning by areas gives each vehicle one of its own.
  const cluster =
    input.settings.clustering === "none" ? null : input.vehicles.findIndex(({ id }) => id === vehicle.id) + 1
  return stops.map(({ stop, trips }, order) => {
    if (stop.kind === "start" || stop.kind === "reload") trip++
    const tripOrder = trips > 1 ? trip : undefined
    const node =
      stop.kind === "visit"
        ? visitNode(input, timed, stop, order, tripOrder)
        : hubNode(input, vehicle, timed, stop, order, tripOrder)
    return { ...node, cluster, isShown: true }
  })
}

function times(stop: Stop) {
  const service = stop.serviceEnd - stop.serviceStart
  return {
    eta: formatClock(stop.arrival),
    etd: formatClock(stop.departure),
    etaStr: formatClockShort(stop.arrival),
    etdStr: formatClockShort(stop.departure),
    travelTime: minutesUp(stop.travelSeconds),
    distance: Math.round(stop.distance),
    waitingTime: minutesUp(stop.departure - stop.arrival - service),
    ...(stop.restSeconds > 0 ? { restTime: minutesUp(stop.restSeconds) } : {}),
  }
}

function hubNode(
  input: RunInput,
  vehicle: InputVehicle,
  timed: TimedRoutes,
  stop: Stop,
  order: number,
  tripOrder: number | undefined,
): RouteNode {
  const hub = input.subHubs.find(({ id }) => id === vehicle.hubId) ?? input.hub
  const own = stop.kind === "start" ? vehicle.start : stop.kind === "end" ? vehicle.end : undefined
  return {
    visitId: own
      ? `${stop.kind}-${vehicle.id}`
      : `${stop.kind === "reload" ? "reload-hub" : "hub"}-${hub.id}`,
    coordinate: own?.coordinate ?? hub.coordinate,
    isHub: true,
    order,
    ...(tripOrder === undefined ? {} : { tripOrder }),
    ...times(stop),
    visitTime: 0,
    ...Object.fromEntries(timed.dimensions.map((name) => [name, 0])),
  }
}

function visitNode(
  input: RunInput,
  timed: TimedRoutes,
  stop: Stop,
  order: number,
  tripOrder: number | undefined,
): RouteNode {
  const planned = timed.problem.visits[stop.visit]
  const demand = Object.fromEntries(timed.dimensions.map((name, c) => [name, planned?.demand[c] ?? 0]))
  const place = { order, ...(tripOrder === undefined ? {} : { tripOrder }) }
  const handover = timed.handoverOf?.(stop.visit)
  if (handover)
    return {
      visitId: `hub-${handover.subHubId}`,
      coordinate: handover.coordinate,
      isHub: true,
      ...place,
      ...times(stop),
      visitTime: minutesUp(stop.serviceEnd - stop.serviceStart),
      ...demand,
      handoverVisits: handover.visitIds,
    }
  const visit = timed.visitOf(stop.visit)
  if (!visit) throw new RangeError(`Visit ${stop.visit} is not part of the input`)
  const part = timed.partOf(stop.visit)
  return {
    visitId: visit.id,
    visitName: visit.name,
    address: visit.address,
    coordinate: visit.coordinate,
    isHub: false,
    ...place,
    ...times(stop),
    visitTime: visitMinutes(input, visit),
    timeWindow: visit.timeWindow,
    ...(visit.timeWindows ? { timeWindows: visit.timeWindows } : {}),
    tags: visit.tags.length > 0 ? [...visit.tags] : null,
    ...demand,
    ...latenessAt(input, planned, stop),
    ...extras(visit),
    ...(part && part.count > 1
      ? {
          splitNumber: `${part.number}/${part.count}`,
          parentVisitId: visit.id,
          autoSplit: input.settings.autoSplit,
        }
      : {}),
  }
}

/** Minutes after the window in which the visit begins, where that is allowed, and what they cost. */
function latenessAt(input: RunInput, planned: Visit | undefined, stop: Stop) {
  const seconds = secondsLate(planned, stop.serviceStart)
  if (seconds < 1) return {}
  const cost = seconds * (planned?.lateness?.costPerSecond ?? 0)
  return {
    lateTime: minutesUp(seconds),
    ...(hasCosts(input) ? { lateCost: Math.round(cost * 100) / 100 } : {}),
  }
}

/** Keys that nodes and dropped visits have where they apply. */
export function extras(visit: InputVisit) {
  return {
    ...(visit.assignedVehicleId === undefined ? {} : { assignedVehicleId: visit.assignedVehicleId }),
    ...(visit.preferredVehicle === undefined ? {} : { preferredVehicle: visit.preferredVehicle }),
    ...(visit.visitGroup === undefined
      ? {}
      : { visitGroup: visit.visitGroup, visitGroupPriority: visit.visitGroupPriority ?? 0 }),
    ...(visit.useVisitGroup === undefined ? {} : { useVisitGroup: visit.useVisitGroup }),
    ...(visit.pickupVisitId === undefined ? {} : { pickupVisitId: visit.pickupVisitId }),
    ...(visit.after === undefined ? {} : { after: visit.after }),
    ...(visit.workers === undefined ? {} : { workers: visit.workers }),
    ...(visit.days === undefined ? {} : { days: visit.days }),
    ...(visit.preferredDays === undefined ? {} : { preferredDays: visit.preferredDays }),
    ...(visit.promisedTime === undefined ? {} : { promisedTime: visit.promisedTime }),
  }
}

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
const sum = (nodes: readonly RouteNode[], read: (node: RouteNode) => unknown) =>
  nodes.reduce((total, node) => total + (Number(read(node)) || 0), 0)

/** A vehicle of the result around its nodes. One without work has none. */
export function vehicleRoute(
  vehicle: InputVehicle & { breakWithin?: Span },
  trips: RouteNode[],
  dimensions: readonly string[],
  isRestricted: boolean,
): VehicleRoute {
  const totals = routeTotals(trips)
  return {
    vehicleId: vehicle.id,
    vehicleName: vehicle.name,
    assignee: vehicle.assignee,
    // Planners pin visits to a vehicle by its id, as if it were a tag.
    vehicleTags: [...vehicle.tags.filter((tag) => tag !== vehicle.id), vehicle.id],
    workingTime: vehicle.workingTime,
    breakTime: vehicle.breakTime,
    ...(vehicle.breakWithin ? { breakWithin: vehicle.breakWithin } : {}),
    speed: vehicle.isSpeedAuto ? "auto" : vehicle.speed,
    fixedCost: vehicle.fixedCost,
    isOddEven: isRestricted,
    oddEven: vehicle.oddEven,
    ...(vehicle.hubId === "" ? {} : { hubId: vehicle.hubId }),
    finishTime: trips.at(-1)?.eta ?? null,
    trips: isRestricted ? trips.map((node) => ({ allowOddEven: true, ...node })) : trips,
    ...totals,
    ...routeSums(vehicle, trips, totals),
    ...loadTotals(vehicle, trips, dimensions),
  }
}

export function routeTotals(trips: readonly RouteNode[]) {
  const totalTravelTime = sum(trips, (node) => node.travelTime)
  const totalVisitTime = sum(trips, (node) => node.visitTime)
  const totalWaitingTime = sum(trips, (node) => node.waitingTime)
  return {
    totalTravelTime,
    totalDistance: sum(trips, (node) => node.distance),
    totalVisitTime,
    totalWaitingTime,
    totalSpentTime: totalTravelTime + totalVisitTime + totalWaitingTime,
    totalNodes: trips.length,
    totalVisits: trips.filter((node) => !node.isHub).length,
    totalTrips: trips.reduce((most, node) => Math.max(most, node.tripOrder ?? 1), trips.length > 0 ? 1 : 0),
  }
}

function loadTotals(
  vehicle: Pick<InputVehicle, "capacity">,
  trips: readonly RouteNode[],
  dimensions: readonly string[],
): Record<string, number | string | null> {
  return Object.fromEntries(
    dimensions.flatMap((name): [string, number | string | null][] => {
      const total = roundLoad(sum(trips, (node) => (node.isHub && !node.handoverVisits ? 0 : node[name])))
      const { min, max } = vehicle.capacity[name] ?? { min: 0, max: null }
      return [
        [`total${capitalized(name)}`, total],
        [`vehicleMax${capitalized(name)}`, max],
        [`vehicleMin${capitalized(name)}`, min],
        [`${name}Percentage`, max ? `${(total / max) * 100}%` : "0%"],
      ]
    }),
  )
}
