import assert from "node:assert/strict"
import { test } from "node:test"
import { json } from "#core/database/database.ts"
import { aHub, aUser } from "#samples/builders.ts"
import { aResult } from "#samples/routing-builders.ts"
import { testOrganization } from "#testing/test-app.ts"
import { matchStops } from "./match-stops.ts"

test("a plan is compared with where its driver was", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const driver = await aUser(sql, { org, hubs: [hub], permissions: ["do/task"] })
  const day = Temporal.Now.plainDateISO("UTC").subtract({ days: 1 }).toString()
  const stop = (visitId: string, lat: number, eta: string, etd: string) => ({
    visitId,
    visitName: visitId,
    isHub: false,
    coordinate: `${lat},4.3`,
    eta,
    etd,
    distance: 2900,
    visitTime: 10,
  })
  const trips = [
    { visitId: `hub-${hub.id}`, isHub: true, coordinate: "52.1,4.3", eta: "08:00:00", etd: "08:00:00" },
    stop("a", 52.12, "08:10:00", "08:20:00"),
    { ...stop("b", 52.14, "08:30:00", "08:40:00"), promisedTime: "09:45:00" },
    stop("c", 52.16, "09:00:00", "09:10:00"),
  ]
  const result = {
    routing: [{ vehicleId: "1", vehicleName: "Van", assignee: driver.email, trips }],
    dropped: [],
  }
  const { id } = await aResult(sql, { org, hub, result })
  await sql`update routing_results set routing_date = ${day}, dispatch_status = 'done' where id = ${id}`
  const moved = {
    visits: [
      { from: "1", to: "2" },
      { from: null, to: "1" },
      { from: "1", to: "1" },
    ],
  }
  await sql`
    insert into routing_proposals (organization_id, id, result_id, base_time, status, routing, input, changes, created_by, created_time)
    values (${org.id}, ${"0".repeat(24)}, ${id}, now(), 'accepted', '{}', '{}', ${json(sql, moved)}, '', now())`
  // Minute by minute: at the hub, ten minutes on the way, a quarter at a, ten on the way, ten at b.
  const latitudeAt = (minute: number) =>
    minute < 5
      ? 52.1
      : minute < 15
        ? 52.1 + (minute - 5) * 0.002
        : minute < 30
          ? 52.12
          : minute < 40
            ? 52.12 + (minute - 30) * 0.002
            : 52.14
  await as(driver)
    .expect(201)
    .post("/location-history/bulk", {
      location_histories: Array.from({ length: 50 }, (_, minute) => ({
        lat: latitudeAt(minute),
        lon: 4.3,
        createdTime: `${day} 08:${String(minute).padStart(2, "0")}:00`,
      })),
    })
  const me = as(org.owner)
  const reply = await me.expect(200).get(`/result/${id}/actual`)
  const { vehicles, summary } = reply.json().data
  assert.deepEqual(
    vehicles[0].stops.map(({ state, arrivalDeviation, actualMinutes }: Record<string, unknown>) => [
      state,
      arrivalDeviation,
      actualMinutes,
    ]),
    [
      ["visited", null, null],
      ["visited", 5, 16],
      ["visited", 10, null],
      ["missed", null, null],
    ],
  )
  assert.ok(Math.abs(vehicles[0].drivenDistance - 4450) < 30, String(vehicles[0].drivenDistance))
  assert.deepEqual(
    [
      summary.plannedStops,
      summary.servedStops,
      summary.onTimeStops,
      summary.missedStops,
      summary.averageDeviation,
    ],
    [3, 2, 2, 1, 7.5],
  )
  // b was promised for more than an hour later.
  assert.deepEqual(
    [summary.promisedStops, summary.keptPromises, summary.changedStops, summary.maxChangedStops],
    [2, 1, 1, 1],
  )
  const file = await me.expect(200).get(`/result/${id}/actual/file?download=csv`)
  assert.match(file.body, /Van,person[^,]+,1,a,\d{4}-\d\d-\d\d 08:10:00,\d{4}-\d\d-\d\d 08:15:00,5,/)
  const workbook = await me.get(`/result/${id}/actual/file`)
  assert.equal(workbook.rawPayload.subarray(0, 2).toString(), "PK")
  const blind = await aUser(sql, { org, hubs: [hub], permissions: ["view/result"] })
  assert.equal((await as(blind).get(`/result/${id}/actual`)).json().failedCode, "reslt-035")
  const [entry] = (await me.get("/audit-log?action=location.read")).json().data.data
  assert.equal(entry.targetName, driver.email)
})

test("stays at a place that is planned twice go to the stops that they fit best", () => {
  const hub = (planned: number) => ({
    place: "hub",
    planned,
    visits: [
      { arrivedAt: 5, leftAt: 10 },
      { arrivedAt: 95, leftAt: 99 },
    ],
  })
  const door = (planned: number) => ({ place: "door", planned, visits: [{ arrivedAt: 40, leftAt: 60 }] })
  const matched = matchStops([hub(0), door(45), door(55), hub(100)])
  assert.deepEqual(
    matched.map((visit) => visit?.arrivedAt),
    [5, 40, 40, 95],
  )
})
