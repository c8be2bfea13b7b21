import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, anOrganization, aUser } from "#samples/builders.ts"
import { toT3 } from "#shared/wire-time.ts"
import { testOrganization } from "#testing/test-app.ts"
import { geofenceJobs } from "../jobs.ts"
import { lookAround } from "../look-around.ts"
import { insertGeofences } from "./areas.ts"

const ring = [
  [5, 52],
  [5.02, 52],
  [5.02, 52.02],
  [5, 52.02],
  [5, 52],
]
const yard = {
  name: "Yard",
  group: "Sites",
  color: "#aa3300",
  geometry: { type: "Polygon", coordinates: [ring] },
}

const kml = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>
  <Style id="red"><LineStyle><color>ff00ff00</color></LineStyle><PolyStyle><color>7f0000ff</color></PolyStyle></Style>
  <Folder><name>North &amp; East</name>
    <Placemark><name>Block</name><styleUrl>#red</styleUrl><Polygon>
      <outerBoundaryIs><LinearRing><coordinates>5,52,0 5.1,52,0 5.1,52.1,0 5,52,0</coordinates></LinearRing></outerBoundaryIs>
      <innerBoundaryIs><LinearRing><coordinates>5.05,52.01 5.06,52.01 5.06,52.02 5.05,52.01</coordinates></LinearRing></innerBoundaryIs>
    </Polygon></Placemark>
    <Placemark><name>Road</name><ExtendedData><Data name="widthMeters"><value>40</value></Data></ExtendedData>
      <MultiGeometry><LineString><coordinates>5,52 5.1,52.1</coordinates></LineString><Point><coordinates>5,52</coordinates></Point></MultiGeometry>
    </Placemark>
    <Placemark><name>Broken</name><Polygon><outerBoundaryIs><LinearRing><coordinates>5,x 6,52</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
  </Folder></Document></kml>`

test("geofences are created, changed, imported, exported and kept within hubs", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const planner = await aUser(sql, { org, role: "planner", hubs: [hub] })
  const owner = as(org.owner)
  const made = (await owner.post("/geofence", { ...yard, hubId: hub.id })).json().data
  assert.deepEqual([made.type, made.group, made.geometry], ["polygon", "Sites", yard.geometry])
  assert.equal((await owner.post("/geofence", { ...yard, hubId: hub.id })).json().failedCode, "geofn-034")
  const crossed = {
    type: "Polygon",
    coordinates: [
      [
        [5, 52],
        [6, 53],
        [6, 52],
        [5, 53],
      ],
    ],
  }
  assert.equal((await owner.post("/geofence", { ...yard, geometry: crossed })).json().failedCode, "geofn-016")
  const circle = { ...yard, geometry: { type: "Point", coordinates: [5, 52] }, radiusMeters: 70 }
  assert.equal((await owner.put(`/geofence/${made._id}`, circle)).json().data.radiusMeters, 70)
  const imported = (await owner.post("/geofences/import", { content: kml, hubId: hub.id })).json().data
  assert.deepEqual([imported.created, imported.replaced, imported.totalFailed], [3, 0, 1])
  assert.deepEqual(imported.failed[0].name, "Broken")
  assert.equal(
    (await owner.post("/geofences/import", { content: kml, hubId: hub.id })).json().data.replaced,
    3,
  )
  const geojson = (await as(planner).get("/geofences/geojson")).json()
  const shown = geojson.features.map(
    ({ properties, geometry }: { properties: Record<string, unknown>; geometry: { type: string } }) => [
      properties.group,
      properties.name,
      properties.color,
      geometry.type,
      properties.widthMeters ?? properties.radiusMeters,
    ],
  )
  assert.deepEqual(shown, [
    ["North & East", "Block", "#ff0000", "Polygon", undefined],
    ["North & East", "Road", "#c7791a", "LineString", 40],
    ["North & East", "Road (2)", "#c7791a", "Point", 100],
    ["Sites", "Yard", "#aa3300", "Point", 70],
  ])
  // What was exported reads back as the same geofences.
  const written = (await as(planner).get("/geofences/kml")).body
  for (const content of [JSON.stringify(geojson), written]) {
    const other = await anOrganization(sql)
    await as(other.owner).post("/geofences/import", { content })
    const copied = (await as(other.owner).get("/geofences/geojson")).json()
    const kept = ({ geometry, properties }: { geometry: unknown; properties: object }) => ({
      ...{ geometry, ...properties, hubId: null },
    })
    assert.deepEqual(copied.features.map(kept), geojson.features.map(kept))
  }
  const elsewhere = await aUser(sql, { org, role: "planner", hubs: [await aHub(sql, { org })] })
  assert.equal((await as(elsewhere).get("/geofences")).json().data.total, 1)
  const box = (await owner.get("/geofences?bbox=5.04,52.03,5.06,52.05")).json().data
  assert.equal(box.total, 2)
  for (const content of [
    '<!DOCTYPE kml [<!ENTITY a "b">]><kml>&a;</kml>',
    `<kml>${"<Folder>".repeat(100)}`,
    "<kml><Placemark>",
    "{}",
    '{"type":"FeatureCollection","features":[]}',
    "[".repeat(5000),
  ])
    assert.equal((await owner.post("/geofences/import", { content })).json().failedCode, "geofn-038")
})

test("people enter and leave geofences, and GPS jumps do not count", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const driver = await aUser(sql, { org, role: "field user" })
  const { _id: id } = (await as(org.owner).post("/geofence", yard)).json().data
  const now = Temporal.Now.instant()
  const many = Array.from({ length: 2_000 }, (_, index) => ({
    ...{ hubId: null, name: `F${index}`, group: "many", color: "#000000" },
    shape: {
      kind: "circle" as const,
      center: [4 + (index % 40) * 0.02, 50 + index * 0.0009] as const,
      radiusMeters: 50,
    },
  }))
  await insertGeofences(sql as never, { organizationId: org.id, email: org.owner.email } as never, many, now)
  const send = (points: readonly (readonly [minutes: number, lng: number, lat: number])[]) =>
    as(driver).post("/location-history/bulk", {
      location_histories: points.map(([minutes, lon, lat]) => ({
        ...{ email: driver.email, lat, lon },
        createdTime: toT3({ epochMilliseconds: Date.now() - minutes * 60_000 }),
      })),
    })
  const visits = async () =>
    (await as(org.owner).get(`/location-visits?placeType=geofence&placeId=${id}`))
      .json()
      .data.map(
        ({ placeName, leftTime }: Record<string, unknown>) => `${placeName} ${leftTime ? "left" : "there"}`,
      )
  // A jump of 8 km within two seconds, and back: nobody drives like that.
  await send([
    [60, 5.12, 52.01],
    [59, 5.12, 52.01],
    [58, 5.01, 52.01],
    [57.99, 5.12, 52.01],
    [56, 5.12, 52.01],
  ])
  for (const job of geofenceJobs) await job.handle(jobContext(), {})
  assert.deepEqual(await visits(), [])
  await send([
    [12, 5.03, 52.01],
    [4, 5.01, 52.01],
    [3, 5.011, 52.011],
  ])
  await lookAround.handle(jobContext(), {})
  assert.deepEqual(await visits(), ["Yard there"])
  await send([
    [2, 5.0205, 52.01],
    [1, 5.03, 52.01],
    [0.3, 5.04, 52.01],
  ])
  await lookAround.handle(jobContext(), {})
  await lookAround.handle(jobContext(), {})
  assert.deepEqual(await visits(), ["Yard left"])
  const events =
    await sql`select from domain_events where organization_id = ${org.id} and event = 'onGeofence'`
  assert.equal(events.length, 2)
  await as(org.owner).delete(`/geofence/${id}`)
  assert.deepEqual(await visits(), ["null left"])
})
