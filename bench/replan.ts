/**
 * From an event to a proposal while 1,000 visits are on 50 vehicles: new orders, breakdowns and delays, one thread.
 *
 *     node bench/replan.ts [visits] [vehicles] [events]
 */
import { planRoutes } from "../packages/route-optimizer/plan-routes.ts"
import { aProblem, aVehicle, aVisit, hour } from "../packages/route-optimizer/problem/example-problems.ts"
import { createRandom } from "../packages/route-optimizer/problem/random.ts"
import { type Replanned, replan } from "../packages/route-optimizer/replan.ts"
import type { RunningPlan } from "../packages/route-optimizer/running-day.ts"

const [visitCount = 1000, vehicleCount = 50, events = 120] = process.argv.slice(2).map(Number)
const spare = events

/** A day as the optimizer plans it, with windows of two hours for every third visit; every vehicle has driven a part. */
function aDay(seed: number): RunningPlan {
  const { below } = createRandom(seed)
  const place = () => [below(30_000), below(30_000)] as const
  const positions = [[15_000, 15_000] as const, ...Array.from({ length: visitCount + spare }, place)]
  const visits = Array.from({ length: visitCount + spare }, (_, i) => {
    const opens = (9 + below(7)) * hour
    const windows = i % 3 === 0 ? [[opens, opens + 2 * hour] as const] : []
    return aVisit({ id: `visit ${i}`, location: 1 + i, serviceSeconds: 420, windows })
  })
  const vehicles = Array.from({ length: vehicleCount }, (_, k) =>
    aVehicle({ id: `van ${k}`, shift: [8 * hour, 18 * hour] }),
  )
  const problem = aProblem(positions, {
    vehicles,
    visits,
    objective: { kind: "lexicographic", useAllVehicles: true },
  })
  const known = { ...problem, visits: visits.slice(0, visitCount) }
  const points = positions.map(([x, y]) => ({ x, y }))
  const layers = { autoSplit: "none", autoMerge: false, clustering: "none", dayStart: "from hub" } as const
  const request = { problem: known, points, ...layers }
  const { plan } = planRoutes(request, {
    seed,
    budget: { milliseconds: 8_000 },
  })
  const routes = vehicles.map((_, k) => plan.routes.find(({ vehicle }) => vehicle === k)?.trips.flat() ?? [])
  return { problem, routes, waiting: [], kept: new Set() }
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? 0
}

const kinds = { order: [] as number[], breakdown: [] as number[], delay: [] as number[] }
let running = aDay(1)
const { below } = createRandom(2)
let [dropped, maxMoved, planned] = [0, 0, visitCount]
for (let event = 0; event < events; event++) {
  const kind = event % 12 === 11 ? "breakdown" : event % 4 === 3 ? "delay" : "order"
  const vehicle = below(vehicleCount)
  const changed: RunningPlan =
    kind === "order"
      ? { ...running, waiting: [planned++] }
      : kind === "breakdown"
        ? {
            ...running,
            routes: running.routes.with(vehicle, []),
            waiting: running.routes[vehicle] ?? [],
            frozen: new Set([vehicle]),
          }
        : {
            ...running,
            problem: {
              ...running.problem,
              vehicles: running.problem.vehicles.map((one, k) =>
                k === vehicle ? { ...one, shift: [one.shift[0] + hour, one.shift[1]] as const } : one,
              ),
            },
          }
  const start = performance.now()
  const after: Replanned = replan(changed)
  kinds[kind].push(performance.now() - start)
  dropped += after.dropped.length
  if (kind === "order") maxMoved = Math.max(maxMoved, after.moved.length)
  // A breakdown is tried and taken back, or the fleet would shrink away.
  if (kind !== "breakdown") running = { ...changed, routes: after.routes, waiting: [], frozen: new Set() }
}
const all = Object.values(kinds).flat()
for (const [name, times] of [...Object.entries(kinds), ["all", all] as const])
  console.log(
    `${name}: ${times.length} events, median ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`,
  )
console.log(`most other stops moved for one order: ${maxMoved}; dropped: ${dropped}`)
