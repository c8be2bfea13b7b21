import assert from "node:assert/strict"
import { test } from "node:test"
import { json } from "#core/database/database.ts"
import { aFlow, aHub, aTask, aUser } from "#samples/builders.ts"
import { toT3 } from "#shared/wire-time.ts"
import { watchAlerts } from "../../extensions/alerts/watch.ts"
import { verifyRollups } from "../../insight/rollups/index.ts"
import { refreshSessions } from "../../location/positions/index.ts"
import { aVan, minutesAgo, northwards, southwards } from "./van.fixture.ts"

test("meters count what the driver travels, once, never run backwards, and are corrected by people with a log", async (t) => {
  const { sql, as, org, owner, vehicleId, run, drive, meters, driver } = await aVan(t)
  assert.deepEqual(await meters(), {
    odometerKilometers: 0,
    engineHours: 0,
    source: "none",
    countedTime: null,
  })
  const sent = await drive(northwards(40, 21, 52))
  assert.equal(sent.statusCode, 201, sent.body)
  for (let round = 0; round < 2; round++) await run("fleet.count-meters")
  const first = await meters()
  assert.ok(Math.abs(first.odometerKilometers - 20) < 0.1, `${first.odometerKilometers} km`)
  assert.ok(Math.abs(first.engineHours - 20 / 60) < 0.02, `${first.engineHours} h`)
  assert.equal(first.source, "track")
  const reading = { odometerKilometers: 12_345.6, note: "Read at the yearly inspection" }
  assert.equal((await owner.post(`/vehicle/${vehicleId}/reading`, reading)).statusCode, 201)
  assert.equal((await owner.post(`/vehicle/${vehicleId}/reading`, { note: "?" })).statusCode, 400)
  assert.equal((await as(driver).post(`/vehicle/${vehicleId}/reading`, reading)).statusCode, 403)
  await run("fleet.recount-meters")
  assert.equal((await meters()).odometerKilometers, 12_345.6, "counted before the reading")
  await sql`update vehicle_readings set created_time = created_time - interval '1 hour' where organization_id = ${org.id}`
  await drive(northwards(19, 6, 52 + 21 * 0.008_993_2))
  await run("fleet.count-meters")
  const driven = (await meters()).odometerKilometers
  assert.ok(Math.abs(driven - 12_351.6) < 0.1, `${driven} km: six more`)
  await drive(southwards(600, 6, 52))
  await run("fleet.recount-meters")
  assert.equal((await meters()).odometerKilometers, driven, "driven before the reading, sent after it")
  await sql`
    delete from location_points where organization_number = (select number from organizations where id = ${org.id})`
  await run("fleet.recount-meters")
  assert.equal((await meters()).odometerKilometers, driven, "no way back")
  const log = (await owner.get(`/vehicle/${vehicleId}/readings`)).json().data
  assert.equal(log.length, 1)
  assert.deepEqual(
    [log[0].odometerBefore, log[0].odometerAfter, log[0].engineHoursAfter, log[0].note, log[0].createdBy],
    [first.odometerKilometers, 12_345.6, null, reading.note, org.owner.email],
  )
})

test("a tracker's odometer and ignition count instead of positions; a replaced one does not jump", async (t) => {
  const { run, drive, meters, sql, org } = await aVan(t)
  const odometers = [70_000, 70_004, 70_009, 12, 15]
  await drive(
    odometers.map((odometer, index) => ({
      ...{ lat: 52 + index * 0.001, lon: 5, createdTime: minutesAgo(30 - index * 4) },
      data: { odometer, ignition: index < 3 },
    })),
  )
  // Trackers send through ports of their own.
  await sql`
    update location_points set source = 5
    where organization_number = (select number from organizations where id = ${org.id})`
  await run("fleet.count-meters")
  const { odometerKilometers, engineHours, source } = await meters()
  assert.deepEqual([odometerKilometers, engineHours, source], [12, 0.2, "device"])
})

test("a plan is due by distance, notifies once per cause and creates one task, which is the maintenance when it is finished", async (t) => {
  const { sql, as, org, hub, owner, vehicleId, run, drive, meters, jobContext, driver } = await aVan(t)
  const pages = [
    { id: "p0", components: [{ id: "what", component: "input", type: "String", showAs: "title" }] },
  ]
  const flow = await aFlow(sql, { org, name: "Workshop", pages })
  await owner.get("/notices")
  const rule = { name: "Workshop", kind: "maintenance", settings: { recipients: [org.owner.id] } }
  assert.equal((await owner.post("/alert-rule", rule)).statusCode, 201)
  const body = { vehicleId, name: "Oil change", everyKilometers: 15, remindKilometers: 5, flowId: flow.id }
  assert.equal((await owner.post("/maintenance-plan", { vehicleId, name: "No interval" })).statusCode, 400)
  const plan = (await owner.post("/maintenance-plan", body)).json().data
  assert.deepEqual([plan.state, plan.leftKilometers, plan.subject], ["ok", 15, "Van 3"])
  const state = async () => (await owner.get("/maintenance-plans")).json().data[0]
  await sql`update maintenance_plans set read_at = read_at - interval '1 hour' where organization_id = ${org.id}`
  await drive(northwards(60, 13, 52))
  await run("fleet.count-meters")
  assert.equal((await state()).state, "soon")
  await drive(northwards(47, 6, 52 + 13 * 0.008_993_2))
  const watch = () => watchAlerts.handle(jobContext(), {})
  await watch()
  await run("fleet.count-meters")
  assert.equal((await state()).state, "overdue")
  for (let round = 0; round < 2; round++) await watch()
  await Promise.all([run("fleet.create-due-tasks"), run("fleet.create-due-tasks")])
  const alerts = (await owner.get("/alerts")).json().data.data
  assert.deepEqual(
    alerts
      .map((one: Record<string, unknown>) => [one.kind, one.text, one.state, one.endedTime === null])
      .toSorted(),
    [
      ["maintenance", "Van 3: Oil change", "overdue", true],
      ["maintenance", "Van 3: Oil change", "soon", false],
    ],
  )
  assert.equal((await owner.get("/notices")).json().data.length, 2)
  const tasks = (await owner.get("/tasks")).json().tasks.data
  assert.deepEqual(
    tasks.map((one: Record<string, unknown>) => [one.title, one.flow, one.hubId, one.assignee]),
    [["Van 3: Oil change", "Workshop", hub.id, [driver.email]]],
  )
  const taskId = tasks[0]._id
  assert.equal((await state()).taskId, taskId)
  for (let round = 0; round < 2; round++) await as(driver).patch(`/task/${taskId}`, { status: "DONE" })
  const after = await state()
  assert.deepEqual([after.state, after.taskId], ["ok", null])
  assert.ok(Math.abs(after.leftKilometers - 15) < 0.01)
  const shown = (await meters()).odometerKilometers
  await drive(southwards(600, 21, 52))
  await run("fleet.recount-meters")
  assert.ok(Math.abs((await meters()).odometerKilometers - shown - 20) < 0.1, "driven before, sent later")
  assert.equal((await state()).leftKilometers, after.leftKilometers)
  const log = (await owner.get(`/maintenance-entries?vehicleId=${vehicleId}`)).json().data
  assert.deepEqual(
    log.map((one: Record<string, unknown>) => [one.name, one.taskId, one.createdBy]),
    [["Oil change", taskId, driver.email]],
  )
  const tyres = { vehicleId, name: "New tyres", cost: 412.5, doneOn: "2026-01-05", odometerKilometers: 5 }
  assert.equal((await owner.post("/maintenance-entry", tyres)).json().data.cost, 412.5)
  await watch()
  assert.deepEqual((await owner.get("/alerts?state=open")).json().data.data, [])
  await owner.post("/vehicle", { name: "Van 10", hubId: hub.id })
  const fleet = (await owner.get("/fleet")).json().data
  assert.deepEqual(
    fleet.map((one: { name: string }) => one.name),
    ["Van 3", "Van 10"],
  )
  assert.deepEqual([fleet[0].name, fleet[0].state, fleet[0].planName], ["Van 3", "ok", "Oil change"])
  assert.ok(fleet[0].usage.kilometers > 16 && fleet[0].usage.days >= 1, JSON.stringify(fleet[0].usage))
})

test("equipment is found by its code, and finished tasks with the code are its history", async (t) => {
  const { sql, as, org, hub, owner, driver } = await aVan(t)
  const stranger = await aUser(sql, { org, role: "planner", hubs: [await aHub(sql, { org })] })
  const body = { hubId: hub.id, code: "HP-2041", name: "Heat pump", customer: "Bakery", lat: 52.1, lon: 5.2 }
  const made = await owner.post("/equipment", body)
  assert.equal(made.statusCode, 201, made.body)
  const id = made.json().data._id
  assert.equal((await owner.post("/equipment", { ...body, code: "hp-2041" })).json().failedCode, "equip-002")
  assert.equal((await owner.get("/equipment?code=hp-2041")).json().data[0]._id, id)
  assert.equal((await as(stranger).get(`/equipment/${id}`)).statusCode, 404)
  assert.equal((await as(stranger).get("/equipment")).json().total, 0)
  const pages = [{ id: "p0", components: [{ id: "unit", component: "input", type: "String" }] }]
  const flow = await aFlow(sql, { org, pages })
  const task = {
    flow: flow.name,
    hubId: hub.id,
    assignee: [driver.email],
    startTime: Temporal.Now.instant().subtract({ minutes: 5 }).toString(),
  }
  const taskIds: string[] = []
  for (const unit of [" hp-2041", "HP-2042"]) {
    const created = await owner.post("/task", { ...task, unit })
    assert.equal(created.statusCode, 201, created.body)
    taskIds.push(created.json().task._id)
  }
  for (const taskId of taskIds) {
    const finished = await as(driver).patch(`/task/${taskId}`, { status: "DONE" })
    assert.equal(finished.statusCode, 200, finished.body)
  }
  const history = (await owner.get(`/equipment/${id}/tasks`)).json()
  assert.deepEqual(
    history.data.map((one: Record<string, unknown>) => [one.taskId, one.doneBy]),
    [[taskIds[0], driver.email]],
  )
  assert.equal(
    (await owner.post("/maintenance-plan", { equipmentId: id, name: "Leak test", everyKilometers: 9 }))
      .statusCode,
    400,
    "equipment has no odometer",
  )
  const yearly = { equipmentId: id, name: "Leak test", everyDays: 365, remindDays: 30, doneOn: "2025-11-30" }
  const plan = (await owner.post("/maintenance-plan", yearly)).json().data
  assert.deepEqual([plan.subject, plan.leftKilometers, plan.state === "ok"], ["Heat pump", null, false])
})

test("an inspection is created once a day for the driver; a defect marks the vehicle and alerts until it is resolved", async (t) => {
  const { as, org, owner, vehicleId, run, jobContext, driver } = await aVan(t)
  const choice = (id: string) => ({
    id,
    component: "select",
    title: id,
    options: ["OK", "Defect"],
    min: 0,
    max: 1,
  })
  const body = {
    name: "Before departure",
    pages: [{ id: "page0", components: [choice("Brakes"), choice("Lights")] }],
  }
  const configuration = {
    id: "inspection",
    tags: ["van"],
    defects: ["defect"],
    weekdays: [1, 2, 3, 4, 5, 6, 7],
  }
  const wrong = { ...body, configurations: [{ ...configuration, defects: [] }] }
  assert.equal((await owner.post("/flow", wrong)).statusCode, 400)
  const made = await owner.post("/flow", { ...body, configurations: [configuration] })
  assert.equal(made.statusCode, 201, made.body)
  await run("fleet.create-inspections")
  assert.equal((await owner.get("/tasks")).json().tasks.data.length, 0, "it is no van")
  const workingTime = { startTime: "00:00", endTime: "23:59" }
  await owner.patch(`/vehicle/${vehicleId}`, { tags: ["van"], workingTime })
  await Promise.all([run("fleet.create-inspections"), run("fleet.create-inspections")])
  const tasks = (await owner.get("/tasks")).json().tasks.data
  assert.deepEqual(
    tasks.map((one: Record<string, unknown>) => one.assignee),
    [[driver.email]],
  )
  await owner.post("/alert-rule", { name: "Defects", kind: "inspection", settings: {} })
  const done = { status: "DONE", Brakes: "Defect", Lights: "OK" }
  for (let round = 0; round < 2; round++) await as(driver).patch(`/task/${tasks[0]._id}`, done)
  const defects = (await owner.get(`/vehicle-defects?vehicleId=${vehicleId}`)).json().data
  assert.deepEqual(
    defects.map((one: Record<string, unknown>) => [one.name, one.value, one.foundBy, one.taskId]),
    [["Brakes", "Defect", driver.email, tasks[0]._id]],
  )
  assert.equal((await owner.get("/fleet?state=due")).json().data[0].openDefects, 1)
  const watch = () => watchAlerts.handle(jobContext(), {})
  const open = async () => (await owner.get("/alerts?state=open")).json().data.data
  for (let round = 0; round < 2; round++) await watch()
  assert.deepEqual(
    (await open()).map((one: Record<string, unknown>) => [one.kind, one.text, one.taskId]),
    [["inspection", "Van 3: Brakes – Defect", tasks[0]._id]],
  )
  const resolve = `/vehicle-defect/${defects[0]._id}/resolve`
  assert.equal((await as(driver).post(resolve, {})).statusCode, 403)
  const resolved = (await owner.post(resolve, { note: "New pads" })).json().data
  assert.deepEqual([resolved.resolvedBy, resolved.note], [org.owner.email, "New pads"])
  await watch()
  assert.deepEqual(await open(), [])
})

test("the time of a session is travel, stops, breaks or idle time, counted once whatever arrives later", async (t) => {
  const { sql, as, org, hub, owner, driver, drive, vehicleId, run } = await aVan(t)
  const day = Temporal.Now.plainDateISO("UTC").subtract({ days: 2 })
  const at = (clock: string) => day.toZonedDateTime({ timeZone: "UTC", plainTime: clock }).toInstant()
  await sql`
    update vehicle_drivers set started_at = now() - interval '9 days' where organization_id = ${org.id}`
  const hours = {
    workingTime: { startTime: "08:00", endTime: "17:00", multiday: 0 },
    breakTime: { startTime: "12:00", endTime: "12:30" },
    capacity: { boxes: { min: 0, max: 10 } },
  }
  const changed = await owner.put(`/vehicle/${vehicleId}`, {
    ...{ name: "Van 3", hubId: hub.id, assignee: driver.email },
    ...hours,
  })
  assert.equal(changed.statusCode, 200, changed.body)
  const boxes = { id: "boxes", component: "input", type: "number", routeAs: "Constraint.boxes" }
  const flow = await aFlow(sql, { org, pages: [{ id: "p0", components: [boxes] }] })
  const times = { arrivedTime: `${at("09:35")}`, leftTime: `${at("10:00")}` }
  const visit = await aTask(sql, {
    ...{ org, hub, flow, assignee: [driver], status: "DONE", doneTime: at("10:00"), startTime: at("09:00") },
  })
  await sql`
    update tasks set attributes = attributes || ${json(sql, times)}, "values" = ${json(sql, { boxes: 4 })}, done_by = ${driver.email}
    where organization_id = ${org.id} and id = ${visit.id}`
  // North for half an hour, an hour and a half at one place, half an hour back, then at rest until one.
  const latOf = (minute: number) =>
    minute <= 30 ? minute : minute <= 90 ? 30 : minute <= 120 ? 120 - minute : 0
  const track = (from: number, until: number) =>
    Array.from({ length: (until - from) / 5 + 1 }, (_, index) => from + index * 5).map((minute) => ({
      ...{ lat: 52 + latOf(minute) * 0.006, lon: 5, createdTime: toT3(at("09:00").add({ minutes: minute })) },
    }))
  await drive(track(0, 90))
  for (const [clock, times] of [
    ["09:00", { startTime: toT3(at("09:00")) }],
    ["13:00", { finishTime: toT3(at("13:00")) }],
  ] as const)
    assert.equal(
      (
        await as(driver).post("/location-history", {
          lat: 52,
          lon: 5,
          createdTime: toT3(at(clock)),
          ...times,
        })
      ).statusCode,
      201,
    )
  const metrics = "attendedHours,travelHours,idleHours,usedHours,shiftHours,utilization,loadRate"
  const figures = async (groupBy: string) => {
    const range = `from=${day}&until=${day.add({ days: 1 })}`
    const { data } = (
      await owner.get(`/reports/figures?metrics=${metrics}&groupBy=${groupBy}&${range}`)
    ).json()
    return data.rows
  }
  await run("fleet.count-sessions")
  await drive(track(95, 240))
  const [numbers] = await sql<{ organizationNumber: number; personNumber: number }[]>`
    select organizations.number as organization_number, users.number as person_number from users
    join organizations on organizations.id = users.organization_id
    where organizations.id = ${org.id} and users.id = ${driver.id}`
  assert.ok(numbers)
  await refreshSessions(sql, { organizationId: org.id, ...numbers }, numbers.personNumber, at("10:00"))
  for (let round = 0; round < 2; round++) await run("fleet.count-sessions")
  const [row] = await figures("vehicle")
  assert.equal(row.labels.vehicle, "Van 3")
  const rounded = (values: Record<string, number>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Math.round(value * 1000) / 1000]))
  const expected = {
    ...{ attendedHours: 4, travelHours: 1, idleHours: 2.083, usedHours: 1.417, shiftHours: 8.5 },
    ...{ utilization: 0.167, loadRate: 0.4 },
  }
  assert.deepEqual(rounded(row.values), expected)
  assert.deepEqual(rounded((await figures("person"))[0].values), expected)
  // Without its arrival the work was done somewhere in the hour and a half at one place.
  await sql`
    update tasks set attributes = attributes - 'arrivedTime' where organization_id = ${org.id} and id = ${visit.id}`
  const known = rounded((await figures("vehicle"))[0].values)
  assert.deepEqual([known.idleHours, known.usedHours], [1.5, 2])
  const verified = await verifyRollups(sql, org.id, { now: Temporal.Now.instant() })
  assert.deepEqual(verified.differences, [])
})
