import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, anOrganization, aUser } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"

/** Each switch of a profile, seen in what a plan through the API looks like. */
interface Node {
  visitId: string
  isHub: boolean
  eta: string
  etd: string
  distance: number
  travelTime: number
  handoverVisits?: string[]
}
interface Route {
  vehicleId: string
  isOddEven: boolean
  speed: unknown
  totalDistance: number
  trips: Node[]
}
const visitsOf = ({ trips }: Route) => trips.filter(({ isHub }) => !isHub).map(({ visitId }) => visitId)

const visit = (id: string, coordinate: string, more: Record<string, unknown> = {}) => ({
  id,
  name: id,
  address: "A",
  coordinate,
  visitTime: 5,
  ...more,
})
const van = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  name: id,
  workingTime: { startTime: "08:00", endTime: "18:00" },
  ...more,
})

const start = async () => {
  const app = await testApp()
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org, lat: 52, lng: 4 })
  const me = app.as(org.owner)
  const plan = async (body: Record<string, unknown>) => {
    const reply = await me.expect(200).post("/routing", { hubId: hub.id, ...body })
    const { data } = reply.json()
    const routing: Route[] = data.result.routing
    const dropped: { id: string }[] = data.result.dropped
    return {
      data,
      routing,
      dropped: dropped.map(({ id }) => id),
      route: new Map(routing.map((r) => [r.vehicleId, r])),
    }
  }
  return { ...app, org, hub, me, plan }
}

test("goods over a sub-hub are planned in two echelons, dispatched into the sub-hub's tasks and handed over", async () => {
  const { sql, org, hub, me, plan } = await start()
  const sub = await aHub(sql, { org, lat: 52.3, lng: 4 })
  const driver = await aUser(sql, { org, hubs: [hub], permissions: ["do/task"] })
  const make = async (lat: number) =>
    (
      await me.post("/task", {
        flow: "Delivery",
        hubId: hub.id,
        receiverName: `Shop ${lat}`,
        deliveryPoint: `${lat},4`,
      })
    ).json().task._id as string
  const [near, far, farther] = [await make(52.01), await make(52.31), await make(52.4)]
  const visits = (tags: string[]) => [
    visit(`taskId-${near}`, "52.01,4"),
    visit(`taskId-${far}`, "52.31,4", { tags }),
    visit(`taskId-${farther}`, "52.4,4", { tags }),
  ]
  const vehicles = [
    van("truck", { allowSubHub: true, assignee: driver.email }),
    van("bike", { hubId: sub.id, tags: ["small street"] }),
  ]
  const all = await plan({
    visits: visits([]),
    vehicles,
    configuration: { crossDockingType: "all", subHubs: [{ id: sub.id }], returnToHub: true },
  })
  assert.deepEqual(all.dropped, [])
  const [handover] = all.route.get("truck")?.trips.filter((node) => node.handoverVisits) ?? []
  assert.deepEqual(
    [handover?.visitId, handover?.handoverVisits?.length, visitsOf(all.route.get("bike") as Route).length],
    [`hub-${sub.id}`, 3, 3],
  )
  const [first] = all.route.get("bike")?.trips ?? []
  assert.ok((first?.etd ?? "") >= (handover?.etd ?? "24"), "the second echelon leaves after the handover")
  assert.deepEqual(all.data.configuration.subHubs, [{ id: sub.id }])
  const violations = async (id: string) => (await me.get(`/result/${id}/violations`)).json().data
  assert.deepEqual(await violations(all.data._id), [])

  // A truck that comes later makes the bike leave later; goods that a truck brings elsewhere are nobody's there.
  const moved = (moves: object[]) => me.put(`/result/${all.data._id}/moves`, { moves, dryRun: true })
  const [toEnd] = visitsOf(all.route.get("bike") as Route)
  const dry = (await moved([{ visitId: toEnd, vehicleId: "bike" }])).json()
  assert.ok((dry.routing[0].trips[0].etd as string) >= (handover?.etd ?? "24"))
  // The truck's own stops move too, and the bike leaves when its goods come.
  const further = visit("extra", "52.02,4")
  const more = await plan({
    visits: [...visits([]), further],
    vehicles,
    configuration: { crossDockingType: "all", subHubs: [{ id: sub.id }], returnToHub: true },
  })
  const truck = more.route.get("truck") as Route
  assert.equal(truck.trips.filter((node) => node.handoverVisits).length, 1)
  const direct = (
    await me.put(`/result/${more.data._id}/moves`, {
      moves: [{ visitId: "extra", vehicleId: "truck", position: 0 }],
      dryRun: true,
    })
  ).json()
  const [changedTruck, changedBike] = ["truck", "bike"].map((id) =>
    direct.routing.find(({ vehicleId }: Route) => vehicleId === id),
  )
  const handed = changedTruck.trips.find((node: Node) => node.handoverVisits)
  assert.ok(handed.etd > (truck.trips.find((node) => node.handoverVisits)?.etd ?? ""), "one stop more before")
  assert.ok(changedBike.trips[0].etd >= handed.etd, "and the bike waits for it")
  assert.deepEqual(visitsOf(changedTruck), ["extra"])
  assert.deepEqual(
    [direct.violations, handed.handoverVisits.includes("extra")],
    [[], false],
    "it is on board",
  )
  const there = [{ visitId: "extra", vehicleId: "truck", position: 0 }]
  await me.put(`/result/${more.data._id}/moves`, { moves: there })
  const andBack = { moves: [{ visitId: "extra", vehicleId: "bike" }], dryRun: true }
  const back = (await me.put(`/result/${more.data._id}/moves`, andBack)).json()
  assert.deepEqual(back.violations, [], "its goods go to the sub-hub again")
  const refused = await me.put(`/result/${more.data._id}/moves`, {
    moves: [{ visitId: `hub-${sub.id}`, vehicleId: "bike" }],
  })
  assert.deepEqual([refused.statusCode, refused.json().failedCode], [400, "reslt-001"])
  const late = structuredClone(all.data.result)
  for (const route of late.routing)
    route.trips = route.trips.filter(({ handoverVisits }: { handoverVisits?: unknown }) => !handoverVisits)
  await me.put(`/result/${all.data._id}`, { result: late })
  assert.deepEqual(
    (await violations(all.data._id)).map(({ kind, vehicleId }: Record<string, unknown>) => [kind, vehicleId]),
    Array.from({ length: 3 }, () => ["handover", "bike"]),
  )

  // Only what the main hub's vehicles cannot serve goes over the sub-hub, and no farther than its vehicles may go.
  const drop = await plan({
    visits: visits(["small street"]),
    vehicles,
    configuration: {
      crossDockingType: "dropped",
      subHubs: [sub.id],
      vehicleSubHubDistanceLimit: 5000,
      returnToHub: true,
    },
  })
  assert.deepEqual(drop.dropped, [`taskId-${farther}`])
  assert.deepEqual(visitsOf(drop.route.get("truck") as Route), [`taskId-${near}`])
  assert.deepEqual(visitsOf(drop.route.get("bike") as Route), [`taskId-${far}`])
  assert.ok((drop.route.get("bike")?.totalDistance ?? 0) <= 5000)
  assert.ok((drop.route.get("truck")?.totalDistance ?? 0) > 5000, "the limit is the sub-hub's alone")
  assert.deepEqual((await me.get(`/result/${drop.data._id}/violations`)).json().data, [])

  const sent = (await me.post("/dispatch", { resultId: drop.data._id })).json()
  assert.deepEqual([sent.failed, sent.statusCode], [0, 200])
  const hubOf = async (id: string) => (await me.get(`/task/${id}`)).json().task.hubId
  assert.deepEqual([await hubOf(near), await hubOf(far), await hubOf(farther)], [hub.id, sub.id, hub.id])
  const handovers = (await me.get("/tasks?flow=Handover")).json().tasks.data
  assert.deepEqual(
    handovers.map(({ hubId, assignee, listOrder }: Record<string, unknown>) => [
      hubId,
      assignee,
      (listOrder as { title: string }[]).map(({ title }) => title),
    ]),
    [[hub.id, [driver.email], ["Shop 52.31"]]],
  )
})

test("speeds come from how the hub's people drove, when that is asked for", async () => {
  const { as, sql, org, hub, plan } = await start()
  const driver = await aUser(sql, { org, hubs: [hub], permissions: ["do/task"] })
  const from = Temporal.Now.instant().subtract({ hours: 30 })
  await as(driver)
    .expect(201)
    .post("/location-history/bulk", {
      location_histories: Array.from({ length: 150 }, (_, index) => ({
        lat: 52 + index * 0.0001,
        lon: 4,
        speed: 60,
        createdTime: from.add({ seconds: index * 10 }).toString(),
      })),
    })
  const body = { visits: [visit("a", "52.1,4")], vehicles: [van("1", { speed: 20 })] }
  const auto = await plan({ ...body, configuration: { autoSpeed: true } })
  const [, stop] = auto.routing[0]?.trips ?? []
  const minutesAt = (speed: number) => Math.ceil(((stop?.distance ?? 0) * 3.6) / speed / 60)
  assert.deepEqual(
    [auto.routing[0]?.speed, auto.data.summary.avgSpeed, stop?.travelTime],
    ["auto", "auto", minutesAt(60)],
  )
  const own = await plan(body)
  assert.deepEqual([own.routing[0]?.speed, own.routing[0]?.trips[1]?.travelTime], [20, minutesAt(20)])
})

test("a plate of the wrong parity stays out of the zone in its hours", async () => {
  const { me, plan } = await start()
  const corner = (lng: number, lat: number) => [lng, lat]
  const zone = {
    type: "Polygon",
    coordinates: [
      [corner(4.1, 52.1), corner(4.2, 52.1), corner(4.2, 52.2), corner(4.1, 52.2), corner(4.1, 52.1)],
    ],
  }
  const stored = await me.post("/org-data", { name: "oddEvenZone", data: zone })
  assert.ok(stored.statusCode < 300, stored.body)
  const body = {
    routingDate: "2031-05-04",
    visits: [visit("inside", "52.15,4.15"), visit("outside", "51.99,4")],
    configuration: { useOddEven: true, oddEvenTime: [{ startTime: "06:00", endTime: "20:00" }] },
  }
  const both = await plan({
    ...body,
    vehicles: [van("odd", { oddEven: "odd" }), van("even", { oddEven: "even" })],
  })
  assert.ok(visitsOf(both.route.get("even") as Route).includes("inside"))
  assert.deepEqual(
    [both.route.get("odd")?.isOddEven, both.route.get("even")?.isOddEven, both.data.warnings],
    [true, false, undefined],
  )
  const odd = await plan({ ...body, vehicles: [van("odd", { oddEven: "odd" })] })
  assert.deepEqual(odd.dropped, ["inside"])
  const late = { oddEvenTime: [{ startTime: "06:00", endTime: "10:00" }], useOddEven: true }
  const after = await plan({ ...body, configuration: late, vehicles: [van("odd", { oddEven: "odd" })] })
  assert.deepEqual(after.dropped, [])
  const inside = after.routing[0]?.trips.find(({ visitId }) => visitId === "inside")
  assert.ok((inside?.eta ?? "") >= "10:00:00", "it waits until the hours are over")
})

test("visits are shared evenly, or each vehicle keeps to its side, as the profile says", async () => {
  const { plan } = await start()
  // Four east and two west of the hub.
  const visits = [4.1, 4.11, 4.12, 4.13, 3.9, 3.89].map((lng) => visit(`v${lng}`, `52,${lng}`))
  const vehicles = [van("1"), van("2")]
  const even = await plan({
    visits,
    vehicles,
    configuration: { clustering: "balanced", useAllVehicle: true },
  })
  assert.deepEqual(even.routing.map((route) => visitsOf(route).length).sort(), [3, 3])
  const apart = await plan({
    visits,
    vehicles,
    configuration: { clustering: "non-overlap", useAllVehicle: true },
  })
  const [west, east] = apart.routing
    .map((route) => visitsOf(route).map((id) => Number(id.slice(1))))
    .toSorted((one, other) => (one[0] ?? 0) - (other[0] ?? 0))
  assert.ok(Math.max(...(west ?? [])) < Math.min(...(east ?? [])), "no vehicle drives into the other's area")
  const few = await plan({ visits, vehicles })
  assert.equal(few.data.summary.usedVehicles, 1)
})

test("work goes on the next day, each visit in its hours of that day", async () => {
  const { me, plan } = await start()
  const windows = { timeWindow: { startTime: "08:00", endTime: null } }
  const visits = ["a", "b", "c", "d"].map((id) => visit(id, "52.05,4", { ...windows, visitTime: 240 }))
  const impossible = visit("never", "52.05,4", { timeWindow: { startTime: "12:00", endTime: "11:00" } })
  for (const multidayOption of ["last visit", "from hub"]) {
    const { data, routing, dropped } = await plan({
      visits: [...visits, impossible],
      vehicles: [van("1", { workingTime: { startTime: "08:00", endTime: "42:00" } })],
      configuration: { multidayOption },
    })
    assert.deepEqual(dropped, ["never"])
    const etas = routing[0]?.trips.filter(({ isHub }) => !isHub).map(({ eta }) => eta) ?? []
    assert.equal(etas.length, 4)
    assert.ok((etas.at(-1) ?? "") > "32:00:00", etas.join(" "))
    const violations = async () => (await me.get(`/result/${data._id}/violations`)).json().data
    assert.deepEqual(await violations(), [])

    // The last visit goes to the end of the first day, which has no time left for it.
    const [first] = routing
    const last = first?.trips.findLast(({ isHub }) => !isHub)
    const place = { visitId: last?.visitId, vehicleId: "1", trip: 1 }
    const moved = (await me.put(`/result/${data._id}/moves`, { moves: [place] })).json()
    assert.equal(moved.status, true, JSON.stringify(moved))
    if (multidayOption === "from hub") {
      assert.ok(moved.violations.some(({ kind }: { kind: string }) => kind === "shift"))
      assert.deepEqual(await violations(), moved.violations)
    }
  }
})
