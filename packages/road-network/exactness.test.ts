import assert from "node:assert/strict"
import { test } from "node:test"
import { buildNetwork } from "./build/build-network.ts"
import { buildProfile, customize } from "./build/build-profile.ts"
import { findPath } from "./query/path.ts"
import { createRouter } from "./query/router.ts"
import type { Access } from "./query/snap.ts"
import { travelTable, unreachable } from "./query/table.ts"
import { modes } from "./tags/modes.ts"
import { createPlainSearch } from "./testing/dijkstra.ts"
import { randomRoads, seededRandom } from "./testing/random-roads.ts"
import type { TravelGraph } from "./travel-graph.ts"
import { costAlong, delayAfter } from "./weights.ts"

function somePlaces({ network }: TravelGraph, count: number, random: () => number): { accesses: Access[] }[] {
  return Array.from({ length: count }, () => {
    const segment = Math.floor(random() * network.segmentCount)
    const share = random() < 0.2 ? 0 : random()
    const accesses = [
      { directed: 2 * segment, share },
      { directed: 2 * segment + 1, share: 1 - share },
    ]
    return { accesses: accesses.filter(() => random() < 0.9) }
  })
}

function compare(graph: TravelGraph, count: number, seed: number): { entries: number; unreachable: number } {
  const random = seededRandom(seed)
  const [sources, targets] = [somePlaces(graph, count, random), somePlaces(graph, count, random)]
  const router = createRouter(graph)
  const table = travelTable(router, sources, targets)
  const plain = createPlainSearch(graph)
  let without = 0
  for (const [row, source] of sources.entries()) {
    const expected = plain(
      source.accesses,
      targets.map(({ accesses }) => accesses),
    )
    for (const [column, cost] of expected.entries()) {
      const found = table.costs[row * count + column]
      if (cost === Number.POSITIVE_INFINITY) without++
      assert.equal(
        found === unreachable ? Number.POSITIVE_INFINITY : found,
        cost,
        `seed ${seed}: ${row} to ${column}`,
      )
      if (column % 7 === 0) checkPath(router, source, targets[column] as { accesses: Access[] }, cost)
    }
  }
  return { entries: count * count, unreachable: without }
}

function checkPath(
  router: ReturnType<typeof createRouter>,
  source: { accesses: Access[] },
  target: { accesses: Access[] },
  cost: number,
): void {
  const { network, weights } = router.graph
  const path = findPath(router, source.accesses, target.accesses)
  assert.equal(path?.cost ?? Number.POSITIVE_INFINITY, cost)
  if (!path || path.segments.length === 1) return
  const [first = 0, ...rest] = path.segments
  const last = rest.pop() as number
  const sum =
    costAlong(network, weights, first, 1 - path.from.share) +
    delayAfter(network, weights, first) +
    rest.reduce((all, d) => all + costAlong(network, weights, d) + delayAfter(network, weights, d), 0) +
    costAlong(network, weights, last, path.to.share)
  assert.equal(sum, path.cost, "the cost of a route is the sum of its segments")
}

test("tables and routes equal plain Dijkstra on generated towns with every kind of rule", async () => {
  let reached = 0
  let restricted = 0
  for (let seed = 1; seed <= (process.env.FIELDWAY_LONG ? 400 : 8); seed++) {
    const network = await buildNetwork(randomRoads(seed, 5 + (seed % 9)))
    restricted += network.columns.restrictionModes.length
    const base = buildProfile(network, modes[seed % modes.length] ?? "car")
    const { entries, unreachable: without } = compare(base, 30, seed)
    reached += entries - without
    const slower = { residential: 0.5, primary: 0.9, service: 1.3 }
    compare(customize(base, { mode: base.options.mode, speedFactors: slower }), 20, seed + 1000)
  }
  assert.ok(reached > 1000, `${reached} ways are found`)
  assert.ok(restricted > 100, `${restricted} turns are forbidden`)
})
