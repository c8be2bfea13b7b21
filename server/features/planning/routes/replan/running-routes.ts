import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import type { TaskRow } from "../../../work/tasks/index.ts"
import { parseClock } from "../clock-time.ts"
import { handoverOf } from "../dispatch/handed-over.ts"
import { taskIdOf } from "../plan/planned-tasks.ts"
import type { RouteNode, Routing, VehicleRoute } from "../result-schemas.ts"

/** A route of a plan at a moment of its day. Times in seconds of the plan's clock. */
export interface RunningRoute {
  route: VehicleRoute
  /** What is behind the vehicle: the start and the stops that were reached. They stay as they are. */
  past: RouteNode[]
  /** Stops to come, in order. */
  remaining: RouteNode[]
  hasBegun: boolean
  position: LngLat | undefined
  readyAt: number
  /** Several trips to come, goods for sub-hubs or parts of loads: such a route is left as it is. */
  isFrozen: boolean
}

export interface RunningContext {
  /** Seconds of the plan's clock. */
  now: number
  midnight: Temporal.Instant
  tasks: ReadonlyMap<string, TaskRow>
  /** Newest positions by e-mail. */
  positions: ReadonlyMap<string, LngLat>
}

/** Splits each route into what was done and what is left. */
export function runningRoutes({ routing }: Routing, context: RunningContext): RunningRoute[] {
  const routes = routing.map((route) => runningRoute(route, context))
  // Who shares a visit with a route that is left as it is has to be there as planned.
  for (let hasChanged = true; hasChanged; ) {
    const fixed = new Set(routes.flatMap((route) => (route.isFrozen ? crewVisits(route) : [])))
    const bound = routes.filter((route) => !route.isFrozen && crewVisits(route).some((id) => fixed.has(id)))
    for (const route of bound) route.isFrozen = true
    hasChanged = bound.length > 0
  }
  return routes
}

function crewVisits({ remaining }: RunningRoute): string[] {
  return remaining.flatMap(({ visitId, workers }) => (workers === undefined ? [] : visitId))
}

function runningRoute(route: VehicleRoute, context: RunningContext): RunningRoute {
  const { now, tasks, midnight, positions } = context
  const visits = route.trips.filter((node) => !node.isHub)
  const past = visits.filter((node) => isReached(node, tasks, now))
  const remaining = visits.filter((node) => !past.includes(node))
  const [start] = route.trips
  const last = past.at(-1)
  const hasBegun = last !== undefined
  const task = last && tasks.get(taskIdOf(last.visitId) ?? "")
  const isOnSite = task && task.status !== "DONE" && !task.attributes.leftTime
  const arrived = isOnSite && clockOf(task.attributes.arrivedTime, midnight)
  const readyAt =
    typeof arrived === "number" ? Math.max(now, arrived + Number(last?.visitTime ?? 0) * 60) : now
  const seen = isOnSite ? undefined : positions.get(route.assignee ?? "")
  const trips = new Set(remaining.map(({ tripOrder }) => tripOrder ?? 1))
  const isSplit = remaining.some(
    ({ splitNumber, workers }) => typeof splitNumber === "string" && workers === undefined,
  )
  return {
    route,
    past: [...(start?.isHub && hasBegun ? [start] : []), ...past],
    remaining,
    hasBegun,
    position: hasBegun ? (seen ?? parseLatLng(last.coordinate ?? "")) : undefined,
    readyAt,
    isFrozen: trips.size > 1 || isSplit || route.trips.some((node) => handoverOf(node) !== undefined),
  }
}

/** How much longer than the straight line roads are where nothing else is known. */
const usualDetour = 1.3
const longestDetour = 2

/**
 * The remaining stops of a plan that was planned again. Their first leg begins at the vehicle, so the distance driven since the last
 * stop is added to it: the straight line, times the detour of the leg that the vehicle was on.
 */
export function withDrivenLeg(
  [next, ...others]: readonly RouteNode[],
  { past, remaining, position }: RunningRoute,
): RouteNode[] {
  if (!next) return []
  const [last, target] = [past.at(-1), remaining[0]].map((node) => parseLatLng(node?.coordinate ?? ""))
  if (!last || !position) return [next, ...others]
  const straight = target ? distanceMeters(last, target) : 0
  const detour = straight > 0 ? Number(remaining[0]?.distance ?? 0) / straight : usualDetour
  const driven = distanceMeters(last, position) * Math.min(Math.max(detour, 1), longestDetour)
  const { distance, travelTime } = next
  // As fast as the rest of the leg.
  const share = distance ? driven / distance : 0
  const leg = {
    distance: Math.round((distance ?? 0) + driven),
    travelTime: Math.round((travelTime ?? 0) * (1 + share)),
  }
  return [{ ...next, ...leg }, ...others]
}

/** Whether the worker is or was there; of visits without a task, whether the plan says so. */
function isReached(node: RouteNode, tasks: ReadonlyMap<string, TaskRow>, now: number): boolean {
  const id = taskIdOf(node.visitId)
  if (id === undefined) return (parseClock(node.etd ?? "") ?? Number.POSITIVE_INFINITY) <= now
  const task = tasks.get(id)
  if (!task) return false
  const { arrivedTime, leftTime, outcome } = task.attributes
  return task.status === "DONE" || ((Boolean(arrivedTime) || Boolean(leftTime)) && outcome !== "skipped")
}

function clockOf(time: unknown, midnight: Temporal.Instant): number | undefined {
  if (typeof time !== "string") return undefined
  return (Temporal.Instant.from(time).epochMilliseconds - midnight.epochMilliseconds) / 1000
}
