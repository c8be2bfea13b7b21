import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, aTask, aTeam, aUser } from "#samples/builders.ts"
import { aTracker } from "#samples/location-builders.ts"
import { toT3 } from "#shared/wire-time.ts"
import { testOrganization } from "#testing/test-app.ts"
import { aFakeProvider } from "../../customers/messages/fixtures/fake-provider.ts"
import { geofenceJobs } from "../../location/geofences/index.ts"
import { listenForTrackers, TestDevice } from "../../location/trackers/tracker-device.fixture.ts"
import { alertJobs, watchAlerts } from "./watch.ts"

test("an alert begins once, notifies, is acknowledged by a person and ends with its cause", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const driver = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const planner = await aUser(sql, { org, role: "planner", hubs: [hub] })
  const stranger = await aUser(sql, { org, role: "planner", hubs: [await aHub(sql, { org })] })
  const [mine, theirs] = [await aTeam(sql, { org, hub }), await aTeam(sql, { org, hub })]
  await sql`insert into user_teams values (${org.id}, ${driver.id}, ${mine.id})`
  const teams = await aUser(sql, { org, role: "planner", hubs: [hub], teams: [theirs] })
  const alone = await aUser(sql, { org, permissions: ["view/tracking", "view/task/only-me"], hubs: [hub] })
  for (const one of [planner, stranger]) await as(one).get("/notices")
  const owner = as(org.owner)
  const recipients = [planner, stranger, teams, alone].map(({ id }) => id)
  const settings = { kilometersPerHour: 90, recipients, channels: ["notice", "email"] }
  const rule = { name: "Too fast", kind: "speed", settings }
  const { _id: ruleId } = (await owner.post("/alert-rule", rule)).json().data
  await owner.post("/alert-rule", { name: "Late", kind: "late", hubId: hub.id, settings: {} })
  const drive = (speed: number, second: number) =>
    as(driver).post("/location-history", {
      ...{ lat: 52 + second / 10_000, lon: 5, speed, accuracy: 5 },
      createdTime: toT3({ epochMilliseconds: Date.now() - 30_000 + second * 1000 }),
    })
  const alerts = async (user: Parameters<typeof as>[0], query = "") => {
    const { data, open } = (await as(user).get(`/alerts?${query}`)).json()
    const rows = data.data.map((alert: Record<string, unknown>) => [
      alert.kind,
      alert.value,
      alert.endedTime === null,
    ])
    return { rows, open, ids: data.data.map(({ _id }: { _id: string }) => _id) }
  }
  const watch = () => watchAlerts.handle(jobContext(), {})
  await drive(110, 1)
  await watch()
  await watch()
  assert.deepEqual((await alerts(planner)).rows, [["speed", 110, true]])
  assert.deepEqual((await alerts(stranger)).rows, [])
  const mails = await sql<
    { recipient: string }[]
  >`select recipient from mails where organization_id = ${org.id} and kind = 'alert'`
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    [planner.email],
    "only who may see it, once",
  )
  const notices = (await as(planner).get("/notices")).json().data
  assert.deepEqual(
    notices.map(({ kind }: { kind: string }) => kind),
    ["alert"],
  )
  const [id] = (await alerts(planner)).ids
  assert.equal((await as(stranger).post("/alerts/acknowledge", { alertIds: [id] })).statusCode, 404)
  assert.equal(
    (await as(planner).post("/alerts/acknowledge", { alertIds: [id] })).json().data.acknowledged,
    1,
  )
  assert.equal(
    (await as(planner).post("/alerts/acknowledge", { alertIds: [id] })).json().data.acknowledged,
    0,
  )
  const task = await aTask(sql, { org, hub, assignee: [driver] })
  await sql`update tasks set start_time = now() - interval '2 hours', end_time = now() - interval '1 hour' where id = ${task.id}`
  await drive(40, 3)
  await watch()
  assert.deepEqual((await alerts(planner)).rows, [
    ["late", 60, true],
    ["speed", 110, false],
  ])
  assert.equal((await alerts(planner)).open, 1)
  assert.deepEqual((await alerts(planner, `taskId=${task.id}&state=open`)).rows.length, 1)
  await drive(120, 5)
  await watch()
  assert.equal((await alerts(planner)).rows.length, 3, "the cause is back: another alert")
  await owner.put(`/alert-rule/${ruleId}`, { ...rule, isActive: false })
  assert.deepEqual((await alerts(planner, "kind=speed&state=open")).rows, [])
  const events = await sql`select from domain_events where organization_id = ${org.id} and event = 'onAlert'`
  assert.equal(events.length, 4)
})

test("quiet hours hold notices back, and what is over by then is not sent", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const driver = await aUser(sql, { org, role: "field user" })
  const time = Temporal.Now.instant().toZonedDateTimeISO("UTC").toPlainTime()
  const minute = (plain: Temporal.PlainTime) => plain.toString({ smallestUnit: "minute" })
  const settings = {
    ...{ percent: 20, recipients: [org.owner.id], channels: ["email", "sms"] },
    ...{ quietFrom: minute(time.subtract({ minutes: 5 })), quietTo: minute(time.add({ hours: 2 })) },
  }
  const channel = (await aFakeProvider(t)).channel()
  await as(org.owner).expect(201).post("/customer-message-channel", channel)
  await sql`update users set phone_number = '+31612345678' where id = ${org.owner.id}`
  await as(org.owner).post("/alert-rule", { name: "Battery", kind: "battery", settings })
  await as(driver).post("/location-history", { lat: 52, lon: 5, data: { battery: 9 } })
  await watchAlerts.handle(jobContext(), {})
  const sent = async () => {
    const mails = await sql`select 1 from mails where organization_id = ${org.id} and kind = 'alert'`
    const { data } = (await as(org.owner).get("/customer-messages")).json().data
    return [
      mails.length,
      ...data.map(({ recipient, body }: Record<string, string>) => [recipient, body?.split(" · ")[1]]),
    ]
  }
  assert.deepEqual(await sent(), [0])
  assert.equal((await as(org.owner).get("/alerts?state=open")).json().data.total, 1)
  await sql`update alerts set notify_at = now() - interval '1 second' where organization_id = ${org.id}`
  await watchAlerts.handle(jobContext(), {})
  assert.deepEqual(await sent(), [1, ["+31612345678", "9 %"]])
})

test("geofences, silence and expected arrivals raise alerts that end; GPS jumps raise none", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const driver = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const never = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const owner = as(org.owner)
  const geometry = { type: "Point", coordinates: [5.01, 52.01] }
  await owner.expect(201).post("/geofence", { name: "Yard", geometry, radiusMeters: 900 })
  for (const kind of ["enter", "exit", "dwell", "silent", "eta"])
    await owner.expect(201).post("/alert-rule", { name: kind, kind, settings: { minutes: 1 } })
  await sql`update alert_rules set created_time = now() - interval '3 days' where organization_id = ${org.id}`
  const drive = (points: readonly (readonly [minutesAgo: number, lng: number])[]) =>
    as(driver).post("/location-history/bulk", {
      location_histories: points.map(([minutes, lon]) => ({
        ...{ email: driver.email, lat: 52.01, lon },
        createdTime: toT3({ epochMilliseconds: Date.now() - minutes * 60_000 }),
      })),
    })
  const watch = async () => {
    for (const job of geofenceJobs) await job.handle(jobContext(), {})
    await watchAlerts.handle(jobContext(), {})
    const { data } = (await owner.get("/alerts")).json().data
    return data
      .map(({ kind, email, endedTime }: Record<string, string | null>) =>
        [kind, email === never.email ? "never" : "", endedTime ? "ended" : "open"].filter(Boolean).join(" "),
      )
      .toSorted()
  }
  // 8 km away and back within two seconds.
  await drive([
    [30, 5.12],
    [29, 5.01],
    [28.97, 5.12],
    [27, 5.12],
  ])
  assert.deepEqual(await watch(), [])
  const task = await aTask(sql, { org, hub, assignee: [never] })
  const deadline = Temporal.Now.instant()
  await sql`
    insert into task_estimates (organization_id, task_id, email, arrival, earliest, latest, stops_before, basis, deadline,
      published_arrival, computed_at)
    select ${org.id}, ${task.id}, ${never.email}, at, at, at, 0, 'road', ${deadline}, at, ${deadline}
    from (select ${deadline.add({ minutes: 9 })}::timestamptz as at) arrival`
  await drive([
    [12, 5.03],
    [6, 5.01],
    [4, 5.011],
  ])
  const open = ["dwell open", "enter open", "eta never open", "silent never open"]
  assert.deepEqual(await watch(), open)
  const age = (hours: number) => sql`
    update location_visits set arrived_at = arrived_at - ${hours} * interval '1 hour' where organization_id = ${org.id}`
  await age(30)
  await watchAlerts.handle(jobContext(), {})
  const inside = (await owner.get("/alerts?state=open&kind=enter")).json().data
  assert.equal(inside.total, 1, "somebody who stays for more than a day is still inside")
  await age(-30)
  await drive([
    [1, 5.04],
    [0.2, 5.06],
  ])
  await sql`update tasks set status = 'DONE', done_time = now() where id = ${task.id}`
  await sql`delete from task_estimates where task_id = ${task.id}`
  const ended = ["dwell ended", "enter ended", "eta never ended", "exit ended", "silent never ended"]
  assert.deepEqual(await watch(), ended)
  assert.deepEqual(await watch(), ended, "once for each cause")
  const events = await sql<{ event: string }[]>`
    select event from domain_events where organization_id = ${org.id} and event in ('onGeofence', 'onWorkerSilent') order by event`
  assert.deepEqual(
    events.map(({ event }) => event),
    ["onGeofence", "onGeofence", "onWorkerSilent"],
    "an entry, an exit and silence, each once",
  )
})

test("an SOS of a tracker raises an alert at once, even when the next position follows or there is no fix", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, jobContext, org } = server
  const driver = await aUser(sql, { org, role: "field user" })
  await aTracker(sql, { org, person: driver, imei: "356307040000777", protocol: "h02" })
  const settings = { recipients: [org.owner.id], channels: ["email"], alarms: ["sos"] }
  await as(org.owner).post("/alert-rule", { name: "Help", kind: "device", settings })
  let alarmed = 0
  const trackers = await listenForTrackers(server, ["h02"], {
    onPointsStored: (_sql, organizationId) => {
      if (organizationId === org.id) alarmed += 1
    },
  })
  t.after(() => trackers.close())
  const device = await TestDevice.connect(trackers.portOf("h02"))
  const send = async (status: string, secondsAgo: number, fix = "A") => {
    const time = new Date(Date.now() - secondsAgo * 1000).toISOString()
    const clock = time.slice(11, 19).replaceAll(":", "")
    const day = `${time.slice(8, 10)}${time.slice(5, 7)}${time.slice(2, 4)}`
    device.send(
      Buffer.from(
        `*HQ,356307040000777,V1,${clock},${fix},5206.0000,N,00506.0000,E,010.00,090,${day},${status}#`,
      ),
    )
    await device.receive("*HQ,356307040000777,V4,V1,20310507203000#".length)
  }
  const watch = alertJobs.find(({ name }) => name === "alerts.watch-alarms")
  const alerts = async () => {
    await watch?.handle(jobContext(), { organizationId: org.id })
    const { data } = (await as(org.owner).get("/alerts")).json().data
    return data.map(({ text, lat, endedTime }: Record<string, unknown>) => [text, lat, endedTime === null])
  }
  // Vibration and SOS at once, then an ordinary position, then a power cut that no rule is about.
  await send("FFFFFFFC", 30)
  await send("FFFFFFFF", 20)
  await send("FFF7FFFF", 10)
  assert.equal(alarmed, 2)
  assert.deepEqual(await alerts(), [["sos", 52.1, true]])
  assert.deepEqual(await alerts(), [["sos", 52.1, true]], "once")
  assert.equal((await sql`select 1 from mails where organization_id = ${org.id}`).length, 1)
  await sql`update device_alarms set received_at = received_at - interval '6 minutes' where organization_id = ${org.id}`
  assert.deepEqual(await alerts(), [["sos", 52.1, false]])
  await send("FFFFFFFD", 0, "V")
  assert.deepEqual(
    (await alerts()).map(([, , isOpen]: unknown[]) => isOpen),
    [true, false],
  )
  device.end()
})
