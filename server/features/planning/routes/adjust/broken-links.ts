import { parseClock } from "../clock-time.ts"
import type { InputVisit, RunInput } from "../plan/run-input.ts"
import type { RouteNode, Routing, VehicleRoute, WireViolation } from "../result-schemas.ts"

type Times = { start: number; end: number; vehicleId: string }

/** Seconds by which shown times may differ: minutes on site are whole, and clocks show whole seconds. */
const tolerance = 2

/** Waiting times between visits and common starts that a change by hand breaks, from the times of the whole plan. */
export function brokenLinks(
  input: RunInput,
  before: Routing,
  changed: readonly VehicleRoute[],
): WireViolation[] {
  const linked = input.visits.filter(({ after, workers }) => after !== undefined || workers !== undefined)
  if (linked.length === 0) return []
  const fresh = new Map(changed.map((route) => [route.vehicleId, route]))
  const routes = before.routing.map((route) => fresh.get(route.vehicleId) ?? route)
  const timesOf = (visitId: string) =>
    routes.flatMap(({ vehicleId, trips }) =>
      trips.flatMap((node) => (node.visitId === visitId ? [timesAt(vehicleId, node)] : [])),
    )
  return linked.flatMap(({ id, name, after = [], workers = 1 }): WireViolation[] => {
    const own = timesOf(id)
    if (own.length === 0) return []
    const wrong = (message: string): WireViolation => ({
      kind: "link",
      message: `${name} ${message}`,
      visitId: id,
    })
    const start = Math.min(...own.map((times) => times.start))
    const apart = Math.max(...own.map((times) => times.start)) - start
    const people = new Set(own.map(({ vehicleId }) => vehicleId)).size
    return [
      ...(people < workers ? [wrong(`needs ${workers} vehicles, but has ${people}`)] : []),
      ...(apart > tolerance ? [wrong("does not begin on all vehicles at the same time")] : []),
      ...after.flatMap(({ visitId, minMinutes = 0, maxMinutes }) => {
        const [first] = timesOf(visitId)
        if (!first) return [wrong(`waits for ${visitId}, which is on no vehicle`)]
        const waited = start - first.end
        if (waited < minMinutes * 60 - tolerance) return [wrong(`begins too soon after ${visitId}`)]
        if (maxMinutes !== undefined && waited > maxMinutes * 60 + tolerance)
          return [wrong(`begins too long after ${visitId}`)]
        return []
      }),
    ]
  })
}

function timesAt(vehicleId: string, node: RouteNode): Times {
  const end = parseClock(node.etd ?? "") ?? 0
  return { vehicleId, end, start: end - (node.visitTime ?? 0) * 60 }
}

/** Groups that the change left on two vehicles, or partly dropped. */
export function tornGroups(
  input: RunInput,
  before: Routing,
  changed: readonly VehicleRoute[],
): WireViolation[] {
  const isGrouped = (visit: InputVisit) =>
    visit.visitGroup !== undefined && (input.usesGroups || visit.useVisitGroup === true)
  const grouped = input.visits.filter(isGrouped)
  if (grouped.length === 0) return []
  const now = new Map(before.routing.map((route) => [route.vehicleId, route]))
  for (const route of changed) now.set(route.vehicleId, route)
  const vehicleOf = new Map(
    [...now.values()].flatMap(({ vehicleId, trips }) =>
      trips.map((node) => [node.visitId, vehicleId] as const),
    ),
  )
  const touched = new Set(changed.flatMap(({ trips }) => trips.map(({ visitId }) => visitId)))
  return [...Map.groupBy(grouped, ({ visitGroup }) => visitGroup)].flatMap(([group, visits]) => {
    const places = new Set(visits.map(({ id }) => vehicleOf.get(id) ?? ""))
    if (places.size < 2 || !visits.some(({ id }) => touched.has(id))) return []
    return [{ kind: "group", message: `the group ${group} is on several vehicles or partly dropped` }]
  })
}

/** Pickups that are planned while their delivery is on no vehicle; a delivery without pickup is found on its own vehicle. */
export function tornPairs(
  input: RunInput,
  before: Routing,
  changed: readonly VehicleRoute[],
): WireViolation[] {
  const ends = input.visits.filter(({ pickupVisitId }) => pickupVisitId !== undefined)
  if (ends.length === 0) return []
  const fresh = new Map(changed.map((route) => [route.vehicleId, route]))
  const routes = [
    ...before.routing.map((route) => fresh.get(route.vehicleId) ?? route),
    ...changed.filter(({ vehicleId }) => !before.routing.some((route) => route.vehicleId === vehicleId)),
  ]
  const planned = new Set(routes.flatMap(({ trips }) => trips.map(({ visitId }) => visitId)))
  return ends.flatMap(({ id, pickupVisitId = "" }) =>
    planned.has(pickupVisitId) && !planned.has(id)
      ? [
          {
            kind: "pair",
            message: `the goods of ${pickupVisitId} are delivered by no vehicle`,
            visitId: pickupVisitId,
          },
        ]
      : [],
  )
}
