import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"
import { parseClock } from "../clock-time.ts"
import type { RouteNode, VehicleRoute } from "../result-schemas.ts"

const visit = (id: string, lat: number, more: object = {}) => ({
  ...{ id, name: `Shop ${id}`, address: `Street ${id}`, coordinate: `${lat},4.3`, visitTime: 30 },
  ...more,
})
const van = (id: string) => ({
  ...{ id, name: `Van ${id}`, workingTime: { startTime: "08:00", endTime: "17:00" } },
})

test("planning again keeps the time after a visit that is done, and leaves out work for more people than there are", async (t) => {
  const { sql, clock, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const me = as(org.owner)
  clock.move("2031-05-04T06:00:00Z")
  const visits = [
    visit("first", 52.11),
    visit("second", 52.12, { after: [{ visitId: "first", minMinutes: 240 }] }),
    visit("crowd", 52.11, { workers: 3 }),
    visit("pair", 52.12, { workers: 2, timeWindow: { startTime: "15:00", endTime: "16:00" } }),
    ...[1, 2, 3].map((i) => visit(`other${i}`, 52.12 + i / 100)),
  ]
  const vehicles = [van("one"), van("two")]
  const body = { hubId: hub.id, visits, vehicles, routingDate: "2031-05-04" }
  const { data: planned } = (await me.expect(200).post("/routing", body)).json()
  const endOf = (routes: VehicleRoute[], id: string) =>
    parseClock(
      (routes.flatMap(({ trips }) => trips) as RouteNode[]).find((node) => node.visitId === id)?.etd ?? "",
    ) ?? 0
  const done = endOf(planned.result.routing, "first")
  clock.move("2031-05-04T09:00:00Z")
  assert.ok(done < 9 * 3600)
  const event = { visits: [visit("new", 52.1)], cancelledVisitIds: ["other1"] }
  const { data: proposal } = (await me.expect(201).post(`/result/${planned._id}/replan`, event)).json()
  const accepted = await me.expect(200).post(`/result/${planned._id}/replan/${proposal._id}/accept`, {})
  const { routing, dropped } = accepted.json().data.result
  assert.ok(endOf(routing, "second") >= done + (240 + 30) * 60 - 1)
  assert.deepEqual(
    dropped.map(({ id, reasonCode }: { id: string; reasonCode: string }) => [id, reasonCode]).slice(0, 1),
    [["crowd", "link"]],
  )
  // A vehicle that breaks down gives away all it has; one of two people for a visit cannot be replaced.
  const breakdown = { visits: [], brokenVehicleIds: ["one"] }
  const { data: second } = (await me.expect(201).post(`/result/${planned._id}/replan`, breakdown)).json()
  const after = await me.expect(200).post(`/result/${planned._id}/replan/${second._id}/accept`, {})
  const result = after.json().data.result as { routing: VehicleRoute[]; dropped: RouteNode[] }
  const onOne = result.routing.find(({ vehicleId }) => vehicleId === "one")?.trips as RouteNode[]
  const isPast = ({ visitId, isHub }: RouteNode) =>
    isHub || visitId === "first" || visitId.startsWith("other")
  assert.ok(
    onOne.every((node) => isPast(node) && (node.etd ?? "") <= "09:00:00"),
    JSON.stringify(onOne),
  )
  const left = result.dropped.find(({ visitId }) => visitId === "pair")
  assert.match(String(left?.splitNumber), /^[12]\/2$/)
})

test("new visits for two people and visits that wait for others find their places, and a missing second person is replaced", async (t) => {
  const { sql, clock, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const me = as(org.owner)
  clock.move("2031-05-04T06:00:00Z")
  const body = {
    hubId: hub.id,
    visits: Array.from({ length: 9 }, (_, i) => visit(`v${i}`, 52.1 + (i % 3) / 50 + i / 1000)),
    vehicles: [van("one"), van("two"), van("three")],
    routingDate: "2031-05-04",
    configuration: { useAllVehicle: true, returnToHub: true },
  }
  const { data: planned } = (await me.expect(200).post("/routing", body)).json()
  clock.move("2031-05-04T08:40:00Z")
  const path = `/result/${planned._id}/replan`
  type Result = { routing: VehicleRoute[]; dropped: RouteNode[] }
  const accepted = async (event: object): Promise<Result> => {
    const { data } = (await me.expect(201).post(path, { ...event, acceptWithin: null })).json()
    return (await me.expect(200).post(`${path}/${data._id}/accept`, {})).json().data.result
  }
  const stopsOf = ({ routing }: Result, id: string) =>
    routing.flatMap(({ vehicleId, trips }) =>
      (trips as RouteNode[]).flatMap((node) => (node.visitId === id ? { vehicleId, node } : [])),
    )
  const begins = ({ eta, waitingTime }: RouteNode) =>
    (parseClock(eta ?? "") ?? 0) + Number(waitingTime ?? 0) * 60
  const first = await accepted({
    visits: [
      visit("piano", 52.12, { workers: 2 }),
      visit("tuning", 52.12, { after: [{ visitId: "piano", minMinutes: 60 }] }),
      visit("shelf", 52.13),
      visit("books", 52.13, { after: [{ visitId: "shelf", minMinutes: 0, maxMinutes: 240 }] }),
    ],
  })
  assert.deepEqual(first.dropped, [])
  const together = (result: Result) => {
    const people = stopsOf(result, "piano")
    assert.equal(new Set(people.map(({ vehicleId }) => vehicleId)).size, 2)
    assert.deepEqual(people.map(({ node }) => node.splitNumber).toSorted(), ["1/2", "2/2"])
    const [one = 0, other = 0] = people.map(({ node }) => begins(node))
    assert.ok(Math.abs(one - other) <= 60, `${one} and ${other}`)
    return { one, vehicleIds: people.map(({ vehicleId }) => vehicleId) }
  }
  const { one, vehicleIds } = together(first)
  const [tuning] = stopsOf(first, "tuning")
  assert.ok(tuning && begins(tuning.node) >= one + 90 * 60 - 60)
  // Another order finds a place beside them, and nobody loses a part.
  const second = await accepted({ visits: [visit("new", 52.11)] })
  assert.equal(stopsOf(second, "new").length, 1)
  assert.deepEqual(together(second).vehicleIds, vehicleIds)
  const third = await accepted({ brokenVehicleIds: [vehicleIds[1]] })
  assert.deepEqual(third.dropped, [])
  assert.ok(!together(third).vehicleIds.includes(vehicleIds[1] ?? ""))
})
