import assert from "node:assert/strict"
import { rm } from "node:fs/promises"
import { dirname } from "node:path"
import { type TestContext, test } from "node:test"
import { type Block, ExtractError, type Kinds, openExtract } from "./index.ts"
import { extractBytes, extractFile, frame, headerBlock, zlibBlob } from "./testing/encode.ts"

const everything: Kinds = { nodes: true, ways: true, relations: true }

async function readAll(t: TestContext, bytes: Uint8Array, kinds = everything): Promise<Block[]> {
  const path = await extractFile(bytes)
  t.after(() => rm(dirname(path), { recursive: true }))
  const extract = await openExtract(path)
  try {
    return await Array.fromAsync(extract.blocks(kinds))
  } finally {
    await extract.close()
  }
}

const nodes = [
  { id: -5, lat: -34.9, lon: -56.1 },
  { id: 3, lat: 90, lon: 180, tags: { place: "pole", name: "Пол́юс 極" } },
  { id: 9_007_199_254_740_000, lat: -90, lon: -180, tags: { a: "b", c: "d" } },
]

for (const isPlain of [false, true])
  test(`reads ${isPlain ? "plain" : "dense"} nodes with their tags and large and negative ids`, async (t) => {
    const [block] = await readAll(t, extractBytes({ nodes, isPlain }))
    assert.ok(block?.nodes)
    assert.deepEqual([...block.nodes.ids], [-5, 3, 9_007_199_254_740_000])
    assert.deepEqual([...block.nodes.lat], [-349_000_000, 900_000_000, -900_000_000])
    assert.deepEqual([...block.nodes.lon], [-561_000_000, 1_800_000_000, -1_800_000_000])
    assert.equal(block.nodes.tags(0), undefined)
    assert.deepEqual(Object.fromEntries(block.nodes.tags(1) ?? []), nodes[1]?.tags)
    assert.deepEqual(Object.fromEntries(block.nodes.tags(2) ?? []), { a: "b", c: "d" })
  })

test("reads ways and relations of an unsorted file, and only the requested kinds", async (t) => {
  const way = { id: 7, refs: [3, -5, 3], tags: { highway: "residential" } }
  const relation = { id: 8, members: [{ type: "way", ref: 7, role: "outer" }] as const, tags: { type: "x" } }
  const bytes = extractBytes({ relations: [relation] }, { ways: [way] }, { nodes })
  const blocks = await readAll(t, bytes)
  assert.deepEqual(blocks[0]?.relations, [{ ...relation, tags: new Map([["type", "x"]]) }])
  assert.deepEqual(blocks[1]?.ways, [
    { id: 7, refs: Float64Array.of(3, -5, 3), tags: new Map([["highway", "residential"]]) },
  ])
  const onlyWays = await readAll(t, bytes, { ways: true })
  assert.deepEqual([onlyWays.length, onlyWays[0]?.nodes], [1, undefined])
})

test("reads the header, and the real extract of a city in several passes", async () => {
  const path = await extractFile(extractBytes())
  const empty = await openExtract(path)
  assert.deepEqual(empty.header, {
    bounds: { west: -57, east: -56, north: -34, south: -35 },
    source: "test",
    timestamp: new Date(1_700_000_000_000),
  })
  await empty.close()
  await rm(dirname(path), { recursive: true })
  const city = await openExtract("examples/maps/montevideo.osm.pbf")
  let [nodeCount, wayCount, roads] = [0, 0, 0]
  for await (const block of city.blocks({ nodes: true })) nodeCount += block.nodes?.count ?? 0
  for await (const { ways } of city.blocks({ ways: true })) {
    wayCount += ways.length
    roads += ways.filter(({ tags }) => tags.has("highway")).length
  }
  await city.close()
  assert.deepEqual([nodeCount, wayCount, roads], [361_538, 22_184, 13_592])
})

test("reading stops when it is aborted", async () => {
  const controller = new AbortController()
  const city = await openExtract("examples/maps/montevideo.osm.pbf", { signal: controller.signal })
  await assert.rejects(async () => {
    for await (const _ of city.blocks({ nodes: true })) controller.abort()
  }, /abort/i)
  await city.close()
})

test("a file of another feature set is rejected with what to do", async (t) => {
  const history = frame("OSMHeader", zlibBlob(headerBlock(["OsmSchema-V0.6", "HistoricalInformation"])))
  await assert.rejects(
    readAll(t, history),
    (error) => error instanceof ExtractError && /time-filter/.test(error.message),
  )
})
