import { parseClock } from "../clock-time.ts"
import { isLinked } from "../plan/links.ts"
import type { InputVisit, RunInput } from "../plan/run-input.ts"
import type { RouteNode, VehicleRoute } from "../result-schemas.ts"
import type { Trips } from "./place-visits.ts"

/** Vehicles whose times depend on each other, because their visits wait for each other or begin together. */

/** Earliest starts of visits that wait for those of other vehicles, in seconds, by vehicle and visit. */
export type Bounds = Map<string, Map<string, number>>

/** Seconds by which shown times may differ: clocks show whole seconds. */
const tolerance = 1

/** The trips of further vehicles with visits that are linked, over any number of others, with those of the changed trips. */
export function linkedTrips(
  input: RunInput,
  routes: readonly VehicleRoute[],
  changed: ReadonlyMap<string, Trips>,
  tripsOf: (route: VehicleRoute) => Trips,
): Map<string, Trips> {
  const trips = new Map(changed)
  const linked = new Set([...changed.values()].flat(2).map(({ visitId }) => visitId))
  for (const id of linked)
    for (const visit of input.visits) for (const next of neighboursOf(visit, id)) linked.add(next)
  for (const route of routes)
    if (!trips.has(route.vehicleId) && route.trips.some((node) => isBound(input, linked, node)))
      trips.set(route.vehicleId, tripsOf(route))
  return trips
}

function isBound(input: RunInput, linked: ReadonlySet<string>, { visitId }: RouteNode): boolean {
  if (!linked.has(visitId)) return false
  return input.visits.some(
    (visit) => (visit.id === visitId && isLinked(visit)) || neighboursOf(visit, visitId).length > 0,
  )
}

/** The visits that this one links with another one. */
function neighboursOf({ id, after = [] }: InputVisit, other: string): string[] {
  const ids = after.map(({ visitId }) => visitId)
  if (id === other) return ids
  return ids.includes(other) ? [id] : []
}

/** Raises the bounds of visits that begin too early for those of other vehicles; returns the vehicles that have to wait. */
export function raiseBounds(bounds: Bounds, input: RunInput, routes: readonly VehicleRoute[]): Set<string> {
  const stops = routes.flatMap(({ vehicleId, trips }) => trips.map((node) => stopOf(vehicleId, node)))
  const at = Map.groupBy(stops, ({ visitId }) => visitId)
  const waiting = new Set<string>()
  const raise = (stop: Stop, time: number, other: Stop) => {
    if (stop.vehicleId === other.vehicleId || stop.start >= time - tolerance) return
    const own = bounds.get(stop.vehicleId) ?? new Map<string, number>()
    bounds.set(stop.vehicleId, own.set(stop.visitId, Math.max(time, own.get(stop.visitId) ?? time)))
    waiting.add(stop.vehicleId)
  }
  for (const { id, after = [] } of input.visits.filter(isLinked)) {
    const own = at.get(id) ?? []
    for (const part of own) for (const other of own) raise(part, other.start, other)
    for (const { visitId, minMinutes = 0, maxMinutes = Number.POSITIVE_INFINITY } of after)
      for (const before of at.get(visitId) ?? [])
        for (const part of own) {
          raise(part, before.end + minMinutes * 60, before)
          raise(before, part.start - maxMinutes * 60 - (before.end - before.start), part)
        }
  }
  return waiting
}

type Stop = { vehicleId: string; visitId: string; start: number; end: number }

function stopOf(vehicleId: string, { visitId, etd, visitTime }: RouteNode): Stop {
  const end = parseClock(etd ?? "") ?? 0
  return { vehicleId, visitId, end, start: end - (visitTime ?? 0) * 60 }
}
