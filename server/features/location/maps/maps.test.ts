import assert from "node:assert/strict"
import { mkdir, rm, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import { gunzipSync } from "node:zlib"
import { extractBytes } from "#packages/osm-extract/testing/encode.ts"
import { anOrganization, aUser } from "#samples/builders.ts"
import { testApp, tokenOf } from "#testing/test-app.ts"
import { buildMap } from "./build/build-job.ts"
import { lookIntoFolder } from "./drop-folder.ts"
import { installationFolder, mapKey } from "./files.ts"
import { mapJobs } from "./jobs.ts"
import { listBuilds, listRegions } from "./queries.ts"
import { signedQuery } from "./serve/access.ts"

const village = (name: string) =>
  extractBytes({
    nodes: [
      { id: 1, lat: 10.003, lon: 20.001 },
      { id: 2, lat: 10.003, lon: 20.004 },
    ],
    ways: [{ id: 1, refs: [1, 2], tags: { highway: "residential", name } }],
  })
const tilePath = "/maps/village/15/18204/15468.mvt"

/** An installation with the organization that runs it. */
async function anInstallation() {
  const test = await testApp()
  const org = await anOrganization(test.sql)
  await test.sql`delete from installation`
  await test.sql`insert into installation (operator_organization_id) values (${org.id})`
  const upload = async (content: Buffer | string, name = "village") => {
    const reply = await test
      .as(org.owner)
      .expect(200)
      .upload("/map-regions", {
        name,
        file: { filename: "village.osm.pbf", content },
      })
    const { buildId } = reply.json().data
    await buildMap.handle(test.jobContext(), { buildId })
    return buildId
  }
  const get = (url: string, headers: Record<string, string> = {}) =>
    test.app.inject({ url, headers: { "accept-encoding": "gzip", ...headers } })
  const token = { authorization: `Bearer ${await tokenOf(test.sql, org.owner)}` }
  return { ...test, org, upload, get, token }
}

test("an uploaded extract becomes a map, and a new upload replaces it", async () => {
  const { upload, get, token, sql } = await anInstallation()
  await upload(village("Old Street"))
  const before = await get(tilePath, token)
  assert.equal(before.statusCode, 200, before.body)
  assert.equal(before.headers["content-encoding"], "gzip")
  assert.match(gunzipSync(before.rawPayload).toString("latin1"), /Old Street/)
  const again = await get(tilePath, { ...token, "if-none-match": String(before.headers.etag) })
  assert.equal(again.statusCode, 304)

  await upload(village("New Street"))
  // The old version serves until the new one has been copied to this node.
  let after = await get(tilePath, token)
  while (after.headers.etag === before.headers.etag) {
    assert.equal(after.statusCode, 200)
    after = await get(tilePath, token)
  }
  assert.match(gunzipSync(after.rawPayload).toString("latin1"), /New Street/)
  assert.equal((await listRegions(sql)).length, 1)
})

test("tiles open with a token or a signed address only", async () => {
  const { app, upload, get, token } = await anInstallation()
  await upload(village("Street"))
  assert.equal((await get(tilePath)).statusCode, 401)
  assert.equal((await get(`${tilePath}?expires=9999999999&signature=x`)).statusCode, 401)
  const signed = signedQuery(app, "village")
  assert.equal((await get(`${tilePath}?${signed}`)).statusCode, 200)
  assert.equal((await get(`${tilePath.replace("village", "other")}?${signed}`)).statusCode, 401)
  assert.equal((await get("/maps/none/1/0/0.mvt", token)).statusCode, 404)
  assert.equal((await get("/maps/village/15/0/0.mvt", token)).statusCode, 204)
  for (const path of ["/maps/village/99/0/0.mvt", "/maps/village/1/2/0.mvt", "/maps/village/1/0/0.exe"])
    assert.equal((await get(path, token)).statusCode, 404, path)
})

test("the archive is served with ranges, and the style names only this origin", async () => {
  const { upload, get, token } = await anInstallation()
  await upload(village("Street"))
  const part = await get("/maps/village/streets.pmtiles", { ...token, range: "bytes=0-6" })
  assert.deepEqual([part.statusCode, part.body], [206, "PMTiles"])
  assert.match(String(part.headers["content-range"]), /^bytes 0-6\/\d+$/)
  assert.equal(
    (await get("/maps/village/streets.pmtiles", { ...token, range: "bytes=99999999-" })).statusCode,
    416,
  )
  const style = await get("/maps/village/style.json?theme=dark", token)
  const addresses = style.body.match(/https?:\/\/[^/"]+/g) ?? []
  assert.deepEqual([...new Set(addresses)], ["http://fieldway.test"])
  const [tiles = ""] = style.json().sources.village.tiles
  const url = tiles.replace("http://fieldway.test", "").replace("{z}/{x}/{y}", "15/18204/15468")
  assert.equal((await get(url)).statusCode, 200, "its tiles need no token")
})

test("a file that is no map is rejected with the reason, and the old map stays", async () => {
  const { upload, get, token, sql } = await anInstallation()
  await upload(village("Street"))
  for (const content of ["no map", village("Street").subarray(0, 90), Buffer.alloc(0)]) {
    const id = await upload(content)
    const build = (await listBuilds(sql)).find((one) => one.id === id)
    assert.equal(build?.status, "failed")
    assert.match(build?.error ?? "", /not an OpenStreetMap extract|incomplete|empty/)
  }
  assert.equal((await get(tilePath, token)).statusCode, 200)
})

test("only the installation's organization manages maps, everybody sees which there are", async () => {
  const { sql, as, org, upload } = await anInstallation()
  await upload(village("Street"))
  const other = await anOrganization(sql)
  const refused = await as(other.owner).upload("/map-regions", {
    file: { filename: "x.osm.pbf", content: village("X") },
  })
  assert.deepEqual([refused.statusCode, refused.json().failedCode], [403, "map-035"])
  assert.equal((await as(other.owner).delete("/map-regions/village")).statusCode, 403)
  const { data } = (await as(other.owner).get("/map-regions")).json()
  assert.deepEqual([data.regions[0].name, data.builds, data.canManage], ["village", [], false])
  const worker = await aUser(sql, { org, permissions: ["view/task"] })
  assert.equal((await as(worker).delete("/map-regions/village")).statusCode, 403)
  assert.equal((await as(org.owner).delete("/map-regions/village")).statusCode, 200)
  assert.equal((await as(org.owner).delete("/map-regions/village")).statusCode, 404)
})

test("a cancelled build changes nothing", async () => {
  const { sql, as, org, jobContext } = await anInstallation()
  const reply = await as(org.owner).upload("/map-regions", {
    name: "never",
    file: { filename: "x.osm.pbf", content: village("X") },
  })
  const { buildId } = reply.json().data
  assert.equal((await as(org.owner).post(`/map-builds/${buildId}/cancel`)).statusCode, 200)
  await buildMap.handle(jobContext(), { buildId })
  assert.equal(
    (await listRegions(sql)).some(({ name }) => name === "never"),
    false,
  )
})

test("a file in DATA_DIR/maps is built once, and again when it changes", async () => {
  const { jobContext, config, sql } = await anInstallation()
  const folder = join(config.dataDir, "maps")
  await mkdir(folder, { recursive: true })
  const path = join(folder, "Some Island.osm.pbf")
  await writeFile(path, village("Street"))
  assert.equal(await lookIntoFolder(jobContext()), 0, "it may still be growing")
  await utimes(path, 1_700_000_000, 1_700_000_000)
  assert.equal(await lookIntoFolder(jobContext()), 1)
  assert.equal(await lookIntoFolder(jobContext()), 0)
  await utimes(path, 1_700_000_100, 1_700_000_100)
  assert.equal(await lookIntoFolder(jobContext()), 1)
  const build = (await listBuilds(sql)).find(({ region }) => region === "some-island")
  await buildMap.handle(jobContext(), { buildId: build?.id ?? "" })
  assert.ok((await listRegions(sql)).some(({ name }) => name === "some-island"))
  await rm(path)
})

test("files of replaced and removed versions are removed, current ones stay", async () => {
  const { upload, get, token, sql, app, jobContext, clock } = await anInstallation()
  await upload(village("Street"))
  const [region] = (await listRegions(sql)).filter(({ name }) => name === "village")
  const stale = `${installationFolder}/maps/village/6a01c0ff0000000000000000/streets.pmtiles`
  await app.objects.put(stale, Buffer.from("old"))
  const sweep = mapJobs.find(({ name }) => name === "maps.remove-old-versions")
  await sweep?.handle(
    { ...jobContext(), clock: { ...clock, now: () => Temporal.Now.instant().add({ hours: 2 }) } },
    {},
  )
  assert.equal(await app.objects.open(stale), undefined)
  const current = await app.objects.open(mapKey("village", region?.version ?? "", "streets.pmtiles"))
  assert.ok(current)
  current.stream.destroy()
  assert.equal((await get(tilePath, token)).statusCode, 200)
})

test("a building and a park of the map become geofences, also where a tile ends", async () => {
  const { upload, as, org } = await anInstallation()
  const square = (first: number, lat: number, lon: number, size: number) =>
    [
      [0, 0],
      [0, size],
      [size, size],
      [size, 0],
    ].map(([north = 0, east = 0], index) => ({ id: first + index, lat: lat + north, lon: lon + east }))
  const ways = [
    { id: 1, refs: [1, 2, 3, 4, 1], tags: { building: "yes" } },
    { id: 2, refs: [5, 6, 7, 8, 5], tags: { leisure: "park", name: "Parque Grande" } },
    { id: 3, refs: [5, 6], tags: { highway: "residential", name: "Street" } },
  ]
  const nodes = [...square(1, 30.003, 40.003, 0.0004), ...square(5, 30.001, 40.001, 0.05)]
  await upload(extractBytes({ nodes, ways }), "park")
  const areaAt = async (lat: number, lon: number) =>
    (await as(org.owner).get(`/geofences/map-area?lat=${lat}&lon=${lon}`)).json()
  const extentOf = (ring: readonly number[][]) =>
    [0, 1].flatMap((axis) => {
      const values = ring.map((position) => position[axis] ?? 0)
      return [Math.min(...values), Math.max(...values)].map((value) => Math.round(value * 1000) / 1000)
    })
  const building = (await areaAt(30.0032, 40.0032)).data
  assert.deepEqual(
    [building.kind, building.isPart, building.geometry.coordinates[0].length],
    ["building", false, 5],
  )
  assert.deepEqual(extentOf(building.geometry.coordinates[0]), [40.003, 40.003, 30.003, 30.003])
  const park = (await areaAt(30.03, 40.03)).data
  assert.deepEqual([park.kind, park.name, park.isPart], ["park", "Parque Grande", false])
  assert.deepEqual(extentOf(park.geometry.coordinates[0]), [40.001, 40.051, 30.001, 30.051])
  const made = await as(org.owner).post("/geofence", { name: park.name, geometry: park.geometry })
  assert.equal(made.statusCode, 201, made.body)
  assert.equal((await areaAt(30.0005, 40.0005)).failedCode, "geofn-039")
  assert.equal((await areaAt(50, 20)).failedCode, "geofn-039")
})
