import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { evaluate } from "../packages/route-optimizer/evaluate/evaluator.ts"
import { timetable } from "../packages/route-optimizer/evaluate/timetable.ts"
import type { Plan, PlanProblem, Vehicle, Visit } from "../packages/route-optimizer/problem/problem.ts"
import { solve } from "../packages/route-optimizer/solve.ts"

/**
 * Vehicles and distance of plans for Li and Lim's pickup and delivery instances beside the best plans known.
 *
 *   node bench/pickup-delivery.ts <folder> [--seconds 10] [--only lr101]
 *
 * Reads every `.txt` (instance) with the file that begins with its name and ends with `.sol` (lines `Route 1 : 63 64 …`),
 * checks the evaluator against that plan, and solves on one thread of processor time. The first objective is the number of
 * vehicles, the second the distance.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: "string", default: "10" }, only: { type: "string" } },
})
const [folder] = positionals
if (folder === undefined) {
  console.error("usage: node bench/pickup-delivery.ts <folder> [--seconds 10] [--only lr101]")
  process.exit(2)
}

console.log(
  "| instance | requests | best vehicles | vehicles | best distance | distance | gap, % | rounds/s |",
)
console.log("|---|---|---|---|---|---|---|---|")
const files = readdirSync(folder)
for (const file of files.filter((name) => name.endsWith(".txt"))) {
  const name = file.replace(/\.txt$/, "").toLowerCase()
  if (values.only !== undefined && name !== values.only) continue
  const known = files.find((other) => other.startsWith(`${name}.`) && other.endsWith(".sol"))
  if (known)
    measure(name, readFileSync(join(folder, file), "utf8"), readFileSync(join(folder, known), "utf8"))
}

function measure(name: string, instance: string, solution: string): void {
  const problem = readProblem(instance)
  const best = costOf(problem, readPlan(solution))
  const start = process.cpuUsage()
  const clock = () => (process.cpuUsage(start).user + process.cpuUsage(start).system) / 1000
  const { plan, rounds } = solve(problem, {
    seed: 1,
    budget: { milliseconds: Number(values.seconds) * 1000 },
    clock,
  })
  const own = costOf(problem, plan)
  if (plan.dropped.length > 0) throw new Error(`${name}: ${plan.dropped.length} visits are dropped`)
  const gap = (100 * (own.distance - best.distance)) / best.distance
  const speed = Math.round(rounds / (clock() / 1000))
  console.log(
    `| ${name} | ${problem.visits.length / 2} | ${best.vehicles} | ${own.vehicles} | ${best.distance.toFixed(2)} | ${own.distance.toFixed(2)} | ${gap.toFixed(2)} | ${speed} |`,
  )
}

function costOf(problem: PlanProblem, plan: Plan): { vehicles: number; distance: number } {
  const { violations, vehicles, distance } = evaluate(problem, plan, timetable(problem, plan))
  const [violation] = violations
  if (violation) throw new Error(`${violation.kind}: ${violation.message}`)
  return { vehicles, distance }
}

/** Lines of task, x, y, demand, earliest, latest, service, pickup (of a delivery), delivery (of a pickup). */
function readProblem(text: string): PlanProblem {
  const [head = [], ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trim().split(/\s+/).map(Number))
  const [count = 0, capacity = 0] = head
  const place = (row: readonly number[]) => [row[1] ?? 0, row[2] ?? 0] as const
  const distances = Float64Array.from(
    rows.flatMap((from) =>
      rows.map((to) => Math.hypot(place(from)[0] - place(to)[0], place(from)[1] - place(to)[1])),
    ),
  )
  const visits = rows.slice(1).map((row): Visit => {
    const [task = 0, , , demand = 0, earliest = 0, latest = 0, service = 0, pickup = 0] = row
    return {
      id: String(task),
      location: task,
      serviceSeconds: service,
      windows: [[earliest, latest]],
      demand: [Math.max(0, -demand)],
      tags: [],
      ...(pickup > 0 ? { pickupId: String(pickup) } : {}),
    }
  })
  const vehicle = (k: number): Vehicle => ({
    id: `v${k}`,
    startLocation: 0,
    endLocation: 0,
    shift: [rows[0]?.[4] ?? 0, rows[0]?.[5] ?? 0],
    breaks: [],
    capacity: [capacity],
    minimumLoad: [0],
    tags: [],
    fixedCost: 0,
    distanceCost: 1,
    durationFactor: 1,
    maxTrips: 1,
  })
  return {
    locationCount: rows.length,
    distances,
    durations: distances,
    dimensions: 1,
    visits,
    vehicles: Array.from({ length: count }, (_, k) => vehicle(k)),
    objective: { kind: "lexicographic" },
  }
}

function readPlan(text: string): Plan {
  const routes = [...text.matchAll(/^Route\s+\d+\s*:\s*([\d ]+)/gm)].map(([, tasks = ""], vehicle) => ({
    vehicle,
    trips: [
      tasks
        .trim()
        .split(/\s+/)
        .map((task) => Number(task) - 1),
    ],
  }))
  return { routes, dropped: [] }
}
