import assert from "node:assert/strict"
import { test } from "node:test"
import { newId } from "#core/ids.ts"
import { aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { finishImport } from "./fixtures/imports.ts"

const header =
  "Vehicle,Assignee,Trip,Order,Task ID,Visit Name,Address,Coordinate,ETA,ETD,Distance,Travel Time\n"

test("a file becomes one planned result, reports the errors of each bad row, and can be undone", async (t) => {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const driver = await aUser(app.sql, { org, hubs: [hub], permissions: ["do/task"] })
  const task = await aTask(app.sql, { org, hub, title: "Own task" })
  const me = app.as(org.owner)
  for (const name of ["VAN-7", "VAN-9"])
    await app.sql`insert into vehicles (organization_id, id, hub_id, name, speed) values (${org.id}, ${newId()}, ${hub.id}, ${name}, 30)`
  const send = async (filename: string, content: string) => {
    const file = { filename, content: header + content }
    const reply = await me.expect(200).upload("/data/import", { file, type: "route", hubId: hub.id })
    return finishImport({ ...app, me }, reply.json().data._id)
  }
  const good = await send(
    "Monday.csv",
    `VAN-7,${driver.email},1,2,,Reed Books,9 Reed Lane,"51.4820,-2.5610",08:45,08:55,2100,15
VAN-7,${driver.email},1,1,,Elm Bakery,3 Elm Court,"51.4700,-2.5700",08:20,08:30,5400,20
VAN-9,,1,1,${task.id},,,,09:00,09:10,3300,25
`,
  )
  assert.deepEqual([good.status, good.totalValid], ["success", 3])
  const [{ _id }] = (await me.get("/results?s=monday")).json().data.data
  const { data } = (await me.get(`/result/${_id}`)).json()
  assert.deepEqual(
    [data.status, data.name, data.summary.routedVisits, data.summary.totalDistance],
    ["done", "Monday", 3, 10_800],
  )
  const stops = data.result.routing.map(({ vehicleName, assignee, trips }: Route) => [
    vehicleName,
    assignee,
    trips.map((node) => node.visitName ?? "hub"),
  ])
  assert.deepEqual(stops, [
    ["VAN-7", driver.email, ["hub", "Elm Bakery", "Reed Books"]],
    ["VAN-9", "", ["hub", "Own task"]],
  ])
  assert.equal((await me.post("/dispatch", { resultId: _id, dryRun: true })).json().success, 1)
  const bad = await send(
    "bad.csv",
    `TRUCK-X,,1,1,,Elm Bakery,3 Elm Court,"51.4700,-2.5700",08:20,08:30,5400,20
VAN-7,,1,first,,Elm Bakery,3 Elm Court,"51.4700,-2.5700",08:20,08:30,5400,20
VAN-7,,1,1,,Reed Books,9 Reed Lane,"51.4820,-2.5610",08:45,08:55,2100,15
VAN-7,,1,1,,Fox Inn,5 Bay Road,"51.4700,-2.5700",09:20,09:30,900,8
VAN-7,,1,3,6a01c0ffee5de0b4a7710fff,,,,09:40,09:50,900,8
VAN-7,,1,4,,,5 Bay Road,"51.4700,-2.5700",10:20,10:10,far,8
VAN-7,ghost@acme.test,1,5,,Ivy Hall,6 Bay Road,north,10:30,10:40,900,8
`,
  )
  const failed = (await me.get(`/import-monitoring/${bad._id}/failed-rows`)).json().data.data
  assert.deepEqual(
    failed.map((row: { row: number; message: string }) => `${row.row}  ${row.message}`),
    [
      "2  Vehicle: not found in this hub",
      "3  Order: must be a whole number",
      "5  Order: is repeated for this vehicle and trip",
      "6  Task ID: not found in this hub",
      "7  Visit Name: is required; ETD: must not be before ETA; Distance: must be a whole number",
      "8  Assignee: is not a user of this hub; Coordinate: must be latitude,longitude",
    ],
  )
  assert.equal((await me.post(`/import-monitoring/${bad._id}/undo`)).statusCode, 200)
  assert.equal((await me.get("/results")).json().data.total, 1)
})

interface Route {
  vehicleName: string
  assignee: string
  trips: { visitName?: string }[]
}
