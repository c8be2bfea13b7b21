import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { evaluate } from "../server/features/routing/solver/evaluator.ts"
import type { Plan, PlanProblem } from "../server/features/routing/solver/problem.ts"
import { solve } from "../server/features/routing/solver/solve.ts"
import { timetable } from "../server/features/routing/solver/timetable.ts"
import { readInstance, readSolution } from "./vrplib.ts"

/**
 * Gap of the route solver to the best plans known, on VRPLIB instances.
 *
 *   node bench/routing-solver.ts <folder> [--seeds 5] [--only X-n101] [--seconds 10]
 *
 * Seconds are processor seconds of the one thread that solves. Reads every `.vrp` with its `.sol`, first checks our evaluator against the solution, then solves on one
 * thread and prints the gap per seed, the median, and when the first plan with all visits stood.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: "string", default: "5" }, only: { type: "string" }, seconds: { type: "string" } },
})
const [folder] = positionals
if (folder === undefined) {
  console.error("usage: node bench/routing-solver.ts <folder> [--seeds 5] [--only X-n101] [--seconds 10]")
  process.exit(2)
}

/** Seconds per family and the gap asked for, in percent. */
function target(problem: PlanProblem): { seconds: number; gap: number } {
  const n = problem.visits.length
  const isTimed = problem.visits.some((visit) => visit.windows.length > 0)
  if (problem.vehicles.some((vehicle) => vehicle.maxTrips > 1)) return { seconds: 10, gap: 3 }
  const kinds = new Set(problem.vehicles.map((v) => `${v.startLocation}/${v.capacity}/${v.fixedCost}`))
  if (kinds.size > 1) return { seconds: 20, gap: 3 }
  if (isTimed) return { seconds: 60, gap: 5 }
  return n > 400 ? { seconds: 30, gap: 2.5 } : { seconds: 10, gap: 1.5 }
}

function cost(problem: PlanProblem, plan: Plan): number {
  const result = evaluate(problem, plan, timetable(problem, plan))
  if (result.violations.length > 0)
    throw new Error(`infeasible: ${JSON.stringify(result.violations.slice(0, 5))}`)
  if (result.dropped > 0) throw new Error(`${result.dropped} visits dropped`)
  return result.cost
}

console.log(
  "instance      visits  limit    best known     gaps per seed in %               median  asked   first   rounds/s",
)
let failures = 0
for (const file of readdirSync(folder).filter((name) => name.endsWith(".vrp"))) {
  if (values.only !== undefined && !file.includes(values.only)) continue
  const { name, problem, costUnit } = readInstance(readFileSync(join(folder, file), "utf8"))
  const known = readSolution(readFileSync(join(folder, file.replace(/vrp$/, "sol")), "utf8"))
  const plan = withVisitIndices(problem, known.plan)
  const checked = cost(problem, plan) * costUnit
  if (Math.abs(checked - known.cost) > 0.011)
    throw new Error(`${name}: evaluator ${checked}, file ${known.cost}`)

  const asked = target(problem)
  const seconds = Number(values.seconds ?? asked.seconds)
  const gaps: number[] = []
  let first = 0
  let rounds = 0
  for (let seed = 1; seed <= Number(values.seeds); seed++) {
    const start = cpuMilliseconds()
    let complete = 0
    const solved = solve(problem, {
      seed,
      budget: { milliseconds: seconds * 1000 },
      clock: cpuMilliseconds,
      onProgress: ({ dropped }) => {
        if (complete === 0 && dropped === 0) complete = cpuMilliseconds() - start
      },
    })
    first = Math.max(first, complete)
    rounds += solved.rounds
    gaps.push(((cost(problem, solved.plan) * costUnit) / known.cost - 1) * 100)
  }
  const median = gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? Number.NaN
  if (median > asked.gap) failures++
  console.log(
    [
      name.padEnd(13),
      String(problem.visits.length).padStart(6),
      `${seconds} s`.padStart(6),
      known.cost.toFixed(1).padStart(13),
      "    ",
      gaps
        .map((gap) => gap.toFixed(2).padStart(5))
        .join(" ")
        .padEnd(32),
      median.toFixed(2).padStart(6),
      asked.gap.toFixed(1).padStart(6),
      `${(first / 1000).toFixed(2)} s`.padStart(8),
      Math.round(rounds / (seconds * gaps.length))
        .toString()
        .padStart(8),
    ].join(" "),
  )
}
process.exitCode = failures > 0 ? 1 : 0

/** Of this thread, so that other work on the machine does not change the outcome. */
function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Solution files number clients from 1 in the order of the file, without or with the depots before them. */
function withVisitIndices(problem: PlanProblem, plan: Plan): Plan {
  const depots = problem.locationCount - problem.visits.length
  return {
    routes: plan.routes.map(({ vehicle, trips }) => ({
      vehicle,
      trips: trips.map((trip) => trip.map((client) => client - depots)),
    })),
    dropped: [],
  }
}
