import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, aToken, aUser } from "#samples/builders.ts"
import { aDeviceKey } from "#samples/location-builders.ts"
import { testOrganization } from "#testing/test-app.ts"

/** The same short drive, as the four apps send it. */
const minutesAgo = (minutes: number) => new Date(Math.floor(Date.now() / 1000) * 1000 - minutes * 60_000)
const drive = [
  { at: minutesAgo(9), lat: 52.1, lon: 5.1 },
  { at: minutesAgo(6), lat: 52.11, lon: 5.1 },
  { at: minutesAgo(3), lat: 52.12, lon: 5.1 },
]
const basic = (key: string) => `Basic ${Buffer.from(`fieldway:${key}`).toString("base64")}`

test("OsmAnd, Traccar Client, OwnTracks, Overland and GPX files all end as the same track", async (t) => {
  const { sql, as, app, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const send = (path: string, body: string | undefined, headers: Record<string, string> = {}) =>
    app.inject({
      method: body === undefined ? "GET" : "POST",
      url: `/api/v3/device/${path}`,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    })
  const apps: Record<string, (key: string) => Promise<void>> = {
    osmand: async (key) => {
      for (const { at, lat, lon } of drive) {
        const reply = await send(
          `osmand?key=${key}&lat=${lat}&lon=${lon}&timestamp=${at.getTime()}&speed=20&speedUnit=mps&accuracy=5&batt=77`,
          undefined,
        )
        assert.deepEqual([reply.statusCode, reply.body], [200, ""])
      }
    },
    traccar: async (key) => {
      for (const { at, lat, lon } of drive) {
        const location = {
          timestamp: at.toISOString(),
          coords: { latitude: lat, longitude: lon, speed: 20, accuracy: 5 },
          battery: { level: 0.77, is_charging: false },
        }
        const reply = await send("osmand", JSON.stringify({ location, device_id: key }), {
          "content-type": "application/json",
        })
        assert.equal(reply.statusCode, 200)
      }
    },
    owntracks: async (key) => {
      for (const { at, lat, lon } of drive) {
        const message = {
          _type: "location",
          lat,
          lon,
          tst: at.getTime() / 1000,
          vel: 72,
          acc: 5,
          batt: 77,
          tid: "ab",
        }
        const reply = await send("owntracks", JSON.stringify(message), {
          authorization: basic(key),
          "content-type": "application/json",
        })
        assert.equal(reply.statusCode, 200, reply.body)
        assert.ok(Array.isArray(reply.json()))
      }
    },
    overland: async (key) => {
      const locations = drive.map(({ at, lat, lon }) => ({
        type: "Feature",
        geometry: { type: "Point", coordinates: [lon, lat] },
        properties: {
          timestamp: at.toISOString(),
          speed: 20,
          horizontal_accuracy: 5,
          battery_level: 0.77,
          battery_state: "unplugged",
        },
      }))
      const body = JSON.stringify({
        locations: [...locations, { type: "Feature", properties: {}, geometry: null }],
      })
      for (let times = 0; times < 2; times++) {
        const reply = await send("overland", body, {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
        })
        assert.deepEqual([reply.statusCode, reply.json()], [200, { result: "ok" }])
      }
    },
    gpx: async (key) => {
      const points = drive.map(
        ({ at, lat, lon }) =>
          `<trkpt lat="${lat}" lon="${lon}"><time>${at.toISOString()}</time><speed>20</speed></trkpt>`,
      )
      const reply = await send(
        `gpx?key=${key}`,
        `<gpx version="1.1"><trk><trkseg>${points.join("")}</trkseg></trk></gpx>`,
        { "content-type": "application/gpx+xml" },
      )
      assert.deepEqual([reply.json().stored, reply.json().refused], [3, 0])
    },
  }
  for (const [name, report] of Object.entries(apps)) {
    const person = await aUser(sql, { org, role: "field user", hubs: [hub] })
    const { key } = await aDeviceKey(sql, { org, person })
    await report(key)
    const rows = (await as(person).get("/location-histories?sortOrder=asc")).json().tasks.data
    assert.deepEqual(
      rows.map((row: { lat: number; lon: number; speed: number }) => [row.lat, row.lon, row.speed]),
      drive.map(({ lat, lon }) => [lat, lon, 72]),
      name,
    )
    assert.equal(rows[0].createdFrom, name === "traccar" ? "osmand" : name)
    assert.equal(rows[0].createdBy, person.email)
    const { data } = (await as(person).get(`/positions/${person.id}`)).json()
    if (name !== "gpx") assert.deepEqual([data.battery, data.accuracy], [77, 5], name)
  }
})

/** Twice around a circle of 500 m, a point each five seconds; every third comes twice, one is a jump across town. */
function ride() {
  const [lat, lon, radius, legs] = [48, 11, 500, 60]
  const toDegrees = 180 / Math.PI / 6_371_008.8
  const points = Array.from({ length: 2 * legs + 1 }, (_, index) => {
    const angle = (index / legs) * 2 * Math.PI
    return {
      at: new Date(minutesAgo(20).getTime() + index * 5000),
      lat: lat + radius * Math.cos(angle) * toDegrees,
      lon: lon + (radius * Math.sin(angle) * toDegrees) / Math.cos((lat * Math.PI) / 180),
    }
  })
  const sent = points.flatMap((point, index) => (index % 3 === 0 ? [point, point] : [point]))
  sent.splice(40, 0, { at: new Date((points[30]?.at.getTime() ?? 0) - 2000), lat: lat + 0.2, lon })
  return { sent, kilometers: (2 * legs * 2 * radius * Math.sin(Math.PI / legs)) / 1000 }
}

test("rides sent at once through three protocols become tracks of the right length", async (t) => {
  const { sql, as, app, org } = await testOrganization(t)
  const { sent, kilometers } = ride()
  const post = (url: string, authorization: string, body: object) =>
    app.inject({ method: "POST", url: `/api/v3/device/${url}`, headers: { authorization }, payload: body })
  const senders: ((key: string) => Promise<unknown>)[] = [
    async (key) => {
      for (const { at, lat, lon } of sent)
        await app.inject(`/api/v3/device/osmand?key=${key}&lat=${lat}&lon=${lon}&timestamp=${at.getTime()}`)
    },
    async (key) => {
      for (const { at, lat, lon } of sent)
        await post("owntracks", basic(key), { _type: "location", lat, lon, tst: at.getTime() / 1000 })
    },
    (key) =>
      post("overland", `Bearer ${key}`, {
        locations: sent.map(({ at, lat, lon }) => ({
          type: "Feature",
          geometry: { type: "Point", coordinates: [lon, lat] },
          properties: { timestamp: at.toISOString() },
        })),
      }),
  ]
  await Promise.all(
    senders.map(async (send) => {
      const person = await aUser(sql, { org, role: "field user" })
      await send((await aDeviceKey(sql, { org, person })).key)
      const from = encodeURIComponent(minutesAgo(21).toISOString())
      const { data } = (await as(person).get(`/track/${person.id}?timeFrom=${from}`)).json()
      assert.deepEqual([data.pointCount, data.flaggedCount], [122, 1])
      assert.ok(
        Math.abs(data.totalDistance / kilometers - 1) < 0.01,
        `${data.totalDistance} of ${kilometers}`,
      )
    }),
  )
})

test("OwnTracks shows a sender their colleagues only if their role may see them", async (t) => {
  const { sql, as, app, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const [lead, driver] = [
    await aUser(sql, { org, permissions: ["view/tracking"], hubs: [hub] }),
    await aUser(sql, { org, role: "field user", hubs: [hub], name: "Dee Driver" }),
  ]
  await as(driver).post("/location-history", { lat: 52, lon: 5 })
  const friends = async (person: typeof lead) => {
    const { key } = await aDeviceKey(sql, { org, person })
    const headers = { authorization: basic(key) }
    return (
      await app.inject({ method: "POST", url: "/api/v3/device/owntracks", headers, payload: "" })
    ).json()
  }
  assert.deepEqual(
    (await friends(lead)).map((one: { _type: string; tid: string }) => [one._type, one.tid]),
    [
      ["card", "DD"],
      ["location", "DD"],
    ],
  )
  assert.deepEqual(await friends(driver), [])
})

test("a revoked, unknown or missing device key is refused, and what cannot be stored is answered with 200", async (t) => {
  const { sql, as, app, nobody, org } = await testOrganization(t)
  const [driver, other] = [
    await aUser(sql, { org, role: "field user" }),
    await aUser(sql, { org, role: "field user" }),
  ]
  assert.equal(
    (await as(driver).post("/device-key", { userId: other.id, name: "x" })).json().failedCode,
    "lochi-035",
  )
  // A key has no scopes and outlives the token that made it.
  const { token } = await aToken(sql, { person: driver })
  await nobody.expect(403).post("/device-key", { name: "x" }, { authorization: `Bearer ${token}` })
  const made = (await as(driver).post("/device-key", { name: "My phone" })).json().data
  const link = made.apps.find((one: { app: string }) => one.app === "OwnTracks").link
  const configuration = JSON.parse(
    Buffer.from(decodeURIComponent(link.split("inline=")[1]), "base64").toString(),
  )
  assert.deepEqual([configuration.password, configuration.mode], [made.key, 3])
  const send = async (key: string, query = "lat=1&lon=2") =>
    (await app.inject({ method: "GET", url: `/api/v3/device/osmand?key=${key}&${query}` })).statusCode
  assert.equal(await send(made.key, "lat=91&lon=2"), 200)
  assert.equal(await send(made.key, "lat=1&lon=2&timestamp=1"), 200)
  assert.equal(await send(made.key), 200)
  const [listed] = (await as(driver).get("/device-keys")).json().data
  assert.deepEqual([listed.name, listed.lastProtocol], ["My phone", "osmand"])
  assert.match(listed.lastRefusal, /older than/)
  assert.deepEqual((await as(other).get("/device-keys")).json().data, [])
  assert.equal((await as(other).delete(`/device-key/${made._id}`)).statusCode, 403)
  assert.equal((await as(driver).delete(`/device-key/${made._id}`)).statusCode, 200)
  assert.equal(await send(made.key), 401)
  assert.equal(await send("fd_nothing"), 401)
  assert.equal(await send(""), 401)
  assert.equal((await as(driver).get("/location-histories")).json().tasks.total, 1)
})
