import assert from "node:assert/strict"
import { test } from "node:test"
import { evaluate } from "../evaluate/evaluator.ts"
import { timetable } from "../evaluate/timetable.ts"
import type { PlanProblem } from "../problem/problem.ts"
import { createRandom } from "../problem/random.ts"
import { solve } from "../solve.ts"
import { solveTogether } from "./solve-together.ts"

/** 150 visits in a square, with loads, for 15 vehicles. */
function largeProblem(): PlanProblem {
  const random = createRandom(7)
  const points = Array.from({ length: 151 }, () => [random.below(1000), random.below(1000)] as const)
  const distances = Float64Array.from(
    points.flatMap(([x, y]) => points.map(([u, v]) => Math.round(Math.hypot(x - u, y - v)))),
  )
  return {
    locationCount: points.length,
    distances,
    durations: distances,
    dimensions: 1,
    visits: points.slice(1).map((_, i) => ({
      id: `${i}`,
      location: i + 1,
      serviceSeconds: 0,
      windows: [],
      demand: [1 + (i % 3)],
      tags: [],
    })),
    vehicles: Array.from({ length: 15 }, (_, k) => ({
      id: `v${k}`,
      startLocation: 0,
      endLocation: 0,
      shift: [0, 100_000] as const,
      breaks: [],
      capacity: [25],
      minimumLoad: [0],
      tags: [],
      fixedCost: 0,
      distanceCost: 1,
      durationFactor: 1,
      maxTrips: 1,
    })),
    objective: { kind: "cost" },
  }
}

test("a search goes on from the better plan of a colleague, and offers its own", () => {
  const problem = largeProblem()
  const good = solve(problem, { seed: 2, budget: { rounds: 3000 } })
  const offered: number[] = []
  const colleague = { offer: ({ cost }: { cost: number }) => offered.push(cost), take: () => good }
  const alone = solve(problem, { seed: 1, budget: { rounds: 200 } })
  const helped = solve(problem, { seed: 1, budget: { rounds: 200 }, colleague })
  assert.ok(alone.cost > good.cost)
  assert.ok(helped.cost <= good.cost)
  assert.ok(offered.length > 0)
  assert.deepEqual(evaluate(problem, helped.plan, timetable(problem, helped.plan)).violations, [])
})

test("two threads plan together, whatever the second one comes to", () => {
  const problem = largeProblem()
  const { plan } = solveTogether(problem, { seed: 1, budget: { milliseconds: 2000 } })
  assert.deepEqual(evaluate(problem, plan, timetable(problem, plan)).violations, [])
  assert.equal(plan.dropped.length, 0)
})
