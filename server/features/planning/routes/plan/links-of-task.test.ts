import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"
import { parseAfter } from "./links-of-task.ts"

test("links with earlier tasks are read from text", () => {
  assert.deepEqual(parseAfter(""), [])
  assert.deepEqual(parseAfter("A-17"), [{ visitId: "A-17" }])
  assert.deepEqual(parseAfter("A-17 + 30-120; A+18 +45;"), [
    { visitId: "A-17", minMinutes: 30, maxMinutes: 120 },
    { visitId: "A+18", minMinutes: 45 },
  ])
  for (const wrong of [
    "+ 30",
    "A + 60-30",
    "A + 99999",
    Array.from({ length: 11 }, (_, i) => `A${i}`).join(";"),
  ])
    assert.equal(parseAfter(wrong), undefined, wrong)
})

test("tasks say by their flow which goods they bring, what they wait for and how many people they need", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const me = as(org.owner)
  const hub = await aHub(sql, { org })
  const input = (id: string, type: string, routeAs: string) => ({
    ...{ id, component: "input", title: id, type, routeAs },
    ...(routeAs === "VisitName" ? { showAs: "title" } : {}),
  })
  const components = [
    input("shop", "String", "VisitName"),
    input("spot", "Geolocation", "Coordinate"),
    input("from", "String", "Pickup"),
    input("follows", "String", "After"),
    input("crew", "Numeric", "Workers"),
    input("dates", "String", "Days"),
    input("usual", "String", "PreferredVehicle"),
    input("likes", "String", "PreferredDays"),
  ]
  const flow = await aFlow(sql, { org, pages: [{ id: "page0", components }] })
  const task = (refId: string, more: object = {}) => ({
    ...{ flow: flow.name, hubId: hub.id, refId, shop: refId, spot: "52.11,4.3" },
    startTime: "2031-05-05T06:00:00Z",
    endTime: "2031-05-05T18:00:00Z",
    ...more,
  })
  const made = await me.post("/tasks/bulk", {
    tasks: [
      task("B-1"),
      task("D-1", { from: "B-1" }),
      task("I-1", { crew: 2 }),
      task("T-1", { follows: "I-1 + 60-120" }),
      task("X-1", { from: "B-9" }),
      task("R-1", {
        dates: "2031-05-05, 2031-05-06",
        usual: "van 2",
        likes: "2031-05-06",
        priority: "urgent",
      }),
    ],
  })
  const taskIds: string[] = made.json().tasks.map(({ _id }: { _id: string }) => _id)
  const [bakery, , install] = taskIds
  const { data: visits } = (await me.expect(200).post("/routing/visits", { taskIds })).json()
  const linksOf = (name: string) => {
    const { pickupVisitId, after, workers } = visits.find((visit: { name: string }) => visit.name === name)
    return { pickupVisitId, after, workers }
  }
  const none = { pickupVisitId: undefined, after: undefined, workers: undefined }
  assert.deepEqual(linksOf("B-1"), none)
  assert.deepEqual(linksOf("D-1"), { ...none, pickupVisitId: `taskId-${bakery}` })
  assert.deepEqual(linksOf("I-1"), { ...none, workers: 2 })
  const after = [{ visitId: `taskId-${install}`, minMinutes: 60, maxMinutes: 120 }]
  assert.deepEqual(linksOf("T-1"), { ...none, after })
  assert.deepEqual(linksOf("X-1"), { ...none, pickupVisitId: "B-9" })
  const regular = visits.find(({ name }: { name: string }) => name === "R-1")
  assert.deepEqual(
    [regular.days, regular.preferredDays, regular.preferredVehicle],
    [["2031-05-05", "2031-05-06"], ["2031-05-06"], "van 2"],
  )
  assert.deepEqual([regular.priority, visits[0].priority], [20, undefined])
  const vehicles = ["1", "2", "3"].map((id) => ({ id, name: `Van ${id}` }))
  const sent = visits.map(({ visitTime: _, timeWindow: __, ...visit }: Record<string, unknown>) => visit)
  const { data } = (
    await me
      .expect(200)
      .post("/routing", { hubId: hub.id, routingDate: "2031-05-05", visits: sent, vehicles })
  ).json()
  assert.deepEqual(
    data.result.dropped.map(({ name, reasonCode }: Record<string, string>) => [name, reasonCode]),
    [["X-1", "invalid"]],
  )
  const second = data.result.routing.find(({ vehicleId }: { vehicleId: string }) => vehicleId === "2")
  assert.ok(second.trips.some(({ visitName }: { visitName?: string }) => visitName === "R-1"))
})
