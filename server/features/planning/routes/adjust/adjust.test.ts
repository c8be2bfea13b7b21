import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"

const visit = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  name: id.toUpperCase(),
  address: "A",
  coordinate: `52.1${id.charCodeAt(0) - 96},4.3`,
  visitTime: 10,
  ...more,
})

interface Route {
  vehicleId: string
  workingTime: { endTime: string }
  trips: { visitId: string; isHub: boolean; eta: string; distance: number }[]
}
const idsOf = ({ trips }: Route) => trips.filter((node) => !node.isHub).map(({ visitId }) => visitId)

test("a moved visit gets times by the rules of the plan, and its violations are returned", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const me = as(org.owner)
  const plan = (
    await me.post("/routing", {
      hubId: hub.id,
      visits: [
        visit("a", { capacity: { weight: 60 } }),
        visit("b", { capacity: { weight: 60 } }),
        visit("c", { timeWindow: { startTime: "08:00", endTime: "09:00" } }),
      ],
      vehicles: ["1", "2"].map((id) => ({
        id,
        name: `Van ${id}`,
        capacity: { weight: { min: 0, max: 100 } },
      })),
    })
  ).json().data
  const routes: Route[] = plan.result.routing
  const target = routes.find((route) => idsOf(route).includes("c"))
  const source = routes.find((route) => route !== target)
  assert.ok(target && source)
  const [stray] = idsOf(source)
  const move = { visitId: stray, vehicleId: target.vehicleId, position: 0 }
  const dry = (await me.put(`/result/${plan._id}/moves`, { moves: [move], dryRun: true })).json()
  assert.deepEqual(
    dry.violations.map(({ kind, excess }: Record<string, unknown>) => [kind, excess]),
    [["capacity", 20]],
  )
  assert.equal((await me.get(`/result/${plan._id}`)).json().data.totalResultHistories, 0)
  const moved = (await me.put(`/result/${plan._id}/moves`, { moves: [move] })).json()
  const after = moved.data.result.routing.find((route: Route) => route.vehicleId === target.vehicleId)
  assert.equal(idsOf(after)[0], stray)
  assert.equal(after.totalWeight, 120)
  assert.equal(moved.data.summary.usedVehicles, 1)
  const out = (
    await me.put(`/result/${plan._id}/moves`, { moves: [{ visitId: "c", vehicleId: null }] })
  ).json().data
  assert.deepEqual(
    out.result.dropped.map(({ id }: { id: string }) => id),
    ["c"],
  )
  const history = (await me.get(`/result/${plan._id}/history`)).json().data
  assert.deepEqual(
    history.map(({ createdType, vehicleTo }: Record<string, unknown>) => [createdType, vehicleTo]),
    [
      ["individualMove", "dropped"],
      ["individualMove", `Van ${target.vehicleId}`],
    ],
  )
  const wrong = await me.put(`/result/${plan._id}/moves`, { moves: [{ visitId: "nobody", vehicleId: "1" }] })
  assert.deepEqual([wrong.statusCode, wrong.json().failedCode], [400, "reslt-001"])
})

test("a dropped visit says what would help, and one call makes the change", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const me = as(org.owner)
  const plan = (
    await me.post("/routing", {
      hubId: hub.id,
      visits: [
        visit("a"),
        visit("b", { tags: ["cold"] }),
        visit("c", { timeWindow: { startTime: "05:00", endTime: "07:30" } }),
      ],
      vehicles: [{ id: "1", name: "Van", workingTime: { startTime: "08:00", endTime: "17:00" } }],
    })
  ).json().data
  const dropped = new Map(plan.result.dropped.map((one: { id: string }) => [one.id, one]))
  assert.deepEqual([...dropped.keys()].sort(), ["b", "c"])
  const kinds = async (visitId: string) =>
    (await me.get(`/result/${plan._id}/help?visitId=${visitId}`))
      .json()
      .data.map(({ kind }: { kind: string }) => kind)
  assert.deepEqual(await kinds("b"), ["tag"])
  assert.deepEqual((await kinds("c"))[0], "window")
  const helped = (await me.post(`/result/${plan._id}/help`, { visitId: "b", kind: "tag" })).json()
  assert.deepEqual([helped.violations, idsOf(helped.data.result.routing[0]).sort()], [[], ["a", "b"]])
  assert.deepEqual(helped.data.result.routing[0].vehicleTags, ["cold", "1"])
  const both = (await me.post(`/result/${plan._id}/help`, { visitId: "c", kind: "window" })).json()
  assert.deepEqual([both.violations, both.data.result.dropped], [[], []])
  assert.equal(
    (await me.post(`/result/${plan._id}/help`, { visitId: "c", kind: "window" })).json().failedCode,
    "reslt-001",
  )
})
