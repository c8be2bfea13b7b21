import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, aUser } from "#samples/builders.ts"
import { toT3 } from "#shared/wire-time.ts"
import { testOrganization } from "#testing/test-app.ts"

test("people on a map are counted in its cells, and only those in sight", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [here, there] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const places = [
    { hub: here, lat: 52.1, lon: 5.1 },
    { hub: here, lat: 52.3, lon: 5.3 },
    { hub: there, lat: -10, lon: 179.5 },
  ]
  for (const { hub, ...place } of places) {
    const driver = await aUser(sql, { org, role: "field user", hubs: [hub] })
    await as(driver)
      .expect(201)
      .post("/location-history", { ...place, createdTime: toT3({ epochMilliseconds: Date.now() - 60_000 }) })
  }
  const counts = async (person: typeof org.owner, query = "") =>
    (await as(person).expect(200).get(`/positions/clusters${query}`)).json().data
  const all = await counts(org.owner)
  assert.deepEqual(
    [all.total, all.seen, all.bounds],
    [4, 3, { west: 5.1, south: -10, east: 179.5, north: 52.3 }],
  )
  const sorted = all.clusters.sort((one: { lon: number }, other: { lon: number }) => one.lon - other.lon)
  assert.deepEqual(
    sorted.map(({ lat, count }: { lat: number; count: number }) => [Number(lat.toFixed(3)), count]),
    [
      [52.2, 2],
      [-10, 1],
    ],
  )
  assert.equal((await counts(org.owner, "?zoom=10")).clusters.length, 3)
  const near = await counts(org.owner, "?zoom=10&bbox=5,52,5.2,53")
  assert.deepEqual([near.total, near.seen, near.clusters], [4, 3, [{ lat: 52.1, lon: 5.1, count: 1 }]])
  assert.deepEqual((await counts(org.owner, "?bbox=179,-20,-179,0")).clusters, [
    { lat: -10, lon: 179.5, count: 1 },
  ])
  assert.equal((await counts(org.owner, `?hubId=${there.id}`)).total, 1)
  const dispatcher = await aUser(sql, { org, hubs: [there], permissions: ["view/tracking"] })
  const ofHub = await counts(dispatcher)
  assert.deepEqual(ofHub.clusters, [{ lat: -10, lon: 179.5, count: 1 }])
  assert.equal((await as(org.owner).get("/positions/clusters?zoom=23")).statusCode, 400)
})
