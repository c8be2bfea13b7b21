import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { test } from "node:test"
import { aHub, aUser } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"
import { readWorkbook, WorkbookError } from "../../../../console/src/features/work/vehicles/read-workbook.ts"

test("a vehicle is made with defaults, changed in part, and reset by a full replacement", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const driver = await aUser(sql, { org, hubs: [hub], permissions: ["do/task"] })
  const made = await as(org.owner)
    .expect(200)
    .post("/vehicle", {
      hubId: hub.id,
      name: " Van 1 ",
      speed: "30",
      assignee: driver.email,
      tags: ["cold", "cold "],
    })
  const van = made.json().data
  assert.equal(van.name, "Van 1")
  assert.equal(van.speed, 30)
  assert.deepEqual(van.tags, ["cold"])
  assert.deepEqual(van.workingTime, { startTime: "08:00", endTime: "17:00", multiday: 0 })
  assert.deepEqual(van.breakTime, { startTime: null, endTime: null })
  assert.deepEqual(van.hubs, { _id: hub.id, name: hub.name, address: "Somewhere 1" })
  const patch = {
    breakTime: { startTime: "12:00", endTime: "12:30" },
    capacity: { weight: { min: 0, max: "99.5" } },
    assignee: null,
    maxOvertime: 60,
    costs: { hour: 30 },
    skills: [{ name: "gas", validUntil: "2031-05-04" }],
  }
  const patched = (await as(org.owner).patch(`/vehicle/${van._id}`, patch)).json().data
  assert.equal(patched.assignee, null)
  assert.equal(patched.speed, 30)
  assert.deepEqual(patched.capacity, { weight: { min: 0, max: 99.5 } })
  assert.deepEqual(
    [patched.maxOvertime, patched.costs, patched.skills, patched.maxDistance],
    [60, { hour: 30 }, patch.skills, null],
  )
  const without = (await as(org.owner).patch(`/vehicle/${van._id}`, { costs: null })).json().data
  assert.deepEqual([without.costs, without.maxOvertime], [null, 60])
  const put = (await as(org.owner).put(`/vehicle/${van._id}`, { hubId: hub.id, name: "Van 2" })).json().data
  assert.equal(put.speed, 25)
  assert.deepEqual(put.capacity, {})
  assert.deepEqual([put.skills, put.maxOvertime], [null, null])
  assert.deepEqual(put.breakTime, { startTime: null, endTime: null })
})

test("a vehicle that is saved as it was read gets no working hours, and is found by the default ones", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const owner = as(org.owner)
  const { data } = (await owner.expect(200).post("/vehicle", { hubId: hub.id, name: "Van" })).json()
  const stored = async () =>
    (await sql<{ workingTime: object | null }[]>`select working_time from vehicles where id = ${data._id}`)[0]
  const { hubId, name, workingTime } = data
  for (const send of [owner.patch, owner.put])
    await send.call(owner, `/vehicle/${data._id}`, { hubId, name, workingTime })
  assert.equal((await stored())?.workingTime, null)
  const filter = JSON.stringify({ field: "workingStart", operator: "equals", value: "08:00" })
  const found = (await owner.expect(200).get(`/vehicles?filter=${encodeURIComponent(filter)}`)).json()
  assert.equal(found.total, 1)
  await owner
    .expect(200)
    .patch(`/vehicle/${data._id}`, { workingTime: { startTime: "09:00", endTime: "17:00" } })
  await owner.expect(200).patch(`/vehicle/${data._id}`, { workingTime })
  assert.deepEqual((await stored())?.workingTime, workingTime, "entered")
})

test("what a vehicle cannot be is refused with the code of its kind", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const stranger = await aUser(sql, { org, hubs: [other], permissions: ["do/task"] })
  const planner = await aUser(sql, { org, role: "planner", hubs: [hub] })
  await sql`update roles set permission_names = array['add/vehicle', 'view/vehicle'] where id = ${planner.roleId}`
  const cases: [Record<string, unknown>, string][] = [
    [{ name: "" }, "vehic-001"],
    [{ speed: 4 }, "vehic-009"],
    [{ fixedCost: 101 }, "vehic-009"],
    [{ startCoordinate: "home" }, "vehic-013"],
    [{ skills: [{ name: "gas", validFrom: "2031-02-01", validUntil: "2031-01-01" }] }, "vehic-013"],
    [{ costs: { hour: -1 } }, "vehic-009"],
    [{ oddEven: "prime" }, "vehic-017"],
    [{ workingTime: { startTime: "17:00", endTime: "08:00", multiday: 0 } }, "vehic-018"],
    [{ workingTime: { startTime: "09:00" } }, "vehic-001"],
    [{ breakTime: { startTime: "13:00", endTime: "12:00" } }, "vehic-018"],
    [{ workingTime: { startTime: "25:00", endTime: "26:00" } }, "vehic-018"],
    [{ capacity: { weight: { min: 5, max: 5 } } }, "vehic-009"],
    [{ assignee: stranger.email }, "vehic-037"],
    [{ assignee: "nobody@fieldway.test" }, "vehic-037"],
    [{ hubId: "f".repeat(24) }, "vehic-036"],
    [{ hubId: other.id }, "vehic-036"],
    [{ tags: Array.from({ length: 11 }, (_, index) => `t${index}`) }, "vehic-040"],
  ]
  for (const [wrong, code] of cases) {
    const reply = await as(planner).post("/vehicle", { hubId: hub.id, name: "Van", ...wrong })
    assert.equal(reply.statusCode, 400, JSON.stringify(wrong))
    assert.equal(reply.json().failedCode, code, JSON.stringify(wrong))
    assert.deepEqual(reply.json().data, [])
  }
  const several = await as(planner).post("/vehicle", {
    hubId: hub.id,
    name: "Van",
    breakTime: { startTime: "13:00", endTime: "12:00" },
    capacity: { weight: { min: 5, max: 5 }, volume: { min: 1, max: 2 } },
  })
  assert.deepEqual(Object.keys(several.json().errors), ["breakTime", "capacity.weight"])
  const night = { startTime: "19:00", endTime: "05:00", multiday: 1 }
  await as(planner).expect(200).post("/vehicle", { hubId: hub.id, name: "Night", workingTime: night })
})

test("a bulk call validates each vehicle separately and returns results in order", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const reply = await as(org.owner).post("/vehicles", {
    vehicles: [{ hubId: hub.id, name: "A", assignee: "" }, { hubId: hub.id }, { hubId: hub.id, name: "C" }],
  })
  const { success, failed, data } = reply.json()
  assert.deepEqual([success, failed], [2, 1])
  assert.equal(data[1]._id, null)
  assert.equal(data[1].message, "name is required")
  const listed = (await as(org.owner).get("/vehicles?sortBy=name&sortOrder=ASC&limit=5000")).json()
  assert.deepEqual(
    listed.data.map((vehicle: { _id: string }) => vehicle._id),
    [data[0]._id, data[2]._id],
  )
  assert.equal(listed.per_page, 5000)
  for (const name of ["Tram 10", "Tram 9", "Tram 2b"])
    await as(org.owner).expect(200).post("/vehicle", { hubId: hub.id, name })
  const named = (await as(org.owner).get("/vehicles?q=Tram&sortBy=name&sortOrder=asc")).json()
  assert.deepEqual(
    named.data.map((vehicle: { name: string }) => vehicle.name),
    ["Tram 2b", "Tram 9", "Tram 10"],
    "numbers in names count as numbers",
  )
  const far = await aHub(sql, { org, name: `${hub.name} 2` })
  const [tenth, second] = [
    await aUser(sql, { org, name: "Courier 10", hubs: [far], permissions: ["do/task"] }),
    await aUser(sql, { org, name: "Courier 2", hubs: [far], permissions: ["do/task"] }),
  ]
  for (const [name, { email }] of [
    ["Ferry", tenth],
    ["Lorry", second],
  ] as const)
    await as(org.owner).expect(200).post("/vehicle", { hubId: far.id, name, assignee: email })
  const firstTwo = async (sortBy: string, sortOrder: string) =>
    (await as(org.owner).get(`/vehicles?sortBy=${sortBy}&sortOrder=${sortOrder}&limit=2`))
      .json()
      .data.map((vehicle: { name: string }) => vehicle.name)
  assert.deepEqual(await firstTwo("assignee.name", "asc"), ["Lorry", "Ferry"])
  assert.deepEqual((await firstTwo("hub.name", "desc")).toSorted(), ["Ferry", "Lorry"])
})

test("vehicles are filtered by any field, changed and deleted together: one action, undone at once", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const owner = as(org.owner)
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const vehicles = ["Van 1", "Van 2", "Bike"].map((name, at) => ({
    hubId: hub.id,
    name,
    speed: 20 + 10 * at,
  }))
  await owner.post("/vehicles", { vehicles })
  const listed = async (filter: unknown) =>
    (
      await owner.get(
        `/vehicles?sortBy=name&sortOrder=asc&filter=${encodeURIComponent(JSON.stringify(filter))}`,
      )
    )
      .json()
      .data.map(({ name }: { name: string }) => name)
  assert.deepEqual(
    await listed({
      and: [
        { field: "speed", operator: "gte", value: 30 },
        { not: { field: "name", operator: "contains", value: "bike" } },
      ],
    }),
    ["Van 2"],
  )
  assert.deepEqual(await listed({ field: "workingStart", operator: "equals", value: "09:00" }), [])
  const ids: string[] = (await owner.get("/vehicles")).json().data.map(({ _id }: { _id: string }) => _id)
  const unknown = "0".repeat(24)
  const change = { tags: ["cold"], workingTime: { startTime: "06:00", endTime: "12:00" } }
  const changed = await owner.expect(200).patch("/vehicles/bulk", { vehicleIds: [...ids, unknown], change })
  assert.deepEqual([changed.json().success, changed.json().failed], [3, 1])
  assert.deepEqual(await listed({ field: "tags", operator: "equals", value: "cold" }), [
    "Bike",
    "Van 1",
    "Van 2",
  ])
  assert.deepEqual(await listed({ field: "workingStart", operator: "equals", value: "06:00" }), [
    "Bike",
    "Van 1",
    "Van 2",
  ])
  const action = String(changed.headers["x-action-id"])
  assert.equal((await owner.get(`/action/${action}/parts`)).json().data.length, 3)
  assert.equal((await owner.post(`/action/${action}/undo`)).statusCode, 200)
  assert.deepEqual(await listed({ field: "tags", operator: "empty" }), ["Bike", "Van 1", "Van 2"])
  const near = await aUser(sql, { org, hubs: [other], permissions: ["delete/vehicle", "view/vehicle"] })
  assert.equal((await as(near).delete("/vehicles/bulk", { vehicleIds: ids })).json().success, 0)
  assert.equal((await owner.delete("/vehicles/bulk", { vehicleIds: ids })).json().success, 3)
  assert.equal((await owner.get("/vehicles")).json().total, 0)
})

test("deleted vehicles are returned, stay in the trash and can be restored; a hub loses all of its vehicles or none", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  await as(org.owner).post("/vehicles", { vehicles: ["A", "B"].map((name) => ({ hubId: hub.id, name })) })
  const [first] = (await as(org.owner).get("/vehicles?q=a")).json().data
  const deleted = await as(org.owner).delete(`/vehicle/${first._id}`)
  assert.deepEqual(Object.keys(deleted.json()).sort(), ["data", "status"])
  const [entry] = (await as(org.owner).get("/trash?type=Vehicle")).json().data
  assert.equal((await as(org.owner).post(`/trash/${entry._id}/restore`)).statusCode, 200)
  assert.equal((await as(org.owner).get("/vehicles")).json().total, 2)
  assert.equal((await as(org.owner).delete(`/vehicles/${hub.id}/hub`)).statusCode, 200)
  assert.equal((await as(org.owner).get("/vehicles")).json().total, 0)
  assert.equal((await as(org.owner).delete(`/vehicles/${hub.id}/hub`)).json().failedCode, "vehic-033")
  const [unknown, malformed] = [
    await as(org.owner).get(`/vehicle/${first._id}`),
    await as(org.owner).get("/vehicle/van"),
  ]
  assert.equal(unknown.json().message, "data not found")
  assert.deepEqual([malformed.statusCode, malformed.json()], [unknown.statusCode, unknown.json()])
})

test("an organization defines its capacity constraints once; reading makes none", async (t) => {
  const { as, org } = await testOrganization(t)
  const missing = await as(org.owner).get("/capacity-constraint")
  assert.deepEqual(
    [missing.statusCode, missing.json().failedCode, missing.json().data],
    [404, "capac-033", []],
  )
  const first = [{ name: "volume", denominator: "m3" }]
  await as(org.owner).expect(200).post("/capacity-constraint", { capacityConstraint: first })
  const { data } = (await as(org.owner).get("/capacity-constraint")).json()
  assert.deepEqual(data.capacityConstraint, first)
  const capacityConstraint = [{ name: "weight", denominator: "Kg" }]
  const changed = await as(org.owner).put(`/capacity-constraint/${data._id}`, { capacityConstraint })
  assert.deepEqual(changed.json().data.capacityConstraint, capacityConstraint)
  assert.equal(
    (await as(org.owner).post("/capacity-constraint", { capacityConstraint })).json().failedCode,
    "capac-031",
  )
  const removed = await as(org.owner).delete(`/capacity-constraint/${data._id}`)
  assert.equal(removed.json().data.isDeleted, true)
  assert.deepEqual((await as(org.owner).get("/capacity-constraints")).json().data, [])
})

test("vehicles kept in a workbook are read by the console, and other files are recognized", async () => {
  const fixtures = new URL("../../../../packages/spreadsheets/fixtures/", import.meta.url)
  const file = async (name: string) => new Blob([await readFile(new URL(name, fixtures))])
  const [heads, row] = (await readWorkbook(await file("libreoffice.xlsx"))).split("\n")
  assert.equal(heads, "Name\tDay\tSeen At\tOpens\tPostcode\tActive\tAmount\tDouble\tLabel\tBroken")
  assert.match(row ?? "", /^Müller & Söhne “Depot”\t46112\t[\d.]+\t0\.2708\d+\t1234\t1\t12\.5\t25\t/)
  for (const broken of [await file("libreoffice.xls"), new Blob(["PK"]), new Blob([])])
    await assert.rejects(readWorkbook(broken), WorkbookError)
})
