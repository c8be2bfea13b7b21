import assert from "node:assert/strict"
import { test } from "node:test"
import { buildNetwork } from "../build/build-network.ts"
import { buildProfile } from "../build/build-profile.ts"
import { hasNodeIds, nodeIdsOf } from "../network.ts"
import { createRouter } from "../query/router.ts"
import { snap } from "../query/snap.ts"
import { travelTable } from "../query/table.ts"
import { randomRoads, seededRandom } from "../testing/random-roads.ts"
import { RoadFileError } from "./container.ts"
import { openNetwork, packNetwork } from "./network-file.ts"
import { openProfile, packProfile } from "./profile-file.ts"

const shared = (pieces: readonly Uint8Array[]) => {
  const all = Buffer.concat(pieces)
  const buffer = new SharedArrayBuffer(all.length)
  new Uint8Array(buffer).set(all)
  return buffer
}
const meta = { id: "one", mapTime: "2026-11-01T00:00:00Z", drivesOnLeft: true }

test("a network read back from its files gives the same table", async () => {
  const network = await buildNetwork(randomRoads(5, 12))
  const graph = buildProfile(network, "car")
  const opened = openNetwork(shared(packNetwork(network, meta)))
  assert.deepEqual(opened.meta, meta)
  const again = openProfile(opened.network, "one", shared(packProfile(graph, "one")))
  const places = Array.from({ length: 30 }, (_, i) => [0.002 * (i % 6), 0.004 * Math.floor(i / 6)] as const)
  const tableOf = (one: typeof graph) => {
    const snapped = places.map((place) => snap(one, place))
    return travelTable(createRouter(one), snapped, snapped).costs
  }
  assert.deepEqual(tableOf(again), tableOf(graph))
  const before = { nodeIds: new Float64Array(), segmentIds: new Uint32Array(), pointIds: new Uint8Array() }
  const { columns } = network
  const earlier = { ...network, columns: { ...columns, ...before, kindLanes: new Uint32Array() } }
  assert.equal(hasNodeIds(openNetwork(shared(packNetwork(earlier, meta))).network), false)
  assert.deepEqual(nodeIdsOf(opened.network, 3), nodeIdsOf(network, 3))
  assert.throws(() => openProfile(opened.network, "two", shared(packProfile(graph, "one"))), RoadFileError)
})

test("damaged files are refused: cut, flipped, of another kind or version", async () => {
  const network = await buildNetwork(randomRoads(6, 6))
  const graph = buildProfile(network, "car")
  const random = seededRandom(1)
  for (const [pieces, open] of [
    [packNetwork(network, meta), (buffer: SharedArrayBuffer) => openNetwork(buffer)],
    [packProfile(graph, "one"), (buffer: SharedArrayBuffer) => openProfile(network, "one", buffer)],
  ] as const) {
    const whole = Buffer.concat(pieces)
    for (let round = 0; round < 60; round++) {
      const copy = Buffer.from(whole)
      const at = Math.floor(random() * copy.length)
      copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(random() * 8))
      // Bytes 20 to 23 are not used.
      if (at < 20 || at > 23) assert.throws(() => open(shared([copy])), RoadFileError)
      assert.throws(() => open(shared([whole.subarray(0, at)])), RoadFileError)
    }
    assert.throws(() => open(shared([Buffer.from("<osm>".repeat(100))])), RoadFileError)
  }
  assert.throws(() => openNetwork(shared(packProfile(graph, "one"))), RoadFileError)
})

test("numbers that lead outside are refused even with a right checksum", async () => {
  const network = await buildNetwork(randomRoads(7, 6))
  const { columns } = network
  for (const name of ["segmentFrom", "segmentKind", "segmentName", "treeItems"] as const) {
    const wrong = { ...network, columns: { ...columns, [name]: columns[name].map(() => 4_000_000_000) } }
    assert.throws(() => openNetwork(shared(packNetwork(wrong, meta))), RoadFileError, name)
  }
  const graph = buildProfile(network, "car")
  for (const side of ["outOf", "into"] as const)
    for (const name of ["other", "partA", "first"] as const) {
      const arcs = { ...graph.hierarchy[side], [name]: graph.hierarchy[side][name].map(() => 4_000_000_000) }
      const wrong = { ...graph, hierarchy: { ...graph.hierarchy, [side]: arcs } }
      const pieces = shared(packProfile(wrong, "one"))
      assert.throws(() => openProfile(network, "one", pieces), RoadFileError, `${side} ${name}`)
    }
})
