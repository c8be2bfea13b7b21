import assert from "node:assert/strict"
import { mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { gunzipSync } from "node:zlib"
import { VectorTile } from "@mapbox/vector-tile"
import { PbfReader } from "pbf"
import { PMTiles, type RangeResponse } from "pmtiles"
import { openExtract } from "#packages/osm-extract/index.ts"
import { extractBytes, type TestEntities } from "#packages/osm-extract/testing/encode.ts"
import { ArchiveError, buildArchive, EmptyExtract, openArchive, readTile } from "./index.ts"

async function build(t: TestContext, ...blocks: readonly TestEntities[]) {
  const folder = await mkdtemp(join(tmpdir(), "vector-tiles-"))
  t.after(() => rm(folder, { recursive: true }))
  const source = join(folder, "source.osm.pbf")
  await writeFile(source, extractBytes(...blocks))
  return buildFrom(folder, source)
}

async function buildFrom(folder: string, source: string) {
  const extract = await openExtract(source)
  const path = join(folder, "region.pmtiles")
  const built = await buildArchive(extract, path, { name: "Test", attribution: "© Test" }).finally(() =>
    extract.close(),
  )
  return { built, path, bytes: await readFile(path) }
}

const readFrom = (bytes: Buffer) =>
  openArchive(async (offset, length) => bytes.subarray(offset, offset + length), bytes.length)

/** The layers of the tile around a place, decoded by another library. */
async function layersAt(bytes: Buffer, zoom: number, lat: number, lon: number) {
  const archive = await readFrom(bytes)
  const [x, y] = tileAt(zoom, lat, lon)
  const tile = await archive.tile(zoom, x, y)
  if (!tile) return {}
  const { layers } = new VectorTile(new PbfReader(gunzipSync(tile)))
  const own = readTile(gunzipSync(tile))
  for (const [name, layer] of Object.entries(layers))
    for (const [index, { properties, parts }] of (
      own.get(name) ?? [{ properties: {}, parts: [] }]
    ).entries()) {
      const feature = layer.feature(index)
      const [[start] = []] = feature.loadGeometry()
      assert.deepEqual(
        [properties, parts[0]?.[0]],
        [{ ...feature.properties }, start && start.x / layer.extent],
      )
    }
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      Array.from({ length: layer.length }, (_, index) => {
        const feature = layer.feature(index)
        const properties: Readonly<Record<string, unknown>> = feature.properties
        return { properties, geometry: feature.toGeoJSON(x, y, zoom).geometry }
      }),
    ]),
  )
}

function tileAt(zoom: number, lat: number, lon: number): [number, number] {
  const size = 2 ** zoom
  const y = (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2
  return [Math.floor(((lon + 180) / 360) * size), Math.floor(y * size)]
}

const corners = [
  { id: 1, lat: 10.003, lon: 20.001 },
  { id: 2, lat: 10.003, lon: 20.004 },
  { id: 3, lat: 10.006, lon: 20.004 },
  { id: 4, lat: 10.006, lon: 20.001 },
]

test("streets, areas, places and house numbers appear where they are", async (t) => {
  const { bytes } = await build(t, {
    nodes: [
      ...corners,
      { id: 5, lat: 10.004, lon: 20.002, tags: { "addr:housenumber": "12 bis" } },
      { id: 6, lat: 10.005, lon: 20.003, tags: { place: "suburb", name: "Centro" } },
    ],
    ways: [
      { id: 1, refs: [1, 2], tags: { highway: "residential", name: "Calle", oneway: "yes" } },
      { id: 2, refs: [2, 3], tags: { highway: "residential", name: "Calle", oneway: "yes" } },
      { id: 3, refs: [1, 2, 3, 4, 1], tags: { leisure: "park", name: "Parque" } },
    ],
  })
  const layers = await layersAt(bytes, 15, 10.004, 20.002)
  const [road, ...others] = layers.road ?? []
  assert.equal(others.length, 0, "parts of one street are joined")
  assert.deepEqual(
    [road?.properties.class, road?.properties.name, road?.properties.oneway],
    ["minor", "Calle", 1],
  )
  assert.ok(road?.geometry.type === "LineString")
  const [start] = road.geometry.coordinates
  assert.ok(Math.abs((start?.[0] ?? 0) - 20.001) < 1e-5 && Math.abs((start?.[1] ?? 0) - 10.003) < 1e-5)
  assert.equal(layers.house_number?.[0]?.properties.number, "12 bis")
  assert.equal(layers.place?.[0]?.properties.name, "Centro")
  assert.equal(layers.land?.[0]?.properties.class, "park")
  assert.equal(layers.area_name?.[0]?.properties.name, "Parque")
  assert.deepEqual(Object.keys(await layersAt(bytes, 8, 10.004, 20.002)), ["ground"])
})

test("a hole of a multipolygon remains a hole", async (t) => {
  const inner = [
    { id: 11, lat: 10.004, lon: 20.002 },
    { id: 12, lat: 10.004, lon: 20.003 },
    { id: 13, lat: 10.005, lon: 20.003 },
  ]
  const { bytes } = await build(t, {
    nodes: [...corners, ...inner],
    ways: [
      { id: 1, refs: [1, 2, 3] },
      { id: 2, refs: [3, 4, 1] },
      { id: 3, refs: [11, 12, 13, 11] },
    ],
    relations: [
      {
        id: 1,
        tags: { type: "multipolygon", natural: "water" },
        members: [
          { type: "way", ref: 1, role: "outer" },
          { type: "way", ref: 2, role: "outer" },
          { type: "way", ref: 3, role: "inner" },
        ],
      },
    ],
  })
  const lake = (await layersAt(bytes, 15, 10.004, 20.002)).water?.find(
    ({ properties }) => properties.class === "lake",
  )
  assert.ok(lake?.geometry.type === "Polygon")
  assert.equal(lake.geometry.coordinates.length, 2)
})

test("the sea is on the right of a coastline, with islands in it", async (t) => {
  const { bytes } = await build(t, {
    nodes: [
      { id: 1, lat: 10.02, lon: 19.98 },
      { id: 2, lat: 10.02, lon: 20.03 },
      ...corners.map((node) => ({ ...node, id: node.id + 10 })),
      { id: 5, lat: 10.025, lon: 20.002, tags: { place: "suburb", name: "North" } },
      { id: 6, lat: 9.98, lon: 20.002, tags: { place: "islet", name: "South" } },
    ],
    ways: [
      { id: 1, refs: [1, 2], tags: { natural: "coastline" } },
      { id: 2, refs: [11, 12, 13, 14, 11], tags: { natural: "coastline" } },
      { id: 3, refs: [11, 13], tags: { highway: "primary" } },
    ],
  })
  const seaAt = async (lat: number, lon: number) => {
    const water = (await layersAt(bytes, 15, lat, lon)).water ?? []
    return water.some(
      ({ properties, geometry }) => properties.class === "sea" && contains(geometry, lon, lat),
    )
  }
  assert.equal(await seaAt(10.01, 20.002), true, "south of the coast")
  assert.equal(await seaAt(10.024, 20.002), false, "north of it")
  assert.equal(await seaAt(10.0045, 20.0025), false, "on the island")
})

function contains(geometry: GeoJSON.Geometry, x: number, y: number): boolean {
  const rings =
    geometry.type === "MultiPolygon" ? geometry.coordinates.flat() : (geometry as GeoJSON.Polygon).coordinates
  let isInside = false
  for (const ring of rings)
    for (const [index, [x1 = 0, y1 = 0]] of ring.entries()) {
      const [x2 = 0, y2 = 0] = ring[index + 1] ?? [x1, y1]
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside
    }
  return isInside
}

test("a road across the antimeridian is drawn on both sides, poles and missing nodes do no harm", async (t) => {
  const { bytes } = await build(t, {
    nodes: [
      { id: 1, lat: 1, lon: 179.999 },
      { id: 2, lat: 1, lon: -179.999 },
      { id: 3, lat: 90, lon: 0, tags: { place: "city", name: "Pole" } },
    ],
    ways: [
      { id: 1, refs: [1, 2, 99], tags: { highway: "motorway" } },
      { id: 2, refs: [98, 97], tags: { highway: "motorway" } },
    ],
  })
  for (const lon of [179.9995, -179.9995]) {
    const road = (await layersAt(bytes, 15, 1, lon)).road?.[0]
    assert.equal(road?.properties.class, "motorway", `at ${lon}`)
  }
  assert.equal((await layersAt(bytes, 15, 1, 0)).road, undefined, "not around the whole earth")
})

test("an extract without anything to draw is rejected", async (t) => {
  await assert.rejects(build(t, { nodes: [{ id: 1, lat: 1, lon: 1 }] }), EmptyExtract)
})

test("a city is read by the reference implementation of PMTiles, tile by tile", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "vector-tiles-"))
  t.after(() => rm(folder, { recursive: true }))
  const { path, built } = await buildFrom(folder, "examples/maps/montevideo.osm.pbf")
  assert.ok(built.tiles > 500)
  const file = await open(path)
  t.after(() => file.close())
  const read = async (offset: number, length: number) =>
    (await file.read(Buffer.alloc(length), 0, length, offset)).buffer
  const archive = await openArchive(read, (await stat(path)).size)
  const reference = new PMTiles({
    getKey: () => path,
    getBytes: async (offset: number, length: number): Promise<RangeResponse> => {
      const bytes = await read(offset, length)
      return { data: Uint8Array.from(bytes).buffer }
    },
  })
  for (const zoom of [5, 9, 13, 15]) {
    const [x, y] = tileAt(zoom, -34.905, -56.18)
    const [ours, theirs] = [await archive.tile(zoom, x, y), await reference.getZxy(zoom, x, y)]
    assert.ok(ours && theirs, `zoom ${zoom}`)
    assert.deepEqual(gunzipSync(ours), Buffer.from(theirs.data))
  }
  assert.equal(await archive.tile(15, 0, 0), undefined)
  assert.equal(((await archive.metadata()) as { attribution: string }).attribution, "© Test")
})

test("a damaged archive is rejected", async (t) => {
  const { bytes } = await build(t, {
    nodes: corners,
    ways: [{ id: 1, refs: [1, 2], tags: { highway: "primary" } }],
  })
  await assert.rejects(readFrom(Buffer.from("no archive")), ArchiveError)
  await assert.rejects(readFrom(bytes.subarray(0, 130)), ArchiveError)
  for (const at of [8, 16, 128, 131]) {
    const changed = Buffer.from(bytes)
    changed.fill(0xff, at, at + 7)
    await assert.rejects(readFrom(changed), ArchiveError, `bytes from ${at}`)
  }
})
