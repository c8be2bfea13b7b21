import assert from "node:assert/strict"
import { test } from "node:test"
import { aUser } from "#samples/builders.ts"
import { toT3 } from "#shared/wire-time.ts"
import { testOrganization } from "#testing/test-app.ts"

const minutesAgo = (minutes: number) => toT3({ epochMilliseconds: Date.now() - minutes * 60_000 })

test("a record is replaced, patched and removed under the id that it always had", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [driver, other] = [
    await aUser(sql, { org, role: "field user" }),
    await aUser(sql, { org, role: "field user" }),
  ]
  const point = { email: driver.email, lat: 1, lon: 2, speed: 30, notes: "gate", createdTime: minutesAgo(9) }
  const made = (await as(driver).post("/location-history", point)).json().location_history
  const path = `/location-history/${made._id}`
  const patched = await as(driver).patch(path, { speed: 31, lat: 1.5, createdFrom: "beacon" })
  assert.equal(patched.json().message, "Data has been updated successfully.")
  const after = patched.json().location_history
  assert.deepEqual(
    [
      after._id,
      after.speed,
      after.lat,
      after.lon,
      after.notes,
      after.createdFrom,
      after.updatedBy,
      after.isLatest,
    ],
    [made._id, 31, 1.5, 2, "gate", "beacon", driver.email, true],
  )
  const replaced = (await as(driver).put(path, { email: driver.email, lat: 3, lon: 4 })).json()
    .location_history
  assert.deepEqual([replaced.speed, replaced.notes, replaced.createdFrom], [0, null, "mileAppField"])
  const received = made.time - 5000
  const timed = (await as(driver).put(path, { email: driver.email, lat: 3, lon: 4, time: received })).json()
  assert.deepEqual([timed.location_history.time, timed.location_history._id], [received, made._id])
  assert.equal((await as(driver).put(path, { email: driver.email, lat: 3 })).json().failedCode, "lochi-001")
  assert.equal((await as(driver).patch(path, { email: other.email })).json().failedCode, "lochi-035")
  assert.equal((await as(other).patch(path, { speed: 1 })).json().failedCode, "lochi-035")
  const given = (await as(org.owner).patch(path, { email: other.email })).json().location_history
  assert.deepEqual([given._id, given.email], [made._id, other.email])
  assert.deepEqual((await as(other).get(path)).json().location_history, given)
  const byTime = await as(org.owner).put("/location-history", { ...point, email: other.email, speed: 5 })
  assert.deepEqual([byTime.json().message, byTime.json().location_history.speed], ["Success", 5])
  const removed = await as(other).delete(path)
  assert.deepEqual([removed.statusCode, removed.json().location_history._id], [200, made._id])
  assert.equal((await as(other).delete(path)).json().failedCode, "lochi-033")
  assert.equal((await as(org.owner).get("/location-histories")).json().tasks.total, 0)
  const people = (await as(org.owner).get("/positions")).json().data
  assert.ok(people.every((person: { movement: string }) => person.movement === "never-seen"))
})

test("a change may not make two records the same point", async (t) => {
  const { as, org } = await testOrganization(t)
  const point = { email: org.owner.email, lat: 1, lon: 2, createdTime: minutesAgo(9) }
  await as(org.owner).post("/location-history", point)
  const second = (await as(org.owner).post("/location-history", { ...point, lat: 1.1 })).json()
    .location_history
  const refused = await as(org.owner).patch(`/location-history/${second._id}`, { lat: 1, lon: 2 })
  assert.equal(refused.json().failedCode, "lochi-002")
})
