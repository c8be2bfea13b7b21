import { parseClock } from "../clock-time.ts"
import type { RunInput } from "../plan/run-input.ts"
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
      ...(people < workers ? [wrong(`needs ${workers} vehicles, but ${people} are planned`)] : []),
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
