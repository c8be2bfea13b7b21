import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout } from "node:timers/promises"
import { aHub, aUser } from "#samples/builders.ts"
import { aResult } from "#samples/routing-builders.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { testOrganization } from "#testing/test-app.ts"

/** Around the hub of the tests at 52.1,4.3; a thousandth of a degree of latitude is 111 m, 145 m by road. */
const visit = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  name: `Shop ${id}`,
  address: `Street ${id}`,
  coordinate: "52.11,4.3",
  ...more,
})
const van = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  name: `Van ${id}`,
  workingTime: { startTime: "08:00", endTime: "17:00" },
  ...more,
})

test("visits go out as a plan with times, loads and sums, and the visits that fit nowhere with their reasons", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const reply = await as(org.owner)
    .expect(200)
    .post("/routing", {
      hubId: hub.id,
      name: "Monday",
      resultCode: "R-1",
      routingDate: "2031-05-04",
      visits: [
        visit("a", {
          capacity: { weight: 10 },
          visitTime: "10",
          timeWindow: { startTime: "09:00", endTime: null },
        }),
        visit("b", { coordinate: "52.12, 4.3", capacity: { weight: 25.5 }, visitTime: 5 }),
        visit("sea", { coordinate: "north of here" }),
        visit("heavy", { capacity: { weight: 1000 } }),
        visit("cold", { tags: ["freezer"] }),
        visit("late", { timeWindow: { startTime: "20:00", endTime: "21:00" } }),
        visit("odd", { timeWindow: { startTime: "12:00", endTime: "11:00" } }),
      ],
      vehicles: [
        van("1", { capacity: { weight: { min: 0, max: 100 } }, speed: 30, assignee: "Driver@fieldway.test" }),
        van("2", {
          capacity: { weight: { min: 0, max: 50 } },
          breakTime: { startTime: "12:00", endTime: "12:30" },
        }),
      ],
      configuration: { returnToHub: true },
    })
  const { data } = reply.json()
  assert.equal(data.status, "done")
  assert.deepEqual(data.configuration.capacityConstraint, ["weight"])
  assert.equal(data.configuration.returnToBase, true)
  assert.deepEqual(data.resultTotal, { routing: 2, dropped: 5, total: 7 })
  const dropped = new Map(data.result.dropped.map((one: Found) => [one.id, one]))
  const codes = ["sea", "heavy", "cold", "late", "odd"].map((id) => (dropped.get(id) as Found).reasonCode)
  assert.deepEqual(codes, ["coordinate", "capacity", "tags", "timeWindow", "timeWindow"])
  assert.equal((dropped.get("cold") as Found).reason, "No vehicle with matching tags")
  const route = data.result.routing.find((one: { totalVisits: number }) => one.totalVisits === 2)
  assert.equal(route.totalWeight, 35.5)
  const [start, one, other, end] = route.trips as Stop[]
  const ends = [start?.visitId, end?.visitId, start?.isHub, end?.isHub]
  assert.deepEqual(ends, [`hub-${hub.id}`, `hub-${hub.id}`, true, true])
  assert.deepEqual([one?.visitId, other?.visitId].sort(), ["a", "b"])
  assert.deepEqual(
    route.trips.map(({ order }: Stop) => order),
    [0, 1, 2, 3],
  )
  const at = [one, other].find((node) => node?.visitId === "a")
  assert.equal(start?.eta, "08:00:00")
  assert.ok((start?.waitingTime ?? 0) > 0, "the start waits so that the first visit is reached when it opens")
  assert.ok((at?.etd ?? "") >= "09:10:00" && (end?.eta ?? "") > (at?.etd ?? ""))
  const meters = route.trips.reduce((sum: number, node: { distance: number }) => sum + node.distance, 0)
  assert.equal(route.totalDistance, meters)
  assert.equal(data.summary.totalDistance, meters)
  assert.deepEqual(
    [
      data.summary.totalVisits,
      data.summary.routedVisits,
      data.summary.usedVehicles,
      data.summary.unusedVehicles,
    ],
    [7, 2, 1, 1],
  )
  assert.deepEqual(data.summary.workload, {
    visits: { least: 2, most: 2 },
    minutes: { least: data.summary.totalSpentTime, most: data.summary.totalSpentTime },
  })
  const listed = (await as(org.owner).get("/results?resultCode=R-1&fields=name,summary&s=mond")).json().data
  assert.deepEqual([listed.total, Object.keys(listed.data[0]).sort()], [1, ["_id", "name", "summary"]])
  // An event is handed out once no older transaction of the database server runs, of other tests either.
  let events = (await as(org.owner).get("/events/feed")).json()
  while (events.data.length === 0) {
    await setTimeout(10)
    events = (await as(org.owner).get("/events/feed")).json()
  }
  assert.ok(JSON.stringify(events).includes("onRoutingResultFinished"))
})

interface Stop {
  visitId: string
  isHub: boolean
  order: number
  waitingTime: number
  eta: string
  etd: string
}
interface Found {
  id: string
  visitId: string
  reason: string
  reasonCode: string
}

test("what cannot be planned is refused with the code of its kind, or ends as a failed result that says why", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const planner = await aUser(sql, { org, permissions: ["route-optimization", "view/result"], hubs: [hub] })
  const body = { hubId: hub.id, visits: [visit("a")], vehicles: [van("1")] }
  const cases: [Record<string, unknown>, string][] = [
    [{ vehicles: [] }, "route-001"],
    [{ visits: [] }, "route-001"],
    [{ hubId: other.id }, "route-036"],
    [{ hubCoordinate: "91,0" }, "route-003"],
    [{ visits: Array.from({ length: 2001 }, (_, index) => visit(`v${index}`)) }, "route-040"],
    [{ visits: [visit("a"), visit("a")] }, "route-031"],
    [{ vehicles: [van("1", { oddEven: "prime" })] }, "route-017"],
    [{ configuration: { crossDockingType: "all" } }, "route-044"],
    [{ configuration: { crossDockingType: "all", subHubs: [other.id] } }, "route-044"],
    [{ vehicles: [van("1", { breakTime: { startTime: "07:00", endTime: "18:00" } })] }, "route-009"],
    [{ vehicles: [van("1", { breakTime: { startTime: "08:00", endTime: "17:00" } })] }, "route-034"],
  ]
  for (const [wrong, code] of cases) {
    const reply = await as(planner).post("/routing", { ...body, ...wrong })
    assert.deepEqual(
      [reply.statusCode, reply.json().failedCode],
      [400, code],
      JSON.stringify(wrong).slice(0, 200),
    )
  }
  const [failed] = (await as(planner).get("/results")).json().data.data
  assert.equal(failed.status, "failed")
  assert.match(failed.message, /break covers the whole working time/)
  assert.equal((await as(planner).post(`/routing/${failed._id}`)).statusCode, 200)
  assert.equal((await as(planner).post(`/routing/${failed._id}`)).json().failedCode, "route-032")
})

test("a run in the background goes on after its process was killed, is cancelled with its best plan, and gives up at last", async (t) => {
  const app = await testOrganization(t)
  const { sql, as, org } = app
  const hub = await aHub(sql, { org })
  const me = as(org.owner)
  const begin = async () => {
    const visits = Array.from({ length: 30 }, (_, index) =>
      visit(`v${index}`, { coordinate: `52.${100 + index * 7},4.3` }),
    )
    const reply = await me.post("/routing", {
      hubId: hub.id,
      visits,
      vehicles: [van("1"), van("2")],
      background: true,
    })
    assert.deepEqual([reply.statusCode, reply.json().data.status], [200, "ongoing"])
    return reply.json().data._id as string
  }
  const killed = await begin()
  await sql`update routing_results set runner = 'gone', runner_seen_at = now() - interval '1 minute', run_count = 1 where id = ${killed}`
  assert.equal((await me.post(`/routing/${killed}/cancel`)).statusCode, 200)
  await runJobs(app)
  const done = (await me.get(`/result/${killed}`)).json().data
  assert.deepEqual([done.status, done.summary.routedVisits + done.summary.droppedVisits], ["done", 30])
  assert.equal((await me.post(`/routing/${killed}/cancel`)).json().failedCode, "route-032")
  const hopeless = await begin()
  await sql`update routing_results set run_count = 3 where id = ${hopeless}`
  await runJobs(app)
  const given = (await me.get(`/result/${hopeless}`)).json().data
  assert.deepEqual(
    [given.status, given.message],
    ["failed", "Planning was started 3 times and never came to an end"],
  )
  const orphan = await begin()
  await sql`delete from hubs where id = ${hub.id}`
  await runJobs(app)
  assert.equal((await me.get(`/result/${orphan}`)).statusCode, 404)
})

test("changes by hand are versions that can be restored, and a deleted result comes back with them", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const me = as(org.owner)
  const stop = (visitId: string) => ({
    visitId,
    visitName: visitId.toUpperCase(),
    isHub: false,
    distance: 100,
    travelTime: 1,
  })
  const plan = (one: string[], two: string[]) => ({
    routing: [
      { vehicleId: "1", vehicleName: "Van 1", trips: one.map(stop) },
      { vehicleId: "2", vehicleName: "Van 2", trips: two.map(stop) },
    ],
    dropped: [],
  })
  const { id } = await aResult(sql, { org, hub, result: plan(["a", "b"], ["c"]) })
  const put = (result: unknown) => me.put(`/result/${id}`, { result })
  assert.equal((await put(plan(["a", "b"], ["c"]))).json().property.totalResultHistories, 0)
  const moved = (await put(plan(["a"], ["c", "b"]))).json().property
  assert.deepEqual(
    [moved.totalResultHistories, moved.summary.routedVisits, moved.summary.totalDistance],
    [1, 3, 300],
  )
  await put(plan(["a"], ["b", "c"]))
  const history = (await me.get(`/result/${id}/history`)).json().data
  assert.deepEqual(
    history.map(({ version, createdType, vehicleFrom, vehicleTo }: Record<string, unknown>) => [
      version,
      createdType,
      vehicleFrom,
      vehicleTo,
    ]),
    [
      [2, "changeSequence", "Van 2", "Van 2"],
      [1, "individualMove", "Van 1", "Van 2"],
    ],
  )
  const order = async () =>
    (await me.get(`/result/${id}`))
      .json()
      .data.result.routing.map(({ trips }: { trips: Found[] }) =>
        trips.map(({ visitId }) => visitId).join(""),
      )
  assert.equal((await me.put(`/result/${id}/restore/1`)).json().statusCode, 200)
  assert.deepEqual(await order(), ["a", "cb"])
  assert.equal((await me.put(`/result/${id}/restore/9`)).json().failedCode, "reslt-033")
  assert.equal((await me.put(`/result/${id}/reset`)).json().property.totalResultHistories, 3)
  assert.deepEqual(await order(), ["ab", "c"])
  assert.equal((await me.patch(`/result/${id}`, { name: "Tuesday" })).json().data.name, "Tuesday")
  assert.equal((await me.delete(`/result/${id}`)).json()._id, id)
  assert.equal((await me.get(`/result/${id}`)).json().failedCode, "reslt-033")
  const [kept] = (await me.get("/trash?type=Routing Result")).json().data
  assert.equal((await me.post(`/trash/${kept._id}/restore`)).statusCode, 200)
  assert.equal((await me.get(`/result/${id}/history`)).json().data.length, 3)
  const version = (await me.get(`/data-version?key=routingResults_${hub.id}`)).json()
  assert.match(version.data, /^\d+$/)
})

test("vehicles start and end at places of their own, days are limited, and important visits come first", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const body = (vehicle: Record<string, unknown>, visits: object[]) => ({
    hubId: hub.id,
    routingDate: "2031-05-04",
    visits,
    vehicles: [van("1", vehicle)],
    configuration: { returnToHub: true },
  })
  const plan = async (vehicle: Record<string, unknown>, visits: object[]) => {
    const { data } = (await as(org.owner).expect(200).post("/routing", body(vehicle, visits))).json()
    return { trips: data.result.routing[0].trips as Stop[], dropped: data.result.dropped as Found[] }
  }
  const home = { startCoordinate: "52.2,4.3", endCoordinate: "52.15,4.3" }
  const { trips } = await plan(home, [visit("a"), visit("b", { coordinate: "52.19,4.3" })])
  assert.deepEqual(
    trips.map(({ visitId }) => visitId),
    ["start-1", "b", "a", "end-1"],
  )
  const full = { capacity: { weight: { min: 0, max: 1 } } }
  const one = { capacity: { weight: 1 } }
  const { dropped } = await plan(full, [
    visit("a", one),
    visit("b", { ...one, priority: 5 }),
    visit("c", one),
  ])
  assert.deepEqual(dropped.map(({ id }) => id).sort(), ["a", "c"])
  const short = await plan({ maxDuration: 60 }, [
    visit("a", { visitTime: 40 }),
    visit("b", { visitTime: 40 }),
  ])
  assert.equal(short.dropped.length, 1)
  const trip = { ...body(home, [visit("a")]), configuration: { multitrip: true } }
  await as(org.owner).expect(400).post("/routing", trip)
})

test("a what-if plans the same visits without some vehicles, beside the plan that it is based on", async (t) => {
  const app = await testOrganization(t)
  const { sql, as, org } = app
  const hub = await aHub(sql, { org })
  const me = as(org.owner)
  const load = { capacity: { weight: 60 } }
  const { data: base } = (
    await me.expect(200).post("/routing", {
      ...{ hubId: hub.id, name: "Tuesday", routingDate: "2031-05-06" },
      visits: [visit("a", load), visit("b", load), visit("c")],
      vehicles: ["1", "2"].map((id) => van(id, { capacity: { weight: { min: 0, max: 100 } } })),
    })
  ).json()
  const whatIf = (id: string, withoutVehicleIds: string[]) =>
    me.post(`/routing/${id}/what-if`, { withoutVehicleIds })
  const { data: made } = (await whatIf(base._id, ["2"])).json()
  assert.deepEqual([made.name, made.basedOn, made.status], ["Tuesday − Van 2", base._id, "ongoing"])
  await runJobs(app)
  const { data: after } = (await me.expect(200).get(`/result/${made._id}`)).json()
  assert.deepEqual(
    [after.summary.usedVehicles, after.summary.routedVisits, after.summary.droppedVisits],
    [1, 2, 1],
  )
  const { data: still } = (await me.get(`/result/${base._id}`)).json()
  assert.deepEqual(still, base)
  const { data: again } = (await whatIf(base._id, [])).json()
  assert.deepEqual([again.name, again.basedOn], ["Tuesday", base._id])
  for (const without of [["1", "2"], ["3"]]) assert.equal((await whatIf(base._id, without)).statusCode, 400)
  assert.equal((await whatIf("6a01c0ffee5de0b4a7710c05", ["1"])).statusCode, 404)
  const imported = await aResult(sql, { org, hub })
  assert.equal((await whatIf(imported.id, ["1"])).json().failedCode, "reslt-032")
})
