import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { evaluate } from "../packages/route-optimizer/evaluate/evaluator.ts"
import { timetable } from "../packages/route-optimizer/evaluate/timetable.ts"
import type { Plan, PlanProblem } from "../packages/route-optimizer/problem/problem.ts"
import { solve } from "../packages/route-optimizer/solve.ts"
import { processorMilliseconds } from "../packages/route-optimizer/team/processor-time.ts"
import { solveTogether } from "../packages/route-optimizer/team/solve-together.ts"
import { planWithOther } from "./load/other-solver.ts"
import { readInstance, readSolution } from "./load/vrplib.ts"

/**
 * Gap of the route solver to the best plans known, on VRPLIB instances.
 *
 *   node bench/routing-solver.ts <folder> [--seeds 5] [--from 1] [--only X-n101] [--seconds 10] [--threads 2]
 *     [--other <binary>]
 *
 * Reads every `.vrp` with its `.sol`, first checks our evaluator against the solution, then solves on one
 * thread, or on two that cooperate. Seconds are processor seconds of a thread, so that other work on the machine does not change
 * the outcome. Prints per instance the gap of each seed, the median, when the first plan with all visits
 * stood, and what timetable and check of a whole plan cost after one stop was moved. With another solver's
 * binary (see other-solver.ts), also its gap after the same seconds on the same matrix.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: "string", default: "5" },
    from: { type: "string", default: "1" },
    only: { type: "string" },
    seconds: { type: "string" },
    threads: { type: "string", default: "1" },
    other: { type: "string" },
  },
})
const [folder] = positionals
if (folder === undefined) {
  console.error(
    "usage: node bench/routing-solver.ts <folder> [--seeds 5] [--from 1] [--only X-n101] [--seconds 10] [--threads 2] [--other <binary>]",
  )
  process.exit(2)
}

console.log(
  "| instance | visits | seconds | best known | gap per seed, % | median, % | asked, % | first plan, s | move, ms | rounds/s | other, % |",
)
console.log("|---|---|---|---|---|---|---|---|---|---|---|")
let missed = 0
for (const file of readdirSync(folder).filter((name) => name.endsWith(".vrp"))) {
  if (values.only !== undefined && !file.startsWith(values.only)) continue
  if (!measure(folder, file)) missed++
}
process.exitCode = missed > 0 ? 1 : 0

function measure(folder: string, file: string): boolean {
  const { name, problem, costUnit } = readInstance(readFileSync(join(folder, file), "utf8"))
  const known = readSolution(readFileSync(join(folder, file.replace(/vrp$/, "sol")), "utf8"))
  const checked = costOf(problem, withVisitIndices(problem, known.plan)) * costUnit
  // Solution files round to two decimals.
  if (Math.abs(checked - known.cost) > 0.011)
    throw new Error(`${name}: evaluator ${checked}, file ${known.cost}`)

  const asked = target(problem)
  const seconds = Number(values.seconds ?? asked.seconds)
  const gapOf = (plan: Plan) => ((costOf(problem, plan) * costUnit) / known.cost - 1) * 100
  const gaps: number[] = []
  let first = 0
  let move = 0
  let rounds = 0
  const firstSeed = Number(values.from)
  for (let seed = firstSeed; seed < firstSeed + Number(values.seeds); seed++) {
    const start = processorMilliseconds()
    let complete: number | undefined
    const search = values.threads === "2" ? solveTogether : solve
    const solved = search(problem, {
      seed,
      budget: { milliseconds: seconds * 1000 },
      clock: processorMilliseconds,
      onProgress: ({ dropped }) => {
        if (dropped === 0) complete ??= processorMilliseconds() - start
      },
    })
    first = Math.max(first, complete ?? Number.POSITIVE_INFINITY)
    rounds += solved.rounds
    gaps.push(gapOf(solved.plan))
    move = Math.max(move, millisecondsPerMove(problem, solved.plan))
  }
  const median = gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? Number.NaN
  const other = values.other === undefined ? undefined : planWithOther(values.other, problem, seconds)
  const cells = [
    name,
    problem.visits.length,
    seconds,
    known.cost,
    gaps.map((gap) => gap.toFixed(2)).join(" "),
    median.toFixed(2),
    asked.gap,
    (first / 1000).toFixed(2),
    move.toFixed(2),
    Math.round(rounds / (seconds * gaps.length)),
    other === undefined ? "" : describe(() => gapOf(other)),
  ]
  console.log(`| ${cells.join(" | ")} |`)
  return median <= asked.gap
}

/** Seconds per family and the gap asked for, in percent. */
function target(problem: PlanProblem): { seconds: number; gap: number } {
  const isLarge = problem.visits.length > 400
  const isTimed = problem.visits.some((visit) => visit.windows.length > 0)
  if (problem.vehicles.some((vehicle) => vehicle.maxTrips > 1)) return { seconds: 10, gap: 3 }
  const kinds = new Set(problem.vehicles.map((v) => `${v.capacity}/${v.fixedCost}`))
  if (kinds.size > 1) return { seconds: isLarge ? 60 : 10, gap: 1 }
  if (isTimed) return { seconds: 60, gap: 1.2 }
  return isLarge ? { seconds: 60, gap: 1 } : { seconds: 10, gap: 0.3 }
}

function costOf(problem: PlanProblem, plan: Plan): number {
  const { violations, dropped, cost } = evaluate(problem, plan, timetable(problem, plan))
  const [violation] = violations
  if (violation) throw new Error(`infeasible: ${violation.message}`)
  if (dropped > 0) throw new Error(`${dropped} visits dropped`)
  return cost
}

function describe(gap: () => number): string {
  try {
    return gap().toFixed(2)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Timetable and check of the whole plan after the first stop of a route went to its end. */
function millisecondsPerMove(problem: PlanProblem, plan: Plan): number {
  const routes = plan.routes.map((route) => {
    const [first = -1, ...rest] = route.trips[0] ?? []
    return { ...route, trips: [[...rest, first], ...route.trips.slice(1)] }
  })
  const start = processorMilliseconds()
  for (const [r, moved] of routes.entries()) {
    const changed = { ...plan, routes: plan.routes.with(r, moved) }
    evaluate(problem, changed, timetable(problem, changed))
  }
  return (processorMilliseconds() - start) / routes.length
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
