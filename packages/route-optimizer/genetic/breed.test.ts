import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { evaluate } from "../evaluate/evaluator.ts"
import { timetable } from "../evaluate/timetable.ts"
import { compile } from "../problem/compile.ts"
import { aProblem, aVehicle, aVisit, type Position } from "../problem/example-problems.ts"
import type { PlanProblem } from "../problem/problem.ts"
import { createRandom } from "../problem/random.ts"
import { createSearch } from "../search/search.ts"
import { solve } from "../solve.ts"
import { capacitatedOf, isCapacitated } from "./capacitated.ts"
import { createLocalSearch, improve } from "./local-search.ts"
import { describe } from "./population.ts"

const numRuns = process.env.FIELDWAY_LONG === "1" ? 300 : 10
const always = { shift: [0, Number.POSITIVE_INFINITY] as const }

type Shape = {
  readonly seed: number
  readonly count: number
  readonly isOneWay: boolean
  readonly isOpen: boolean
  readonly fixedCost: number
  readonly spare: number
  readonly kind: "cost" | "weighted" | "lexicographic"
}

const shapes = fc.record<Shape>({
  seed: fc.nat(),
  count: fc.integer({ min: 30, max: 45 }),
  isOneWay: fc.boolean(),
  isOpen: fc.boolean(),
  fixedCost: fc.constantFrom(0, 500),
  spare: fc.integer({ min: 1, max: 20 }),
  kind: fc.constantFrom("cost", "weighted", "lexicographic"),
})

/** Loads alone bound the routes; ways back may be longer, and routes may end at their last visit. */
function aLoadProblem({ seed, count, isOneWay, isOpen, fixedCost, spare, kind }: Shape): PlanProblem {
  const { below } = createRandom(seed)
  const positions = Array.from({ length: count + 1 }, (): Position => [below(1000), below(1000)])
  const visits = Array.from({ length: count }, (_, i) => aVisit({ location: i + 1, demand: [below(20)] }))
  const needed = Math.ceil(visits.reduce((sum, { demand: [load = 0] }) => sum + load, 0) / 60)
  const vehicles = Array.from({ length: needed + spare }, (_, k) =>
    aVehicle({
      id: `van ${k}`,
      capacity: [60],
      fixedCost,
      ...always,
      ...(isOpen ? { endLocation: null } : {}),
    }),
  )
  const problem = aProblem(positions, { visits, vehicles, objective: { kind } })
  if (!isOneWay) return problem
  const distances = problem.distances.map((distance) => distance + below(200))
  return { ...problem, distances, durations: distances }
}

const evaluated = (problem: PlanProblem, plan: Parameters<typeof evaluate>[1]) =>
  evaluate(problem, plan, timetable(problem, plan))

test("plans bred from each other keep all rules, and cost what the evaluator says", () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const problem = aLoadProblem(shape)
      assert.ok(isCapacitated(compile(problem)))
      const { plan, cost } = solve(problem, { seed: shape.seed, budget: { rounds: 27_000 } })
      const result = evaluated(problem, plan)
      assert.deepEqual(result.violations, [])
      assert.deepEqual(plan.dropped, [])
      if (shape.kind === "weighted") assert.ok(Math.abs(result.cost - cost) < 1e-6 * cost)
    }),
    { numRuns },
  )
})

test("the descent serves every visit once and never ends above where it began", () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const model = compile(aLoadProblem(shape))
      const random = createRandom(shape.seed)
      const problem = capacitatedOf(model, 1, model.vehicleCount)
      const routes = Array.from({ length: problem.routeCount }, (): number[] => [])
      for (let i = 0; i < shape.count; i++) routes[random.below(routes.length)]?.push(i)
      const local = createLocalSearch(problem, random)
      for (const price of [1e-7, 1e-4, 1e-1]) {
        const cost = (plan: readonly (readonly number[])[]) => {
          const { distance, excess } = describe(problem, plan)
          return distance + excess * price
        }
        const better = improve(local, routes, price)
        assert.ok(cost(better) <= cost(routes) + 1e-6)
        assert.deepEqual(
          better.flat().toSorted((a, b) => a - b),
          Array.from({ length: shape.count }, (_, i) => i),
        )
      }
    }),
    { numRuns },
  )
})

test("breeding finds the routes that a plan of clusters has", () => {
  const centers = Array.from(
    { length: 8 },
    (_, c): Position => [
      Math.round(10_000 * Math.cos((c * Math.PI) / 4)),
      Math.round(10_000 * Math.sin((c * Math.PI) / 4)),
    ],
  )
  const positions = [
    [0, 0] as const,
    ...centers.flatMap(([x, y]) => [0, 1, 2, 3].map((i) => [x + i, y] as const)),
  ]
  const visits = positions.slice(1).map((_, i) => aVisit({ location: i + 1, demand: [1] }))
  const vehicles = Array.from({ length: 12 }, (_, k) =>
    aVehicle({ id: `van ${k}`, capacity: [4], ...always }),
  )
  const problem = aProblem(positions, { visits, vehicles, objective: { kind: "cost" } })
  const { plan } = solve(problem, { seed: 1, budget: { rounds: 20_000 } })
  assert.equal(plan.routes.length, 8)
  for (const { trips } of plan.routes)
    assert.equal(new Set(trips.flat().map((i) => Math.floor(i / 4))).size, 1)
})

test("loads that never fill a vehicle, and vehicles without room for any load, are planned whole", () => {
  const shape: Shape = {
    seed: 3,
    count: 30,
    isOneWay: false,
    isOpen: true,
    fixedCost: 0,
    spare: 9,
    kind: "cost",
  }
  for (const capacity of [0, Number.POSITIVE_INFINITY]) {
    const problem = aLoadProblem(shape)
    const vehicles = problem.vehicles.map((vehicle) => ({ ...vehicle, capacity: [capacity] }))
    const visits = problem.visits.map((visit) => (capacity === 0 ? { ...visit, demand: [0] } : visit))
    const given = { ...problem, vehicles, visits }
    const { plan } = solve(given, { seed: 1, budget: { rounds: 20_000 } })
    assert.deepEqual(evaluated(given, plan).violations, [])
    assert.deepEqual(plan.dropped, [])
  }
})

test("a vehicle of another kind, a window or a shift is left to annealing", () => {
  const problem = aLoadProblem({
    seed: 1,
    count: 30,
    isOneWay: false,
    isOpen: false,
    fixedCost: 0,
    spare: 5,
    kind: "cost",
  })
  const [first, ...others] = problem.vehicles
  const [visit, ...visits] = problem.visits
  assert.ok(first && visit)
  const different: PlanProblem[] = [
    { ...problem, vehicles: [{ ...first, capacity: [61] }, ...others] },
    { ...problem, vehicles: [{ ...first, fixedCost: 1 }, ...others] },
    { ...problem, vehicles: problem.vehicles.map((one) => ({ ...one, shift: [0, 9999] as const })) },
    { ...problem, vehicles: problem.vehicles.map((one) => ({ ...one, maxDistance: 9999 })) },
    { ...problem, visits: [{ ...visit, windows: [[0, 9999]] }, ...visits] },
    { ...problem, visits: [{ ...visit, vehicleId: first.id }, ...visits] },
    { ...problem, visits: [{ ...visit, dropCost: 5 }, ...visits], objective: { kind: "weighted" } },
  ]
  for (const one of different) assert.equal(isCapacitated(createSearch(one, 1).model), false)
})
