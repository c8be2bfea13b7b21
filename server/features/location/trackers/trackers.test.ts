import assert from "node:assert/strict"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { test } from "node:test"
import { bytesOfSample, samples } from "#packages/tracker-protocols/fixtures/samples.ts"
import { aHub, anOrganization, aUser } from "#samples/builders.ts"
import { aTracker } from "#samples/location-builders.ts"
import { testApp } from "#testing/test-app.ts"
import { recorderOf } from "../positions/index.ts"
import { trackerJobs } from "./index.ts"
import {
  host,
  listenForTrackers,
  TestDevice,
  teltonikaLogin,
  teltonikaPacket,
} from "./tracker-device.fixture.ts"

const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1000) * 1000 - minutes * 60_000
const drive = [3, 2, 1].map((minutes, index) => ({
  time: minutesAgo(minutes),
  latitude: 52.1 + index * 0.01,
  longitude: 5.1,
}))
let lastImei = 356_307_040_000_000
const newImei = () => String(++lastImei)

test("a registered device's positions reach the map, its acknowledgement follows the commit, and a repetition is stored once", async (t) => {
  const server = await testApp(t)
  const { sql, as } = server
  const trackers = await listenForTrackers(server, ["teltonika"])
  t.after(() => trackers.close())
  const org = await anOrganization(sql)
  const driver = await aUser(sql, { org, role: "field user" })
  const imei = newImei()
  const made = await as(org.owner).post("/tracker", {
    imei: `${imei.slice(0, 6)} ${imei.slice(6)}`,
    name: "Van 3",
    protocol: "teltonika",
    userId: driver.id,
  })
  assert.equal(made.statusCode, 201, made.body)
  for (let round = 0; round < 2; round++) {
    const device = await TestDevice.connect(trackers.portOf("teltonika"))
    // The login and the packet arrive in one piece, the packet's end later.
    const packet = teltonikaPacket(drive)
    device.send(Buffer.concat([teltonikaLogin(imei), packet.subarray(0, 50)]))
    assert.equal(await device.receive(1), "01")
    device.send(packet.subarray(50))
    assert.equal(await device.receive(4), "00000003")
    device.end()
  }
  const { data: people } = (await as(org.owner).get("/positions")).json()
  const position = people.find((one: { userId: string }) => one.userId === driver.id)
  assert.deepEqual(
    [position.lat, position.lon, position.speed, position.battery, position.createdFrom, position.bearing],
    [52.12, 5.1, 36, 85, "teltonika", 90],
  )
  assert.deepEqual(position.attributes, { ignition: true, externalVolts: 14.233, odometer: 2656.224 })
  const { tasks } = (await as(driver).get("/location-histories?sortOrder=asc")).json()
  assert.equal(tasks.total, 3)
  assert.deepEqual(tasks.data[0].data, {
    ignition: true,
    externalVolts: 14.233,
    odometer: 2656.224,
    satellites: 9,
  })
  const { data: list, ports } = (await as(org.owner).get("/trackers")).json()
  assert.deepEqual(
    [list[0].imei, list[0].email, list[0].messageCount, list[0].lastRefusal],
    [imei, driver.email, 4, null],
  )
  assert.deepEqual(list[0].attributes.ignition, true)
  assert.ok(list[0].lastContactTime)
  assert.deepEqual(ports, [])
  const log = (await as(org.owner).get(`/tracker/${made.json().data._id}/messages`)).json().data
  assert.deepEqual(
    log.map(({ number, kind, positions }: Record<string, unknown>) => [number, kind, positions]),
    [
      [4, "position", 3],
      [3, "login", 0],
      [2, "position", 3],
      [1, "login", 0],
    ],
  )
  assert.equal(log[1].hex, Buffer.from(teltonikaLogin(imei)).toString("hex"))
})

test("a device that is not registered is listed for the operator alone, stores nothing, and belongs to one organization", async (t) => {
  const server = await testApp(t)
  const { sql, as } = server
  const trackers = await listenForTrackers(server, ["teltonika", "h02"])
  t.after(() => trackers.close())
  const org = await anOrganization(sql)
  const other = await anOrganization(sql)
  await sql`
    insert into installation (operator_organization_id) values (${org.id})
    on conflict do nothing`
  await sql`update installation set operator_organization_id = ${org.id}`
  const imei = newImei()
  const refused = await TestDevice.connect(trackers.portOf("teltonika"))
  refused.send(Buffer.concat([teltonikaLogin(imei), teltonikaPacket(drive)]))
  assert.equal(await refused.receive(1), "00")
  await refused.closed()
  assert.equal(await refused.receive(4), "", "the packet is not acknowledged")

  const { data: unknown } = (await as(org.owner).get("/unknown-trackers")).json()
  const listed = unknown.find((one: { imei: string }) => one.imei === imei)
  assert.deepEqual([listed.protocol, listed.address], ["teltonika", "127.0.0.1"])
  assert.equal((await as(other.owner).get("/unknown-trackers")).statusCode, 403)
  assert.equal((await as(other.owner).get("/trackers")).json().maySeeUnknown, false)

  const body = { imei, name: "Van", protocol: "h02" }
  const made = await as(org.owner).post("/tracker", { ...body, userId: org.owner.id })
  const taken = await as(other.owner).post("/tracker", { ...body, userId: other.owner.id })
  assert.deepEqual([made.statusCode, taken.statusCode], [201, 409])
  assert.deepEqual((await as(other.owner).get("/trackers")).json().data, [])
  const foreign = await as(org.owner).post("/tracker", { ...body, imei: newImei(), userId: other.owner.id })
  assert.deepEqual([foreign.statusCode, foreign.json().failedCode], [400, "lochi-004"])

  // Registered for another protocol: still not stored, with the reason.
  const mistaken = await TestDevice.connect(trackers.portOf("teltonika"))
  mistaken.send(teltonikaLogin(imei))
  assert.equal(await mistaken.receive(1), "00")
  await mistaken.closed()
  const [row] = (await as(org.owner).get("/trackers")).json().data
  assert.match(row.lastRefusal, /registered for h02/)
  const path = `/tracker/${made.json().data._id}`
  const corrected = { name: "Van", protocol: "teltonika", userId: org.owner.id }
  assert.equal((await as(org.owner).put(path, corrected)).json().data.lastRefusal, null)
  const accepted = await TestDevice.connect(trackers.portOf("teltonika"))
  accepted.send(Buffer.concat([teltonikaLogin(imei), teltonikaPacket(drive)]))
  assert.equal(await accepted.receive(5), "0100000003")
  accepted.end()
  const left = (await as(org.owner).get("/unknown-trackers")).json().data
  assert.ok(!left.some((one: { imei: string }) => one.imei === imei))
  assert.equal((await as(org.owner).delete(path)).statusCode, 200)
})

test("messages are shown to those who may see the person, and go after 30 days", async (t) => {
  const { sql, as, clock, jobContext } = await testApp(t)
  const org = await anOrganization(sql)
  const [north, south] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const driver = await aUser(sql, { org, role: "field user", hubs: [north] })
  const manager = await aUser(sql, { org, permissions: ["edit/member", "view/tracking"], hubs: [south] })
  const { id } = await aTracker(sql, { org, person: driver })
  assert.equal((await as(manager).get(`/tracker/${id}/messages`)).statusCode, 403)
  assert.equal((await as(driver).get("/trackers")).statusCode, 403)
  const insert = (days: number, slot: number) => sql`
    insert into tracker_messages (organization_id, tracker_id, slot, number, received_at, kind, content, size, positions)
    values (${org.id}, ${id}, ${slot}, ${slot}, ${clock.now().subtract({ hours: 24 * days })}, 'login', '\\x01', 1, 0)`
  await insert(1, 1)
  await insert(31, 2)
  const numbers = async () =>
    (await as(org.owner).get(`/tracker/${id}/messages`))
      .json()
      .data.map((one: { number: number }) => one.number)
  assert.deepEqual(await numbers(), [1])
  for (const job of trackerJobs) await job.handle(jobContext(), {})
  assert.equal((await sql`select 1 from tracker_messages where tracker_id = ${id}`).length, 1)
})

test("a sample of each protocol is stored with its time, and the log keeps the last 100 messages", async (t) => {
  const server = await testApp(t)
  const { sql } = server
  const org = await anOrganization(sql)
  const names = ["gt06", "h02", "tk103", "queclink", "meitrack"] as const
  for (const name of names) {
    const sample = samples.find(
      ({ protocol, expected }) => protocol === name && Array.isArray(expected.positions),
    )
    assert.ok(sample)
    const [expected] = sample.expected.positions as { recordedAt: string; latitude: number }[]
    assert.ok(expected)
    const now = () => Temporal.Instant.from(expected.recordedAt).add({ minutes: 5 })
    const trackers = await listenForTrackers(server, [name], { clock: { now } })
    const { id } = await aTracker(sql, {
      org,
      person: org.owner,
      imei: sample.expected.device as string,
      protocol: name,
    })
    const device = await TestDevice.connect(trackers.portOf(name))
    const count = name === "h02" ? 120 : 1
    const frame = bytesOfSample(sample.frame)
    device.send(
      Buffer.concat([bytesOfSample(sample.before ?? ""), ...Array.from({ length: count }, () => frame)]),
    )
    const stored = async () =>
      await sql<{ lat: number; at: Temporal.Instant }[]>`
        select lat, recorded_at as at from location_points p join organizations o on o.number = p.organization_number
        where o.id = ${org.id} and recorded_at = ${expected.recordedAt}::timestamptz`
    const logged = async () =>
      (await sql<{ n: number }[]>`select messages as n from trackers where id = ${id}`)[0]?.n ?? 0
    while ((await logged()) < count) await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(
      (await stored()).map(({ lat }) => lat),
      [expected.latitude],
      name,
    )
    device.end()
    await trackers.close()
    if (name === "h02") {
      const kept = await sql`select 1 from tracker_messages where tracker_id = ${id}`
      assert.equal(kept.length, 100)
    }
  }
})

test("over UDP a registered device is acknowledged, others are not", async (t) => {
  const server = await testApp(t)
  const { sql, as } = server
  const trackers = await listenForTrackers(server, ["h02"])
  t.after(() => trackers.close())
  const org = await anOrganization(sql)
  const { imei } = await aTracker(sql, { org, person: org.owner, imei: "4210051415", protocol: "h02" }).catch(
    () => aTracker(sql, { org, person: org.owner, imei: "4210051499", protocol: "h02" }),
  )
  const at = new Date(minutesAgo(2)).toISOString()
  const time = at.slice(11, 19).replaceAll(":", "")
  const date = `${at.slice(8, 10)}${at.slice(5, 7)}${at.slice(2, 4)}`
  const frame = (id: string) => `*HQ,${id},V1,${time},A,5206.0000,N,00506.0000,E,010.00,090,${date},FFFFFFFF#`
  const socket = createSocket("udp4")
  t.after(() => socket.close())
  socket.send(frame(newImei()), trackers.portOf("h02"), host)
  socket.send(frame(imei), trackers.portOf("h02"), host)
  const [response] = (await once(socket, "message")) as [Buffer]
  assert.match(response.toString(), new RegExp(`^\\*HQ,${imei},V4,V1,\\d{14}#$`))
  const [position] = (await as(org.owner).get("/positions")).json().data
  assert.deepEqual([position.lat, position.speed, position.attributes.ignition], [52.1, 18.52, true])
})

test("what was not acknowledged is sent again and stored once", async (t) => {
  const server = await testApp(t)
  const { sql, as, app } = server
  const org = await anOrganization(sql)
  const { imei } = await aTracker(sql, { org, person: org.owner })
  const real = recorderOf(app.sql)
  let fault: "before" | "after" | undefined = "before"
  const recorder: typeof real = {
    async record(...points) {
      const current = fault
      fault = current === "before" ? "after" : undefined
      if (current === "before") throw new Error("the database is away")
      const outcomes = await real.record(...points)
      if (current === "after") throw new Error("the connection was lost after the commit")
      return outcomes
    },
  }
  const trackers = await listenForTrackers(server, ["teltonika"], { recorder })
  t.after(() => trackers.close())
  const received: string[] = []
  while (!received.includes("00000003") && received.length < 5) {
    const device = await TestDevice.connect(trackers.portOf("teltonika"))
    device.send(teltonikaLogin(imei))
    assert.equal(await device.receive(1), "01")
    device.send(teltonikaPacket(drive))
    received.push(await device.receive(4))
    device.end()
  }
  assert.deepEqual(received, ["", "", "00000003"])
  assert.equal((await as(org.owner).get("/location-histories")).json().tasks.total, 3)
})

test("positions that can never be stored are acknowledged, and the reason is shown", async (t) => {
  const server = await testApp(t)
  const { sql, as } = server
  const trackers = await listenForTrackers(server, ["teltonika"])
  t.after(() => trackers.close())
  const org = await anOrganization(sql)
  const { imei } = await aTracker(sql, { org, person: org.owner })
  const device = await TestDevice.connect(trackers.portOf("teltonika"))
  const old = { time: Date.UTC(2007, 6, 25), latitude: 52, longitude: 5 }
  device.send(Buffer.concat([teltonikaLogin(imei), teltonikaPacket([old, ...drive])]))
  assert.equal(await device.receive(5), "0100000004")
  device.end()
  const [row] = (await as(org.owner).get("/trackers")).json().data
  assert.match(row.lastRefusal, /older than the retention period/)
  assert.equal((await as(org.owner).get("/location-histories")).json().tasks.total, 3)
})
