import assert from "node:assert/strict"
import { test } from "node:test"
import { aProblem, aVehicle, aVisit, hour, type Position } from "../problem/example-problems.ts"
import type { Visit } from "../problem/problem.ts"
import { orderVisits } from "./order-visits.ts"

// Half an hour between neighbours.
const line: Position[] = [0, 18_000, 36_000, 54_000].map((x): Position => [x, 0])
const options = { seed: 1, budget: { rounds: 200 } }

function order(changes: Partial<Visit>[]) {
  const visits = [1, 2, 3].map((location, i) => aVisit({ location, ...changes[i] }))
  const vehicles = [aVehicle({ endLocation: null })]
  return orderVisits(aProblem(line, { visits, vehicles }), options)
}

test("a worker's visits come in the shortest order that keeps their windows", () => {
  assert.deepEqual(order([]), [0, 1, 2])
  assert.deepEqual(
    order([
      { windows: [[10 * hour, 12 * hour]] },
      { windows: [[8 * hour, 9 * hour]] },
      { windows: [[8 * hour, 9.5 * hour]] },
    ]),
    [1, 2, 0],
  )
})

test("a window that cannot be kept costs the order of that visit only, and no visit is left out", () => {
  assert.deepEqual(order([{}, {}, { windows: [[8 * hour, 8.1 * hour]] }]), [0, 1, 2])
  const impossible = order([{ serviceSeconds: 9 * hour }, { serviceSeconds: 9 * hour }, {}])
  assert.deepEqual(impossible.toSorted(), [0, 1, 2])
})
