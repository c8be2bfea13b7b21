import assert from "node:assert/strict"
import { createServer } from "node:http"
import { test } from "node:test"
import { aFlow, aHub, anOrganization } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { finishImport } from "./fixtures/imports.ts"
import { importJobs } from "./jobs.ts"
import { lookedUpCoordinates } from "./targets/geocode-tasks.ts"

const input = (id: string, type: string, routeAs: string, more = {}) => ({
  id,
  component: "input",
  title: id,
  type,
  routeAs,
  ...more,
})

const components = [
  input("shop", "String", "VisitName", { required: true, showAs: "title" }),
  input("street", "Address", "Address"),
  input("spot", "Geolocation", "Coordinate"),
  input("opens", "Time", "OpenTime"),
  input("closes", "Time", "CloseTime"),
  input("stay", "Numeric", "VisitDuration"),
  input("marks", "String", "Tag"),
  input("kilos", "Numeric", "Constraint.weight"),
  input("litres", "Numeric", "Constraint.volume"),
  input("goods", "String", "Pickup"),
  input("follows", "String", "After"),
  input("crew", "Numeric", "Workers"),
  input("dates", "String", "Days"),
  input("usual", "String", "PreferredVehicle"),
  input("likes", "String", "PreferredDays"),
]

const header =
  "Visit Name,Address,Coordinate,Open Time,Close Time,Visit Time,Tags,Weight,Volume,Visit Group,Priority\n"

test("visits fill the components that routing reads, and say what is wrong with the others", async (t) => {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const flow = await aFlow(app.sql, { org, pages: [{ id: "page0", components }] })
  const me = app.as(org.owner)
  const send = async (filename: string, content: string) => {
    const reply = await me.expect(200).upload("/data/import", {
      file: { filename, content },
      type: "visit",
      visitTypeId: flow.id,
      hubId: hub.id,
    })
    return finishImport({ ...app, me }, reply.json().data._id)
  }
  const good = await send(
    "good.csv",
    `${header}Elm Bakery,3 Elm Court,"51.4700,-2.5700",08:00,12:00,10,"cold,north",120.5,1.2,run-a,0
Reed Books,9 Reed Lane,,09:00,17:00,,,15,,run-a,1
`,
  )
  assert.deepEqual([good.status, good.totalValid, good.visitTypeId], ["success", 2, flow.id])
  const [elm] = (await me.get("/tasks?sortBy=orderIndex&sortOrder=asc")).json().tasks.data
  assert.deepEqual(
    [elm.shop, elm.spot, elm.stay, elm.kilos, elm.visitGroup, elm.visitGroupPriority],
    ["Elm Bakery", "51.4700,-2.5700", 10, 120.5, "run-a", 0],
  )
  const bad = await send(
    "bad.csv",
    `${header},3 Elm Court,"51.4700,-2.5700",08:00,12:00,10,,5,1,,
Ash Cafe,,,08:00,12:00,10,,5,1,,
Bay Shop,1 Bay Road,"95.0000,-2.5700",08:00,12:00,10,,5,1,,
Cap Store,2 Bay Road,"51.4700,-2.5700",18:00,09:00,10,,5,1,,
Dot Gym,3 Bay Road,"51.4700,-2.5700",08:00,12:00,7.5,,5.2345678,1,,
Eve Spa,4 Bay Road,"51.4700,-2.5700",08:00,12:00,10,"a,b,c,d,e,f,g,h,i,j,k",5,-1,,101
Fox Inn,5 Bay Road,"51.4700,-2.5700",08:00,12:00,10,late,5,1,,
`,
  )
  const failed = (await me.get(`/import-monitoring/${bad._id}/failed-rows`)).json().data.data
  assert.deepEqual(
    failed.map((row: { row: number; message: string }) => `${row.row}  ${row.message}`),
    [
      "2  Visit Name: is required",
      "3  Address: is required when Coordinate is empty",
      "4  Coordinate: latitude must be between -90 and 90 and longitude between -180 and 180 (the two may be swapped)",
      "5  Close Time: must not be before Open Time",
      "6  Visit Time: must be a whole number of minutes; Weight: at most 6 decimal digits",
      "7  Tags: at most 10 tags; Volume: must be 0 or more; Priority: must be 0 to 100",
    ],
  )
})

test("visits bring the goods of other visits, wait for them and need several people", async (t) => {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const flow = await aFlow(app.sql, { org, pages: [{ id: "page0", components }] })
  const me = app.as(org.owner)
  const head =
    "Visit Name,Address,Pickup From,After,Workers,Days,Preferred Vehicle,Preferred Days,Priority,Task Priority\n"
  const rows =
    "Elm Bakery,3 Elm Court,A-16,A-17 + 30-120; A-18,2,2031-05-04; 2031-05-06,Van 2,2031-05-06,3,urgent\nFox Inn,5 Bay Road,,A-17 + 60-30,6,May,,Monday,,\n"
  const reply = await me.expect(200).upload("/data/import", {
    file: { filename: "links.csv", content: head + rows },
    type: "visit",
    visitTypeId: flow.id,
    hubId: hub.id,
  })
  const done = await finishImport({ ...app, me }, reply.json().data._id)
  const [elm] = (await me.get("/tasks")).json().tasks.data
  assert.deepEqual(
    [elm.goods, elm.follows, elm.crew, elm.dates, elm.usual, elm.likes, elm.priority],
    ["A-16", "A-17 + 30-120; A-18", 2, "2031-05-04; 2031-05-06", "Van 2", "2031-05-06", "urgent"],
  )
  const failed = (await me.get(`/import-monitoring/${done._id}/failed-rows`)).json().data.data
  assert.deepEqual(
    failed.map((row: { message: string }) => row.message),
    [
      "After: must be IDs with minutes in between, such as A-17 + 30-120; A-18; Workers: must be 1 to 5; Days: must be days such as 2031-05-04, 2031-05-06; Preferred Days: must be days such as 2031-05-04, 2031-05-06",
    ],
  )
})

test("a flow without a place for the coordinate refuses a file that has one", async (t) => {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const flow = await aFlow(app.sql, { org, pages: [{ id: "page0", components: components.slice(0, 2) }] })
  const me = app.as(org.owner)
  const file = { filename: "v.csv", content: 'Visit Name,Address,Coordinate\nA,B,"1,2"\n' }
  const { _id } = (
    await me.upload("/data/import", { file, type: "visit", flowId: flow.id, hubId: hub.id })
  ).json().data
  const done = await finishImport({ ...app, me }, _id)
  assert.deepEqual(
    [done.status, done.errorMessage],
    ["failed", "File validation failed: column Coordinate has no component in the flow"],
  )
})

test("a visit without a coordinate gets it from its address, and undoing the import still takes it back", async (t) => {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const flow = await aFlow(app.sql, { org, pages: [{ id: "page0", components }] })
  const me = app.as(org.owner)
  const geocoder = createServer((request, reply) => {
    const isKnown = request.url?.includes("Reed")
    reply.end(JSON.stringify(isKnown ? [{ lat: "51.482", lon: "-2.561" }] : []))
  }).listen(0, "127.0.0.1")
  t.after(() => geocoder.close())
  await new Promise((resolve) => geocoder.once("listening", resolve))
  const port = (geocoder.address() as { port: number }).port
  const content = `${header}Reed Books,9 Reed Lane,,,,,,,,,\nAsh Cafe,Nowhere 1,,,,,,,,,\nElm Bakery,3 Elm Court,"51.47,-2.57",,,,,,,,\n`
  const file = { filename: "visits.csv", content }
  const parts = { file, type: "visit", flowId: flow.id, hubId: hub.id }
  const { _id } = (await me.upload("/data/import", parts)).json().data
  await finishImport({ ...app, me }, _id)
  const context = app.jobContext()
  const config = { ...context.config, geocoderUrl: `http://127.0.0.1:${port}` }
  const job = importJobs.find(({ name }) => name === "imports.geocode")
  const payload = { organizationId: org.id, importId: _id }
  const waiting = (await me.get(`/import-monitoring/${_id}/doubtful-places`)).json()
  assert.equal(waiting.isLocating, true, "the job is queued")
  await job?.handle({ ...context, config }, payload)
  await job?.handle({ ...context, config }, payload)
  const { tasks } = (await me.get("/tasks?sortBy=createdTime&sortOrder=asc")).json()
  assert.deepEqual(
    tasks.data.map((task: { spot: string | null; expectedCoordinate: string | null }) => [
      task.spot,
      task.expectedCoordinate,
    ]),
    [
      ["51.482,-2.561", "51.482,-2.561"],
      [null, null],
      ["51.47,-2.57", "51.47,-2.57"],
    ],
  )
  const doubtful = async () =>
    (await me.get(`/import-monitoring/${_id}/doubtful-places`)).json().data as Record<string, unknown>[]
  const [missing, ...others] = await doubtful()
  assert.deepEqual([missing?.address, missing?.coordinate, others.length], ["Nowhere 1", null, 0])
  const undone = (await me.post(`/import-monitoring/${_id}/undo`)).json().data.undoResult
  assert.deepEqual([undone.removed, undone.kept], [3, 0])
  assert.deepEqual(await doubtful(), [], "their tasks are gone")
})

test("the only place of a flow is found by its address, unless the flow says no", () => {
  const of = (...inputs: Record<string, unknown>[]) =>
    lookedUpCoordinates({ pages: [{ id: "page0", components: inputs }] } as never, false)
  const plain = (id: string, type: string, more = {}) => ({
    id,
    component: "input",
    title: id,
    type,
    ...more,
  })
  const [street, spot] = [plain("street", "Address"), plain("spot", "Geolocation")]
  const found = [{ coordinateId: "spot", addressId: "street" }]
  assert.deepEqual(of(street, spot), found)
  assert.deepEqual(of(street, { ...spot, useGeocode: false }), [])
  assert.deepEqual(of(street, spot, plain("gate", "Geolocation")), [])
  const named = { ...spot, useGeocode: true, geocodeAs: "yard" }
  assert.deepEqual(of(street, plain("yard", "Address"), named), [{ coordinateId: "spot", addressId: "yard" }])
})
