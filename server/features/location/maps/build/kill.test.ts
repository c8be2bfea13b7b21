import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import { gunzipSync } from "node:zlib"
import { createObjects } from "#core/objects/objects.ts"
import { extractBytes } from "#packages/osm-extract/testing/encode.ts"
import { anOrganization } from "#samples/builders.ts"
import { anS3Store } from "#testing/services/s3-store.ts"
import { testApp, tokenOf } from "#testing/test-app.ts"
import { temporaryFolder } from "#testing/test-process.ts"
import { mapStoreOf } from "../serve/map-store.ts"
import { buildMap } from "./build-job.ts"

/** Steps of the build process, storing files, and the transaction that makes the new version current. */
const moments = process.env.FIELDWAY_LONG
  ? ["streets", "roads", "addresses", "files", "publish streets", "publish roads", "publish addresses"]
  : ["publish addresses"]

const village = (name: string) =>
  extractBytes({
    nodes: [
      { id: 1, lat: 10.003, lon: 20.001 },
      { id: 2, lat: 10.003, lon: 20.004 },
    ],
    ways: [{ id: 1, refs: [1, 2], tags: { highway: "residential", name } }],
  })

test("a build that is killed leaves the old map, and each node fetches the map from the store", async (t) => {
  const objectsUrl = (await anS3Store(t)).href
  const { app, sql, as, config, jobContext } = await testApp(t, { OBJECTS_URL: objectsUrl })
  const org = await anOrganization(sql)
  await sql`insert into installation (operator_organization_id) values (${org.id}) on conflict do nothing`
  const owner = as(org.owner)
  const build = async (name: string) => {
    const file = { filename: "village.osm.pbf", content: village(name) }
    const reply = await owner.expect(200).upload("/map-regions", { name: "village", file })
    await buildMap.handle(jobContext(), { buildId: reply.json().data.buildId })
  }
  const shownNames = async () => {
    mapStoreOf({ sql, objects: app.objects, config }).invalidate()
    const headers = { authorization: `Bearer ${await tokenOf(sql, org.owner)}`, "accept-encoding": "gzip" }
    const tile = await app.inject({ url: "/maps/village/15/18204/15468.mvt", headers })
    const roads = (await owner.get("/road/nearest/v1/car/20.002,10.003")).json()
    const found = (await owner.get("/places/search?q=Street&format=jsonv2")).json()
    return [tile.headers.etag, roads.waypoints?.[0].name, found[0]?.name]
  }
  await build("Old Street")
  const before = await shownNames()
  assert.deepEqual(before.slice(1), ["Old Street", "Old Street"])
  const folder = await temporaryFolder(t)
  const extract = join(folder, "new.osm.pbf")
  await writeFile(extract, village("New Street"))
  const script = join(import.meta.dirname, "../fixtures/killed-build.ts")
  for (const moment of moments) {
    const environment = { DATABASE_URL: config.databaseUrl, DATA_DIR: folder, OBJECTS_URL: objectsUrl }
    const child = spawn(process.execPath, [script, moment, extract], {
      env: { ...process.env, ...environment, LOG_LEVEL: "silent" },
      stdio: ["ignore", "ignore", "inherit"],
    })
    const [, signal] = await once(child, "exit")
    assert.equal(signal, "SIGKILL", moment)
    assert.deepEqual(await shownNames(), before, moment)
  }
  if (process.env.FIELDWAY_LONG) {
    await build("New Street")
    assert.deepEqual((await shownNames()).slice(1), ["New Street", "New Street"])
  }
  // Another node has nothing but the database and the store.
  const objects = await createObjects(config)
  const other = mapStoreOf({ sql, objects, config: { ...config, dataDir: await temporaryFolder(t) } })
  const opened = await other.opened("village")
  const tile = await opened?.archive.tile(15, 18204, 15468)
  assert.match(
    gunzipSync(tile ?? Buffer.alloc(0)).toString("latin1"),
    process.env.FIELDWAY_LONG ? /New Street/ : /Old Street/,
  )
})
