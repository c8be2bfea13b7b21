import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, aUser } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"

test("a tracking link shows one person's last position of its day, and nothing else", async (t) => {
  const { sql, as, nobody, clock, org } = await testOrganization(t)
  const [driver, other] = [await aUser(sql, { org }), await aUser(sql, { org })]
  for (const [email, lat] of [
    [driver.email, 10],
    [driver.email, 11],
    [other.email, 12],
  ] as const)
    await as(org.owner).post("/location-history", { email, lat, lon: 5, data: { secret: 1 } })
  const made = await as(org.owner).post("/location-history/generate-token", { email: driver.email })
  assert.deepEqual([made.statusCode, made.json().message], [200, "Success."])
  const { token } = made.json()
  const outer = JSON.parse(Buffer.from(token, "base64").toString())
  assert.deepEqual(Object.keys(outer), ["data", "expiration"])
  const left = Date.parse(outer.expiration) - clock.now().epochMilliseconds
  assert.ok(left > 6.99 * 86_400_000 && left <= 7 * 86_400_000)
  for (const path of [token, encodeURIComponent(token)]) {
    const seen = (await nobody.get(`/location-history/tracking/${path}?email=${other.email}&limit=50`)).json()
    assert.deepEqual([seen.status, seen.tasks.total, seen.tasks.data.length], [true, 1, 1])
    const [record] = seen.tasks.data
    assert.deepEqual([record.email, record.lat, record.isLatest], [driver.email, 11, true])
    for (const hidden of ["data", "createdBy", "updatedBy"]) assert.ok(!(hidden in record))
  }
  const empty = (
    await as(org.owner).post("/location-history/generate-token", { email: driver.email, date: "2020-01-01" })
  ).json()
  assert.equal((await nobody.get(`/location-history/tracking/${empty.token}`)).json().tasks.total, 0)
  assert.equal((await nobody.get("/location-history/tracking/nonsense")).statusCode, 400)
  const tampered = Buffer.from(
    JSON.stringify({ ...outer, data: outer.data.replace(/.{6}$/, "AAAAA=") }),
  ).toString("base64")
  assert.equal((await nobody.get(`/location-history/tracking/${tampered}`)).statusCode, 400)
})

test("a tracking link can be revoked, and ends after seven days", async (t) => {
  const { sql, as, nobody, clock, org } = await testOrganization(t)
  const driver = await aUser(sql, { org, role: "field user" })
  const make = async () =>
    (await as(org.owner).post("/location-history/generate-token", { email: driver.email })).json().token
  const [revoked, kept] = [await make(), await make()]
  const links = (await as(org.owner).get("/location-links")).json().data
  assert.equal(links.length, 2)
  assert.equal((await as(driver).delete(`/location-link/${links[1]._id}`)).statusCode, 403)
  await as(org.owner).delete(`/location-link/${links[1]._id}`)
  const open = async (token: string) => (await nobody.get(`/location-history/tracking/${token}`)).statusCode
  assert.deepEqual((await Promise.all([revoked, kept].map(open))).sort(), [200, 401])
  clock.move({ hours: 24 * 7 + 1 })
  const late = await nobody.get(`/location-history/tracking/${kept}`)
  assert.deepEqual(
    [late.statusCode, late.json().failedCode, late.json().message],
    [401, "lochi-034", "Your tracking token has expired"],
  )
  clock.move({ hours: -24 * 7 - 1 })
  assert.equal(
    (await as(org.owner).post("/location-history/generate-token", { email: "x@nowhere.test" })).json()
      .failedCode,
    "lochi-004",
  )
})

test("a tracking link of somebody outside the caller's hubs cannot be revoked", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [north, south] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const driver = await aUser(sql, { org, hubs: [north] })
  await as(org.owner).post("/location-history/generate-token", { email: driver.email })
  const [link] = (await as(org.owner).get("/location-links")).json().data
  const [elsewhere, near] = [
    await aUser(sql, { org, hubs: [south], permissions: ["view/tracking"] }),
    await aUser(sql, { org, hubs: [north], permissions: ["view/tracking"] }),
  ]
  assert.equal((await as(elsewhere).delete(`/location-link/${link._id}`)).statusCode, 404)
  assert.equal((await as(org.owner).get("/location-links")).json().data.length, 1)
  assert.equal((await as(near).delete(`/location-link/${link._id}`)).statusCode, 200)
})
