import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"
import { reportBreaksOutside } from "./report-breaks.ts"

test("ruling 44: vehicles that were stored with a break outside their working time are reported at the start", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const make = async (name: string, workingTime: object, breakTime: object) => {
    const reply = await as(org.owner).post("/vehicle", { hubId: hub.id, name, workingTime, breakTime })
    assert.ok(reply.statusCode < 300, reply.body)
  }
  const day = { startTime: "08:00", endTime: "17:00" }
  const night = { startTime: "19:00", endTime: "05:00", multiday: 1 }
  await make("Noon", day, { startTime: "12:00", endTime: "12:30" })
  await make("Dawn", day, { startTime: "06:00", endTime: "06:30" })
  await make("Midnight", night, { startTime: "00:30", endTime: "01:00" })
  await make("Morning", night, { startTime: "06:00", endTime: "06:30" })
  const warned: unknown[] = []
  const log = { warn: (entry: unknown) => void warned.push(entry) }
  await reportBreaksOutside(sql, log)
  const [entry] = warned as { count: number; vehicles: { name: string }[] }[]
  assert.equal(entry?.count, 2)
  assert.deepEqual(entry?.vehicles.map(({ name }) => name).sort(), ["Dawn", "Morning"])
})
