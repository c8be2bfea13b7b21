import assert from "node:assert/strict"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import { setImmediate } from "node:timers/promises"
import { threadCounts } from "#core/threads/run-in-thread.ts"
import { aHub, aUser } from "#samples/builders.ts"
import { testOrganization, tokenOf } from "#testing/test-app.ts"
import { parseClock } from "../clock-time.ts"
import type { RouteNode, VehicleRoute } from "../result-schemas.ts"

const visit = (id: string, lat: number, more: object = {}) => ({
  id,
  name: `Shop ${id}`,
  address: `Street ${id}`,
  coordinate: `${lat},4.3`,
  visitTime: 30,
  ...more,
})
const van = (id: string) => ({
  id,
  name: `Van ${id}`,
  workingTime: { startTime: "08:00", endTime: "17:00" },
})

test("a plan is planned again from now on, with few changes, and accepted once", async (t) => {
  const { sql, clock, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const me = as(org.owner)
  clock.move("2031-05-04T06:00:00Z")
  const visits = Array.from({ length: 8 }, (_, i) =>
    visit(`v${i}`, i % 2 === 0 ? 52.11 + i / 100 : 52.09 - i / 100),
  )
  const body = {
    hubId: hub.id,
    visits,
    vehicles: [van("north"), van("south")],
    routingDate: "2031-05-04",
    configuration: { useAllVehicle: true, returnToHub: true },
  }
  const { data: planned } = (await me.expect(200).post("/routing", body)).json()
  const routesOf = (data: { result: { routing: VehicleRoute[] } }) =>
    new Map(data.result.routing.map((route) => [route.vehicleId, route.trips as RouteNode[]]))
  const before = routesOf(planned)
  clock.move("2031-05-04T09:00:00Z")
  const past = (vehicleId: string) =>
    (before.get(vehicleId) ?? []).filter(({ etd }) => (etd ?? "") <= "09:00:00")
  const path = `/result/${planned._id}/replan`
  const broken = [...before].find(([, trips]) => trips.length > 3)?.[0] ?? ""
  const other = broken === "north" ? "south" : "north"
  const event = { visits: [visit("new", 52.105)], cancelledVisitIds: [], brokenVehicleIds: [broken] }

  const { data: stale } = (await me.expect(201).post(path, event)).json()
  const { data: proposal } = (await me.expect(201).post(path, event)).json()
  const { summary } = proposal.changes
  assert.equal(proposal.status, "open")
  assert.equal(summary.addedVisits, 1)
  assert(summary.movedVisits > 0)
  assert.equal((await me.get(`/result/${planned._id}`)).json().data.currentVersion, planned.currentVersion)
  await me.expect(412).post(`${path}/${proposal._id}/accept`, {}, { "if-match": '"99"' })

  const replies = await Promise.all(
    Array.from({ length: 5 }, () => me.expect(200).post(`${path}/${proposal._id}/accept`, {})),
  )
  const { data } = replies[0]?.json() ?? {}
  const after = routesOf(data)
  assert.equal((await sql`select 1 from routing_result_histories where result_id = ${planned._id}`).length, 1)
  const ids = (trips: readonly RouteNode[] | undefined) => (trips ?? []).map(({ visitId }) => visitId)
  assert.deepEqual(ids(after.get(broken)), ids(past(broken)))
  const left = (after.get(other) ?? []).slice(past(other).length)
  assert.deepEqual(ids(after.get(other)).slice(0, past(other).length), ids(past(other)))
  assert(left.every(({ eta }) => (eta ?? "") >= "09:00:00"))
  assert(ids(left).includes("new"))
  const all = [...after.values()].flat().filter(({ isHub }) => !isHub)
  assert.equal(all.length + data.result.dropped.length, 9)

  await me.expect(409).post(`${path}/${stale._id}/accept`, {})
  // The plan can be changed by hand and planned again afterwards; small changes accept themselves.
  await me.expect(200).put(`/result/${planned._id}/moves`, { moves: [{ visitId: "new", vehicleId: other }] })
  const small = { cancelledVisitIds: ["new"], acceptWithin: { minutes: 60 } }
  const { data: accepted } = (await me.expect(201).post(path, small)).json()
  assert.equal(accepted.status, "accepted")
  assert.equal(accepted.isAcceptedByRule, true)
  await me.expect(400).post(path, { cancelledVisitIds: ["new"] })
  // The hub's rule decides where the request says nothing, and a request may ask for a person.
  const plain = {
    capacityConstraint: [],
    defaultVisitTime: 10,
    defaultSpeed: 25,
    autoSpeed: false,
    multitrip: false,
  }
  const shared = { ...plain, returnToHub: true, useAllVehicle: true }
  const rule = { ...shared, name: "Calm", hubId: hub.id, acceptProposals: { minutes: 60 } }
  await me.expect(200).post("/configuration", rule)
  const open = await me.expect(201).post(path, { cancelledVisitIds: ["v0"], acceptWithin: null })
  assert.equal(open.json().data.status, "open")
  const byRule = (await me.expect(201).post(path, { cancelledVisitIds: ["v0"] })).json().data
  assert.deepEqual([byRule.status, byRule.isAcceptedByRule], ["accepted", true])
  // What was dispatched is a promise.
  await sql`update routing_results set dispatch_status = 'done' where id = ${planned._id}`
  const delay = { delays: [{ vehicleId: other, minutes: 180 }], acceptWithin: null }
  const { changes } = (await me.expect(201).post(path, delay)).json().data
  assert(changes.visits.length > 0)
  assert.equal(changes.summary.brokenPromises, changes.visits.length)
  for (const { promisedTime, etaBefore, isPromiseKept } of changes.visits)
    assert.deepEqual([promisedTime, isPromiseKept], [etaBefore, false])
  // A rule that does not allow broken promises leaves the decision to a person.
  const { newlyBrokenPromises } = changes.summary
  assert.equal(newlyBrokenPromises, changes.summary.brokenPromises)
  const large = { movedVisits: 99, minutes: 999, lateVisits: 99, droppedVisits: 99 }
  const late = (more: object) => me.expect(201).post(path, { ...delay, acceptWithin: { ...large, ...more } })
  assert.equal((await late({})).json().data.status, "open")
  const gone = (
    await me.expect(201).post(path, { brokenVehicleIds: ["north", "south"], acceptWithin: large })
  ).json().data
  assert.equal(gone.status, "open")
  assert.equal(gone.changes.summary.newlyBrokenPromises, gone.changes.summary.newlyDroppedVisits)
  assert.equal((await late({ brokenPromises: newlyBrokenPromises - 1 })).json().data.status, "open")
  assert.equal((await late({ brokenPromises: newlyBrokenPromises })).json().data.status, "accepted")
  // A promise that was broken before does not count again.
  const again = (await late({})).json().data
  assert.deepEqual([again.status, again.changes.summary.newlyBrokenPromises], ["accepted", 0])
})

test("a plan over several days that is planned again has its nights off and its windows on each day", async (t) => {
  const { sql, clock, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const me = as(org.owner)
  clock.move("2031-05-04T06:00:00Z")
  const long = (id: string, index: number, more = {}) =>
    visit(id, 52.11 + index / 1000, { visitTime: 110, ...more })
  const noon = { timeWindow: { startTime: "12:00", endTime: "13:00" } }
  const body = {
    hubId: hub.id,
    visits: [
      ...Array.from({ length: 5 }, (_, i) => long(`v${i}`, i)),
      long("noon", 7, noon),
      long("next", 8, noon),
    ],
    vehicles: [{ ...van("north"), workingTime: { startTime: "08:00", endTime: "41:00" } }],
    routingDate: "2031-05-04",
    configuration: { returnToHub: true },
  }
  const { data: planned } = (await me.expect(200).post("/routing", body)).json()
  assert.deepEqual(planned.result.dropped, [])
  clock.move("2031-05-04T08:30:00Z")
  const path = `/result/${planned._id}/replan`
  const { data } = (await me.expect(201).post(path, { visits: [long("new", 9)], acceptWithin: null })).json()
  assert.deepEqual([data.changes.summary.lateVisits, data.changes.summary.droppedVisits], [0, 0])
  const { data: accepted } = (await me.expect(200).post(`${path}/${data._id}/accept`, {})).json()
  const nodes = accepted.result.routing[0].trips as RouteNode[]
  const day = 24 * 3600
  for (const { isHub, eta, etd, visitId, waitingTime = 0 } of nodes) {
    const [from = 0, to = 0] = [eta, etd].map((text) => parseClock(text ?? ""))
    const begins = (from + Number(waitingTime) * 60) % day
    if (isHub) continue
    assert(begins >= 8 * 3600 && to % day <= 17 * 3600, `${visitId} is served from ${eta} to ${etd}`)
    if (visitId === "noon" || visitId === "next") assert(begins >= 12 * 3600 && begins <= 13 * 3600)
  }
  // Home by a time of the second day.
  clock.move("2031-05-05T09:00:00Z")
  const left = nodes.filter(({ isHub, etd }) => !isHub && (etd ?? "") > "33:00").length
  const goingHome = [{ vehicleId: "north", by: "15:00" }]
  const home = (await me.expect(201).post(path, { goingHome, acceptWithin: null })).json().data
  const { droppedVisits } = home.changes.summary
  assert(droppedVisits > 0 && droppedVisits < left, `${droppedVisits} of ${left} visits are left out`)
})

test("a plan that is planned again on the road keeps the kilometres that were driven since the last stop", async (t) => {
  const { sql, clock, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const driver = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const me = as(org.owner)
  clock.move("2031-05-04T06:00:00Z")
  const body = {
    hubId: hub.id,
    visits: [0, 1, 2, 3].map((i) => visit(`v${i}`, 52.2 + i / 5)),
    vehicles: [{ ...van("one"), assignee: driver.email }],
    routingDate: "2031-05-04",
  }
  const { data: planned } = (await me.expect(200).post("/routing", body)).json()
  const meters = (data: { result: { routing: VehicleRoute[] } }) =>
    Number(data.result.routing[0]?.totalDistance)
  const [, first, second] = planned.result.routing[0].trips as RouteNode[]
  const [from, to] = [parseClock(first?.etd ?? "") ?? 0, parseClock(second?.eta ?? "") ?? 0]
  const [lat, next] = [first, second].map((node) => Number.parseFloat(node?.coordinate ?? "")) as [
    number,
    number,
  ]
  for (const share of [0.3, 0.6, 0.9]) {
    const at = Temporal.Instant.from("2031-05-04T00:00:00Z").add({
      seconds: Math.round(from + share * (to - from)),
    })
    clock.move(String(at))
    const position = { lat: lat + share * (next - lat), lon: 4.3, createdTime: String(at) }
    await as(driver).expect(201).post("/location-history", position)
    const path = `/result/${planned._id}/replan`
    const { data } = (await me.expect(201).post(path, { acceptWithin: null })).json()
    const accepted = (await me.expect(200).post(`${path}/${data._id}/accept`, {})).json().data
    const change = meters(accepted) / meters(planned) - 1
    assert.ok(Math.abs(change) < 0.01, `${share} of the leg: ${meters(accepted)} m after ${meters(planned)}`)
  }
})

test("requests are answered while a large day is planned again, which ends when the client leaves", async (t) => {
  const { app, sql, clock, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const me = as(org.owner)
  clock.move("2031-05-04T06:00:00Z")
  const visits = Array.from({ length: 600 }, (_, i) => ({
    ...visit(`v${i}`, 0, { visitTime: 10 }),
    coordinate: `${52 + ((i * 7) % 41) / 200},${4.2 + (i % 37) / 200}`,
  }))
  const vehicles = Array.from({ length: 40 }, (_, k) => van(`van ${k}`))
  const body = { hubId: hub.id, visits, vehicles, routingDate: "2031-05-04", seconds: 0 }
  const { data } = (await me.expect(200).post("/routing", body)).json()
  const path = `/result/${data._id}/replan`
  const event = { visits: [visit("new", 52.105)], acceptWithin: null }
  const planAgain = () => me.expect(201).post(path, event)
  const computed = await longestComputation(planAgain)
  assert(computed < 100, `the request thread computed for ${computed} ms without a pause`)

  await app.listen({ host: "127.0.0.1", port: 0 })
  const { port } = app.server.address() as AddressInfo
  const headers = {
    authorization: `Bearer ${await tokenOf(sql, org.owner)}`,
    "content-type": "application/json",
  }
  const left = new AbortController()
  const request = { method: "POST", headers, body: JSON.stringify(event), signal: left.signal }
  const leaving = assert.rejects(fetch(`http://127.0.0.1:${port}/api/v3${path}`, request), {
    name: "AbortError",
  })
  while (threadCounts("proposals").running === 0) await setImmediate()
  left.abort()
  await leaving
  while (threadCounts("proposals").running > 0) await setImmediate()
  await planAgain()
  assert.equal((await sql`select from routing_proposals where result_id = ${data._id}`).length, 2)
})

/** Longest time of this thread's processor between two turns of its event loop while something is done, in milliseconds. */
async function longestComputation(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false]
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const working = work().finally(() => {
    isOver = true
  })
  for (let last = used(); !isOver; ) {
    await setImmediate()
    const now = used()
    longest = Math.max(longest, now - last)
    last = now
  }
  await working
  return longest
}
