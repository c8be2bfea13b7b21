import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, aTask, aUser } from "#samples/builders.ts"
import { toT3 } from "#shared/wire-time.ts"
import { testOrganization } from "#testing/test-app.ts"

const minutesAgo = (minutes: number) => toT3({ epochMilliseconds: Date.now() - minutes * 60_000 })

test("a position comes back as it was sent, with what the server adds, and can be read by its id", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const driver = await aUser(sql, { org, role: "field user" })
  const createdTime = minutesAgo(5)
  const body = { lat: "52.37214", lon: 4.90031, speed: 12, distance: 0.412, duration: "2", createdTime }
  const reply = await as(driver)
    .expect(201)
    .post("/location-history", {
      ...body,
      email: driver.email,
      data: { battery: 80 },
    })
  const { location_history: made, message, status } = reply.json()
  assert.deepEqual([status, message], [true, "Success"])
  assert.equal(made._id, `${org.id}_${driver.email}_${made.time}`)
  assert.deepEqual(
    [
      made.lat,
      made.lon,
      made.speed,
      made.distance,
      made.duration,
      made.createdTime,
      made.isLatest,
      made.taskId,
    ],
    [52.37214, 4.90031, 12, 0.412, 2, createdTime, true, ""],
  )
  assert.deepEqual(
    [made.createdFrom, made.createdBy, made.updatedBy, made.data],
    ["mileAppField", driver.email, null, { battery: 80 }],
  )
  const read = await as(driver).get(`/location-history/${encodeURIComponent(made._id)}`)
  assert.deepEqual(read.json(), { status: true, message: "Success", location_history: made })
  assert.equal((await as(driver).get(`/location-history/${made._id}1`)).json().failedCode, "lochi-033")
})

test("the same point sent again is a success and stored once", async (t) => {
  const { as, org } = await testOrganization(t)
  const point = { email: org.owner.email, lat: 1.5, lon: 2.5, createdTime: minutesAgo(3) }
  const first = (await as(org.owner).post("/location-history", point)).json().location_history
  const again = await as(org.owner).expect(201).post("/location-history", point)
  assert.deepEqual(again.json().location_history, first)
  const bulk = await as(org.owner).post("/location-history/bulk", {
    location_histories: [point, { ...point, lat: 1.6 }, { ...point, lat: 1.6 }, point],
  })
  assert.deepEqual([bulk.json().success, bulk.json().location_histories[0]._id], [4, first._id])
  const listed = (await as(org.owner).get("/location-histories")).json().tasks
  assert.deepEqual([listed.total, listed.data.length], [2, 2])
})

test("one bad entry among many fails with its code, the others are stored", async (t) => {
  const { as, org } = await testOrganization(t)
  const { email } = org.owner
  const good = { email, lat: 10, lon: 20 }
  const entries: [unknown, string | undefined][] = [
    [{ ...good, createdTime: minutesAgo(1) }, undefined],
    [{ ...good, lat: 91 }, "lochi-012"],
    [{ ...good, lat: "abc" }, "lochi-012"],
    [{ ...good, lat: "NaN" }, "lochi-012"],
    [{ ...good, lat: "1e1" }, "lochi-012"],
    [{ ...good, lat: 0, lon: 0 }, "lochi-012"],
    [{ email, lon: 4 }, "lochi-001"],
    [{ lat: 1, lon: 4 }, "lochi-001"],
    [{ ...good, createdTime: "1970-01-01 00:00:00" }, "lochi-008"],
    [{ ...good, createdTime: "2100-01-01 00:00:00" }, "lochi-008"],
    [{ ...good, createdTime: "yesterday" }, "lochi-008"],
    [{ ...good, speed: "fast", data: [1] }, "lochi-009"],
    [{ ...good, data: [1] }, "lochi-013"],
    [{ ...good, data: { a: "\u0000" } }, "lochi-016"],
    [{ ...good, email: "nobody" }, "lochi-004"],
    [{ ...good, email: "stranger@elsewhere.example" }, "lochi-004"],
    [{ ...good, finishTime: minutesAgo(1) }, "lochi-032"],
    ["point", "lochi-013"],
    [{ ...good, createdTime: minutesAgo(-61) }, undefined],
  ]
  const reply = await as(org.owner)
    .expect(201)
    .post("/location-history/bulk", {
      location_histories: entries.map(([entry]) => entry),
    })
  const response = reply.json()
  assert.deepEqual(
    response.location_histories.map((entry: { failedCode?: string }) => entry.failedCode),
    entries.map(([, code]) => code),
  )
  assert.deepEqual([response.success, response.failed], [2, entries.length - 2])
  assert.equal(reply.headers["content-type"], "application/json; charset=utf-8")
  assert.deepEqual(response.tasks, response.location_histories)
})

test("a bulk call takes 1 to 1000 entries", async (t) => {
  const { as, org } = await testOrganization(t)
  const send = async (location_histories: unknown) =>
    (await as(org.owner).post("/location-history/bulk", { location_histories })).json()
  const many = Array.from({ length: 1001 }, (_, index) => ({
    email: org.owner.email,
    lat: 10 + index * 1e-5,
    lon: 20,
    createdTime: minutesAgo(2),
  }))
  assert.equal((await send(many)).failedCode, "lochi-040")
  const bad = await send([...many.slice(1, 500), { ...many[500], lat: 91 }, ...many.slice(501)])
  assert.deepEqual([bad.success, bad.failed], [999, 1])
  const { message, ...reported } = bad.location_histories[499]
  assert.deepEqual(reported, { status: false, _id: null, email: org.owner.email, failedCode: "lochi-012" })
  assert.match(message, /lat/)
  assert.equal((await send(many.slice(1))).success, 1000)
  assert.equal((await send([])).failedCode, "lochi-001")
  assert.equal((await send("none")).failedCode, "lochi-011")
  assert.equal((await as(org.owner).get("/location-histories?limit=1")).json().tasks.total, 1000)
})

test("people send and see their own positions only, unless their role says more", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const [driver, other] = [
    await aUser(sql, { org, role: "field user", hubs: [hub] }),
    await aUser(sql, { org, role: "field user", hubs: [hub] }),
  ]
  const dispatcher = await aUser(sql, { org, permissions: ["view/tracking"], hubs: [hub] })
  const elsewhere = await aUser(sql, {
    org,
    permissions: ["view/tracking"],
    hubs: [await aHub(sql, { org })],
  })
  const foreign = await as(driver).post("/location-history", { email: other.email, lat: 1, lon: 2 })
  assert.deepEqual([foreign.statusCode, foreign.json().failedCode], [403, "lochi-035"])
  const inBulk = await as(driver).post("/location-history/bulk", {
    location_histories: [
      { email: other.email, lat: 1, lon: 2 },
      { email: driver.email, lat: 1, lon: 2, createdTime: minutesAgo(1) },
    ],
  })
  assert.deepEqual(
    inBulk.json().tasks.map((entry: { failedCode?: string }) => entry.failedCode),
    ["lochi-035", undefined],
  )
  const whose = await as(org.owner).post("/location-history", { lat: 91, lon: 2 })
  assert.equal(whose.json().failedCode, "lochi-001")
  const choice = await as(org.owner).get("/location-histories?eventName=lunch")
  assert.equal(choice.json().failedCode, "lochi-017")
  assert.equal(
    (await as(driver).post("/location-history", { lat: 1, lon: 2 })).json().location_history.email,
    driver.email,
  )
  const tracked = await as(org.owner).post("/location-history", { email: other.email, lat: 3, lon: 4 })
  const { _id } = tracked.json().location_history
  const listed = async (person: typeof driver, query = "") =>
    (await as(person).get(`/location-histories${query}`))
      .json()
      .tasks?.data.map((row: { email: string }) => row.email)
      .sort()
  assert.deepEqual(await listed(driver), [driver.email, driver.email])
  assert.equal((await as(driver).get(`/location-histories?email=${other.email}`)).statusCode, 403)
  assert.equal((await as(driver).get(`/location-history/${_id}`)).statusCode, 403)
  assert.deepEqual(await listed(dispatcher), [driver.email, driver.email, other.email].sort())
  assert.equal((await as(dispatcher).get(`/location-history/${_id}`)).statusCode, 200)
  assert.deepEqual(await listed(elsewhere), [])
  assert.equal((await as(elsewhere).get(`/location-history/${_id}`)).statusCode, 404)
})

test("the newest device time is the latest record, whatever arrives later", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const driver = await aUser(sql, { org, role: "field user", name: "Dee Driver" })
  const send = async (minutes: number, lat: number) =>
    (
      await as(driver).post("/location-history", { lat, lon: 5, createdTime: minutesAgo(minutes), speed: 50 })
    ).json().location_history
  assert.equal((await send(10, 50)).isLatest, true)
  assert.equal((await send(2, 50.1)).isLatest, true)
  assert.equal((await send(6, 50.05)).isLatest, false)
  const latest = (await as(org.owner).get("/location-histories?isLatest=true")).json().tasks
  assert.deepEqual([latest.total, latest.data[0].lat], [1, 50.1])
  const older = (await as(org.owner).get("/location-histories?isLatest=false&sortOrder=asc")).json().tasks
  assert.deepEqual([older.total, older.data.map((row: { lat: number }) => row.lat)], [2, [50, 50.05]])
  const { data, cursor } = (await as(org.owner).get("/positions")).json()
  assert.match(cursor, /^\d+:\d+:/)
  const [owner, dee] = [org.owner, driver].map((person) =>
    data.find((row: { email: string }) => row.email === person.email),
  )
  assert.deepEqual([owner.movement, owner.lat], ["never-seen", null])
  assert.deepEqual([dee.name, dee.movement, dee.lat, dee.speed], ["Dee Driver", "moving", 50.1, 50])
  assert.ok(dee.ageSeconds >= 119 && dee.ageSeconds <= 130)
  const namesOf = async (query: string) =>
    (await as(org.owner).get(`/positions?${query}`)).json().data.map(({ name }: { name: string }) => name)
  assert.deepEqual(await namesOf("bbox=4.9,50,5.1,50.2"), ["Dee Driver"])
  assert.deepEqual(await namesOf("bbox=5.1,50,4.9,50.2"), [], "around the world the other way")
  assert.deepEqual(await namesOf(`after=${cursor}`), [])
  assert.equal((await as(org.owner).get("/positions?bbox=4,50,5")).json().failedCode, "lochi-012")
  await send(1, 50.2)
  assert.deepEqual(await namesOf(`after=${cursor}`), ["Dee Driver"])
  assert.deepEqual(await namesOf("q=e%20DRIV"), ["Dee Driver"])
  assert.deepEqual(await namesOf("q=e_driver"), [], "an underscore is an ordinary character")
  assert.deepEqual((await namesOf("limit=1")).length, 1)
})

test("a session opens with a start, closes with a finish, and adds up what lies between", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const driver = await aUser(sql, { org, role: "field user" })
  const send = async (body: object) => as(driver).post("/location-history", body)
  const startTime = minutesAgo(60)
  const start = { lat: 52, lon: 5, startTime, notes: "van 12" }
  const opened = (await send(start)).json().location_history
  assert.match(opened._id, new RegExp(`^${org.id}_${driver.email}_${startTime.replace(/\D/g, "")}s$`))
  assert.deepEqual([opened.finish, opened.isLatest, opened.eventName], [null, true, "otw"])
  const [open] = (await as(driver).get("/location-histories?startFinish=true")).json().tasks.data
  assert.deepEqual(
    [open._id, "finish" in open, "trackedTime" in open],
    [opened._id, false, false],
    "ruling 37",
  )
  assert.deepEqual((await send(start)).json().location_history, opened)
  assert.equal((await send({ ...start, lat: 53 })).json().failedCode, "lochi-032")
  await send({ lat: 52.1, lon: 5, createdTime: minutesAgo(40), distance: 12, duration: 20 })
  await send({ lat: 52.2, lon: 5, createdTime: minutesAgo(20), distance: 13, duration: 20 })
  assert.equal((await send({ lat: 52.2, lon: 5, finishTime: minutesAgo(70) })).json().failedCode, "lochi-030")
  const finish = { lat: 52.2, lon: 5.01, finishTime: minutesAgo(10), notes: "done" }
  const closed = (await send(finish)).json().location_history
  assert.equal(closed._id, opened._id)
  assert.deepEqual(closed.finish, {
    lat: 52.2,
    lon: 5.01,
    finishTime: finish.finishTime,
    notes: "done",
    totalDistance: 25,
    totalDuration: 40,
    isRecalculate: 0,
  })
  assert.deepEqual(
    [closed.trackedTime, closed.isLatest, closed.notes, closed.updatedBy],
    [50, false, "van 12", driver.email],
  )
  assert.deepEqual((await send(finish)).json().location_history, closed)
  assert.equal((await send({ ...finish, lat: 1 })).json().failedCode, "lochi-032")
  const named = (await as(driver).get("/location-histories?startFinish=true&fields=email")).json().tasks.data
  assert.deepEqual(named, [{ _id: opened._id, email: driver.email, trackedTime: 50 }], "ruling 37")
  const sessions = (await as(driver).get("/location-histories?startFinish=true")).json().tasks
  assert.deepEqual([sessions.total, sessions.data[0]._id], [1, opened._id])
  assert.equal((await as(driver).get("/location-histories?startFinish=false")).json().tasks.total, 2)
  assert.equal(
    (await as(driver).get(`/location-history/${opened._id}`)).json().location_history.trackedTime,
    50,
  )
})

test("a trip that begins or ends too far from a hub is stored, with a warning", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org, lat: 52, lng: 4 })
  const detail = { permissionName: "view/checkincheckout", checkinRadius: 100, checkoutRadius: 100 }
  const permissions = ["view/checkincheckout" as const]
  const driver = await aUser(sql, { org, hubs: [hub], permissions, permissionDetails: [detail] })
  const trip = (lat: number, more: object) => as(driver).post("/location-history", { lat, lon: 4, ...more })
  const begun = await trip(52.01, { startTime: minutesAgo(9) })
  assert.equal(begun.statusCode, 201, begun.body)
  assert.match(begun.json().warnings[0], /began 1112 m .* at most 100 m/)
  const ended = (await trip(52.02, { finishTime: minutesAgo(5) })).json()
  assert.match(ended.warnings[0], /ended 2224 m/)
  const { startDistance, finishDistance } = ended.location_history.data
  assert.deepEqual([startDistance, finishDistance], [1112, 2224])
  const near = await trip(52.0015, { startTime: minutesAgo(3), data: { gpsAccuracy: 80 } })
  assert.equal(near.json().warnings, undefined)
})

test("points of a task say whether the person is on the way, near, or done", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const driver = await aUser(sql, { org, role: "field user" })
  const hub = await aHub(sql, { org })
  const task = await aTask(sql, { org, hub, assignee: [driver] })
  await sql`update tasks set lat = 52, lng = 5 where id = ${task.id}`
  const event = async (lat: number, minutes: number) => {
    const body = { lat, lon: 5, taskId: task.id, createdTime: minutesAgo(minutes) }
    const { eventName, distanceToDest } = (await as(driver).post("/location-history", body)).json()
      .location_history
    return [eventName, distanceToDest]
  }
  assert.deepEqual(await event(52.1, 9), ["otw", 11.119])
  assert.deepEqual(await event(52.0003, 8), ["nearBy", 0.033])
  await sql`update tasks set status = 'DONE', done_time = ${minutesAgo(7)}::timestamptz where id = ${task.id}`
  assert.deepEqual(await event(52.0003, 6), ["done", null])
  assert.deepEqual(await event(52.0002, 5), [null, null])
  const near = (await as(org.owner).get(`/location-histories?taskId=${task.id}&eventName=nearBy`)).json()
    .tasks
  assert.equal(near.total, 1)
})

test("an organization stores positions only of working time if it says so, and dispatchers read the hours", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [eva, finn, guard] = [
    await aUser(sql, { org, role: "field user", name: "Eva" }),
    await aUser(sql, { org, role: "field user", name: "Finn" }),
    await aUser(sql, { org, permissions: ["do/task", "position/always"] }),
  ]
  const send = async (who: typeof eva, entries: object[]) => {
    const body = { location_histories: entries.map((entry) => ({ lat: 52.37, lon: 4.9, ...entry })) }
    const { location_histories } = (await as(who).expect(201).post("/location-history/bulk", body)).json()
    return location_histories.map(({ failedCode }: { failedCode?: string }) => failedCode)
  }
  assert.deepEqual(await send(finn, [{ createdTime: minutesAgo(100) }]), [undefined], "unless it says so")
  const settings = { retentionDays: 90, onlyDuringSessions: true }
  await as(org.owner).expect(200).put("/location-settings", settings)
  await as(org.owner).expect(200).put("/location-settings", { retentionDays: 90 })
  assert.deepEqual((await as(org.owner).get("/location-settings")).json().data, settings)
  const day = [
    { createdTime: minutesAgo(90) },
    { startTime: minutesAgo(80) },
    { createdTime: minutesAgo(70), lat: 52.38 },
    { finishTime: minutesAgo(60), lat: 52.39 },
    { createdTime: minutesAgo(55) },
    { startTime: minutesAgo(50), lat: 52.39 },
    { createdTime: minutesAgo(40), lat: 52.4 },
  ]
  const outside = "lochi-046"
  const kept = [outside, undefined, undefined, undefined, outside, undefined, undefined]
  assert.deepEqual(await send(eva, day), kept, "a break is no working time")
  assert.deepEqual(
    await send(eva, [{ createdTime: minutesAgo(1), lat: 52.41 }]),
    [undefined],
    "still at work",
  )
  assert.deepEqual(await send(finn, [{ createdTime: minutesAgo(2) }]), [outside])
  assert.deepEqual(
    await send(guard, [{ createdTime: minutesAgo(2) }]),
    [undefined],
    "the role says otherwise",
  )

  const range = `timeFrom=${encodeURIComponent(minutesAgo(600))}&timeTo=${encodeURIComponent(minutesAgo(0))}`
  await as(finn).expect(403).get(`/attendance?${range}`)
  await as(org.owner).expect(400).get(`/attendance?timeFrom=2031-01-01&timeTo=2031-06-01`)
  const { data } = (await as(org.owner).expect(200).get(`/attendance?${range}`)).json()
  assert.equal(data.length, 1)
  const [{ name, workedMinutes, kilometers, sessions, finishTime }] = data
  assert.deepEqual([name, workedMinutes, sessions, finishTime], ["Eva", 70, 2, null])
  assert.ok(Math.abs(kilometers - 3.3) < 0.1, `${kilometers}`)
  await send(eva, [{ finishTime: minutesAgo(0), lat: 52.42 }])
  const { data: people } = (await as(org.owner).expect(200).get("/positions")).json()
  const shown = people.find(({ userId }: { userId: string }) => userId === eva.id)
  assert.equal(shown.lat, 52.42, "the map shows where they finished, also after points of the session")
})
