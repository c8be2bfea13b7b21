import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"

/** North of the hub of the tests at 52.1,4.3; a thousandth of a degree is 145 m by road. */
const visit = (id: string, north: number, more: Record<string, unknown> = {}) => ({
  id,
  name: `Shop ${id}`,
  address: `Street ${id}`,
  coordinate: `${(52.1 + north / 1000).toFixed(3)},4.3`,
  ...more,
})
const van = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  name: `Van ${id}`,
  speed: 30,
  workingTime: { startTime: "08:00", endTime: "17:00" },
  ...more,
})

test("goods are picked up and delivered on one trip, with room for them in between", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const reply = await as(org.owner)
    .expect(200)
    .post("/routing", {
      hubId: hub.id,
      visits: [
        visit("p1", 10),
        visit("d1", 11, { pickupVisitId: "p1", capacity: { boxes: 4 } }),
        visit("p2", 12, { capacity: { boxes: 99 } }),
        visit("d2", 13, { pickupVisitId: "p2", capacity: { boxes: 3 } }),
        visit("lone", 9, { pickupVisitId: "nothing" }),
        visit("p3", 20, { timeWindow: { startTime: "15:00", endTime: "15:30" } }),
        visit("d3", 21, { pickupVisitId: "p3", timeWindow: { startTime: "09:00", endTime: "09:30" } }),
        visit("p4", 1, { coordinate: "nowhere" }),
        visit("d4", 2, { pickupVisitId: "p4" }),
      ],
      vehicles: [van("1", { capacity: { boxes: { min: 0, max: 5 } } })],
      configuration: { capacityConstraint: ["boxes"] },
    })
  const { data } = reply.json()
  const route = data.result.routing[0]
  const order = route.trips.map(({ visitId }: Stop) => visitId).filter((id: string) => !id.startsWith("hub"))
  assert.deepEqual(order, ["p1", "d1", "p2", "d2"], "4 and 3 boxes do not fit at once")
  const reasons = data.result.dropped.map(({ id, reasonCode }: Dropped) => [id, reasonCode])
  assert.deepEqual(Object.fromEntries(reasons), {
    lone: "invalid",
    p3: "pair",
    d3: "pair",
    p4: "coordinate",
    d4: "pair",
  })
  const lone = data.result.dropped.find(({ id }: Dropped) => id === "lone")
  assert.match(lone.reason, /pickupVisitId nothing is not the id of another visit/)
  // By hand: a delivery without its pickup before it is a violated rule.
  const moved = await as(org.owner)
    .expect(200)
    .put(`/result/${data._id}/moves`, {
      moves: [{ visitId: "p1", vehicleId: "1", index: 3 }],
      dryRun: true,
    })
  assert.ok(moved.json().violations.some(({ kind, visitId }: Dropped) => kind === "pair" && visitId === "d1"))
  const withSubHubs = {
    hubId: hub.id,
    visits: [visit("p", 1), visit("d", 2, { pickupVisitId: "p" })],
    vehicles: [van("1")],
    configuration: { crossDockingType: "all", subHubs: [(await aHub(sql, { org })).id] },
  }
  const refused = await as(org.owner).expect(400).post("/routing", withSubHubs)
  assert.match(refused.json().message, /pickupVisitId cannot be combined with sub-hubs/)
})

test("certificates count on the days on which they are valid", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const plan = async (routingDate: string) => {
    const reply = await as(org.owner)
      .expect(200)
      .post("/routing", {
        hubId: hub.id,
        routingDate,
        visits: [visit("boiler", 5, { tags: ["gas"] })],
        vehicles: [
          van("1", { skills: [{ name: "gas", validFrom: "2031-01-01", validUntil: "2031-05-04" }] }),
        ],
      })
    return reply.json().data
  }
  assert.equal((await plan("2031-05-04")).result.dropped.length, 0)
  const [dropped] = (await plan("2031-05-05")).result.dropped
  assert.equal(dropped.reasonCode, "skill")
  assert.match(dropped.help[0].text, /renew the certificate gas, which is not valid on 2031-05-05/)
  const backwards = { skills: [{ name: "gas", validFrom: "2031-02-01", validUntil: "2031-01-01" }] }
  await as(org.owner)
    .expect(400)
    .post("/routing", { hubId: hub.id, visits: [visit("a", 1)], vehicles: [van("1", backwards)] })
})

test("costs decide who drives, overtime and lateness have a price, and results show all of it", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const costs = { day: 10, hour: 30, overtimeHour: 20, kilometer: 0.5 }
  const plan = async (vehicles: object[], visits: object[], configuration: object = {}) => {
    const body = { hubId: hub.id, visits, vehicles, configuration: { returnToHub: true, ...configuration } }
    return (await as(org.owner).expect(200).post("/routing", body)).json().data
  }
  const two = await plan(
    [van("dear", { costs: { ...costs, day: 500 } }), van("cheap", { costs, co2PerKilometer: 200 })],
    [visit("a", 10), visit("b", 20)],
  )
  const [dear, cheap] = two.result.routing
  assert.deepEqual([dear.totalCost, dear.idleReason, cheap.totalVisits], [0, "notNeeded", 2])
  const kilometers = cheap.totalDistance / 1000
  const [left, back] = [cheap.trips[0].etd, cheap.trips.at(-1).eta].map(
    (text: string) => Date.parse(`2031-01-01T${text}Z`) / 3_600_000,
  )
  const expected = 10 + 30 * ((back ?? 0) - (left ?? 0)) + 0.5 * kilometers
  assert.ok(Math.abs(cheap.totalCost - expected) < 0.05, `${cheap.totalCost} is not ${expected}`)
  assert.ok(Math.abs(cheap.totalCo2 - kilometers * 0.2) < 0.001)
  assert.deepEqual([two.summary.totalCost, two.summary.totalCo2], [cheap.totalCost, cheap.totalCo2])
  // Nine hours of work do not fit into eight and a half, but with overtime.
  const long = [visit("a", 1, { visitTime: 480 }), visit("b", 1, { visitTime: 90 })]
  assert.equal((await plan([van("1")], long)).result.dropped.length, 1)
  const short = await plan([van("1", { maxDuration: 460 })], long.slice(0, 1))
  const [{ reasonCode, help }] = short.result.dropped
  assert.deepEqual([reasonCode, help[0].kind], ["duration", "duration"])
  const longer = { visitId: "a", kind: "duration" }
  const applied = await as(org.owner).expect(200).post(`/result/${short._id}/help`, longer)
  assert.deepEqual(applied.json().data.result.dropped, [])
  const overtime = await plan([van("1", { maxOvertime: 60, costs })], long)
  assert.equal(overtime.result.dropped.length, 0)
  assert.ok(overtime.result.routing[0].totalOvertime > 30)
  // Both at nine: one of them is late, or dropped.
  const nine = { timeWindow: { startTime: "09:00", endTime: "09:00" }, visitTime: 20 }
  const both = [visit("a", 1, nine), visit("b", 1, nine)]
  assert.equal((await plan([van("1")], both)).result.dropped.length, 1)
  const late = await plan([van("1", { costs })], both, { maxLateMinutes: 30, costPerLateMinute: 2 })
  assert.equal(late.result.dropped.length, 0)
  assert.equal(late.summary.totalLateTime, 20)
})

test("visits wait for others, and work for two people begins at the same time on two vehicles", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const reply = await as(org.owner)
    .expect(200)
    .post("/routing", {
      hubId: hub.id,
      visits: [
        visit("screed", 5, { visitTime: 30 }),
        visit("floor", 5, {
          visitTime: 30,
          after: [{ visitId: "screed", minMinutes: 120, maxMinutes: 180 }],
        }),
        visit("piano", 20, { visitTime: 60, workers: 2 }),
        visit("other", 30),
        visit("lost", 1, { after: [{ visitId: "nothing" }] }),
        visit("hen", 1, { after: [{ visitId: "egg" }] }),
        visit("egg", 1, { after: [{ visitId: "hen" }] }),
        visit("crowd", 1, { workers: 3 }),
      ],
      vehicles: [van("1"), van("2")],
    })
  const { data } = reply.json()
  const reasons = data.result.dropped.map(({ id, reasonCode }: Dropped) => [id, reasonCode])
  const dropped = { lost: "invalid", hen: "invalid", egg: "invalid", crowd: "link" }
  assert.deepEqual(Object.fromEntries(reasons), dropped)
  const nodes = data.result.routing.flatMap(({ vehicleId, trips }: { vehicleId: string; trips: object[] }) =>
    trips.map((node) => ({ vehicleId, ...node })),
  )
  const of = (id: string) => nodes.filter((node: Stop) => node.visitId === id)
  const minutes = (text: string) => Date.parse(`2031-01-01T${text}Z`) / 60_000
  const gap = minutes(of("floor")[0].etd) - 30 - minutes(of("screed")[0].etd)
  assert.ok(gap >= 119.9 && gap <= 180.1, `${gap} minutes`)
  const [one, two] = of("piano")
  assert.notEqual(one.vehicleId, two.vehicleId)
  assert.equal(one.etd, two.etd)
  assert.deepEqual([one.splitNumber, two.splitNumber].sort(), ["1/2", "2/2"])
  // Nobody is left for the third of the crowd.
  const kindsOf = async (visitId: string) => {
    const found = await as(org.owner).expect(200).get(`/result/${data._id}/help?visitId=${visitId}`)
    return found.json().data.map(({ kind }: Dropped) => kind)
  }
  assert.deepEqual(await kindsOf("crowd"), ["vehicle"])
  const made = { visitId: "crowd", kind: "vehicle" }
  const helped = (await as(org.owner).expect(200).post(`/result/${data._id}/help`, made)).json()
  assert.deepEqual(helped.violations, [])
  assert.deepEqual(
    helped.data.result.dropped.map(({ id }: Dropped) => id),
    ["lost", "hen", "egg"],
  )
  const crowd = helped.data.result.routing.flatMap(({ trips }: { trips: (Stop & { etd: string })[] }) =>
    trips.flatMap(({ visitId, etd }) => (visitId === "crowd" ? etd : [])),
  )
  assert.deepEqual([crowd.length, new Set(crowd).size], [3, 1])
  // By hand: visits go on waiting for those of other vehicles, and the second worker at the piano comes later too.
  const first = one.vehicleId === "1" ? one : two
  const index = data.result.routing[0].trips.findIndex(({ visitId }: Stop) => visitId === "piano") - 1
  const other = { visitId: "other", vehicleId: "1", index: Math.max(0, index) }
  const moves = { moves: [other], dryRun: true }
  const byHand = (await as(org.owner).expect(200).put(`/result/${data._id}/moves`, moves)).json()
  const links = byHand.violations.filter(({ kind }: Dropped) => kind === "link")
  assert.deepEqual(links, [], `${first.etd} before`)
})

test("a visit left out for the times of another one is taken in with more leeway between them", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const hours = (startTime: string, endTime: string) => ({ timeWindow: { startTime, endTime } })
  const visits = [
    visit("mould", 2, hours("09:00", "09:30")),
    visit("cast", 3, { ...hours("14:00", "15:00"), after: [{ visitId: "mould", maxMinutes: 60 }] }),
  ]
  const asked = await as(org.owner)
    .expect(200)
    .post("/routing", { hubId: hub.id, visits, vehicles: [van("1")] })
  const { data } = asked.json()
  const [mould, cast] = data.result.dropped
  assert.deepEqual([mould.reasonCode, cast.reasonCode], ["link", "link"])
  const gap = cast.help.find(({ kind }: Dropped) => kind === "gap")
  assert.match(gap.text, /^Shop cast: allow \d+ min more leeway/)
  const helped = await as(org.owner)
    .expect(200)
    .post(`/result/${data._id}/help`, { visitId: "cast", kind: "gap" })
  assert.deepEqual([helped.json().data.result.dropped, helped.json().violations], [[], []])
})

test("a visit waits for its preferred day where it can, and is named with a reason when the vans are full", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const week = { workingTime: { startTime: "08:00", endTime: "17:00", multiday: 2 } }
  const send = (body: object) =>
    as(org.owner).post("/routing", { hubId: hub.id, routingDate: "2031-05-05", ...body })
  const plan = async (body: object) => {
    const reply = await send(body)
    assert.equal(reply.statusCode, 200, reply.body)
    return reply.json().data
  }
  const visits = [
    visit("any", 5),
    visit("later", 6, { preferredDays: ["2031-05-07"] }),
    visit("past", 7, { preferredDays: ["2031-05-01"] }),
  ]
  const { _id, result } = await plan({ visits, vehicles: [van("1", week)] })
  const hourOf = (routes: { trips: (Stop & { etd: string })[] }[], id: string) =>
    Number.parseInt(routes.flatMap(({ trips }) => trips).find(({ visitId }) => visitId === id)?.etd ?? "", 10)
  assert.deepEqual(result.dropped, [])
  assert.ok(hourOf(result.routing, "later") >= 56)
  const moves = [{ visitId: "any", vehicleId: "1", index: 1 }]
  const moved = (await as(org.owner).expect(200).put(`/result/${_id}/moves`, { moves })).json()
  assert.ok(hourOf(moved.data.result.routing, "later") >= 56, "it still waits after a change by hand")
  const wrong = await plan({
    visits: [visit("a", 1, { preferredDays: ["2031-02-30"] })],
    vehicles: [van("1")],
  })
  assert.match(wrong.result.dropped[0].reason, /preferredDays.0 must be a day such as/)
  const boxes = { capacity: { boxes: 6 } }
  const full = await plan({
    visits: [visit("a", 1, boxes), visit("b", 2, boxes)],
    vehicles: [van("1", { capacity: { boxes: { min: 0, max: 10 } } })],
  })
  assert.deepEqual(full.result.dropped[0].reasonCode, "capacity")
})

type Stop = { visitId: string }
type Dropped = { id: string; reasonCode: string; kind: string; visitId: string }

test("a break of some minutes is placed within its time, stays there by hand, and is shown", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const lunch = { breakTime: { startTime: "11:00", endTime: "14:00" }, breakMinutes: 30 }
  const at = (startTime: string, endTime: string) => ({ visitTime: 60, timeWindow: { startTime, endTime } })
  const body = {
    hubId: hub.id,
    visits: [visit("early", 1, at("11:00", "11:30")), visit("late", 1, at("12:30", "12:45"))],
    vehicles: [van("1", lunch)],
  }
  const { data } = (await as(org.owner).expect(200).post("/routing", body)).json()
  assert.deepEqual(data.result.dropped, [])
  const [route] = data.result.routing
  assert.deepEqual(route.breakWithin, lunch.breakTime)
  const seconds = (text: string) => Date.parse(`2031-01-01T${text}Z`) / 1000
  const [from, to] = [route.breakTime.startTime, route.breakTime.endTime].map(seconds)
  assert.ok(from && to && to - from === 1800)
  for (const stop of route.trips.filter(({ isHub }: { isHub: boolean }) => !isHub))
    assert.ok(seconds(stop.etd) <= from || seconds(stop.etd) - 3600 >= to)
  const moves = [{ visitId: "late", vehicleId: "1", index: 1 }]
  const moved = (await as(org.owner).expect(200).put(`/result/${data._id}/moves`, { moves })).json()
  assert.deepEqual(moved.violations, [])
  assert.deepEqual(moved.data.result.routing[0].breakTime, route.breakTime)
  for (const wrong of [{ breakMinutes: 30 }, { ...lunch, breakMinutes: 200 }])
    await as(org.owner)
      .expect(400)
      .post("/routing", { ...body, vehicles: [van("1", wrong)] })
})

test("nobody works on a day off; who is needed is named, and works after the change", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const plan = async (routingDate: string, vehicles: object[], visits: object[] = [visit("a", 5)]) =>
    (
      await as(org.owner).expect(200).post("/routing", { hubId: hub.id, routingDate, visits, vehicles })
    ).json().data
  const terms = { workDays: [1, 2, 3, 4, 5], daysOff: ["2031-05-07"] }
  // The 4th is a Sunday.
  assert.equal((await plan("2031-05-05", [van("1", terms)])).result.dropped.length, 0)
  for (const day of ["2031-05-04", "2031-05-07"]) {
    const { _id, result } = await plan(day, [van("1", terms)])
    assert.deepEqual([result.dropped[0].reasonCode, result.routing[0].idleReason], ["dayOff", "dayOff"])
    assert.deepEqual(
      result.dropped[0].help.map(({ kind }: { kind: string }) => kind),
      ["dayOff"],
    )
    const helped = (
      await as(org.owner).expect(200).post(`/result/${_id}/help`, { visitId: "a", kind: "dayOff" })
    ).json()
    assert.deepEqual([helped.data.result.dropped, helped.violations], [[], []])
  }
  // From Tuesday to Thursday, without the Wednesday; one visit only on the Thursday, one only on another day.
  const days = await plan(
    "2031-05-06",
    [van("1", { ...terms, workingTime: { startTime: "08:00", endTime: "17:00", multiday: 2 } })],
    [visit("a", 5, { days: ["2031-05-07", "2031-05-08"] }), visit("b", 6, { days: ["2031-05-09"] })],
  )
  const stop = days.result.routing[0].trips.find(({ visitId }: { visitId: string }) => visitId === "a")
  assert.ok(Number.parseInt(stop.etd, 10) >= 56, `${stop.etd} is not on the third day`)
  assert.deepEqual(
    days.result.dropped.map(({ id, reason }: Dropped & { reason: string }) => [id, reason]),
    [["b", "days has none of the days of the plan"]],
  )
})
