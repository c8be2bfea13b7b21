import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, anOrganization } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"

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

async function aPlanner(t: Parameters<typeof testApp>[0]) {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const me = app.as(org.owner)
  const plan = async (visits: unknown[], vehicles: unknown[], configuration: object = {}) =>
    me.post("/routing", { hubId: hub.id, visits, vehicles, configuration, seconds: 0 })
  return { me, hub, plan }
}

interface Left {
  id: string
  visitTime: unknown
  reason: string
  reasonCode: string
}

test("ruling 38: loads have up to six decimals, are added exactly, and percentages are not rounded", async (t) => {
  const { me, hub, plan } = await aPlanner(t)
  const capacity = (max: number) => ({ capacity: { weight: { min: 0, max } } })
  const thirds = [0.1, 0.2, 11.2266, 788.4702].map((weight, index) =>
    visit(`v${index}`, { capacity: { weight } }),
  )
  const reply = await plan(thirds, [van("1", capacity(799.9968))])
  assert.equal(reply.statusCode, 200, reply.body)
  const { result, summary } = reply.json().data
  assert.equal(result.dropped.length, 0, "exactly full")
  assert.equal(result.routing[0].totalWeight, 799.9968)
  assert.equal(summary.capacityConstraint[0].optimized, 799.9968)
  const third = (await plan([visit("a", { capacity: { weight: 1 } })], [van("1", capacity(3))])).json().data
  assert.equal(third.summary.capacityConstraint[0].percentage, (1 / 3) * 100)
  assert.equal(third.result.routing[0].weightPercentage, `${(1 / 3) * 100}%`)
  const over = (
    await plan([...thirds, visit("dust", { capacity: { weight: 0.000001 } })], [van("1", capacity(799.9968))])
  ).json()
  assert.equal(over.data.resultTotal.dropped, 1, "a millionth too much")
  const stored = await me.post("/vehicle", { hubId: hub.id, name: "Fine", ...capacity(799.9968) })
  assert.equal(stored.json().data.capacity.weight.max, 799.9968, stored.body)
})

test("ruling 38: an invalid visit is dropped with its reason and never refuses the run", async (t) => {
  const { plan } = await aPlanner(t)
  const tags = Array.from({ length: 11 }, (_, index) => `t${index}`)
  const reply = await plan(
    [
      visit("good"),
      visit("hub-1"),
      visit("nameless", { name: "" }),
      visit("negative", { capacity: { weight: -1 } }),
      visit("fine", { capacity: { weight: 1.2345678 } }),
      visit("clock", { timeWindow: { startTime: "8 o'clock" } }),
      visit("tagged", { tags }),
      visit("slow", { visitTime: "half an hour" }),
      { id: "bare" },
      "nothing",
    ],
    [van("1", { capacity: { weight: { min: 0, max: 10 } } })],
  )
  assert.equal(reply.statusCode, 200, reply.body)
  const { result, resultTotal } = reply.json().data
  assert.deepEqual(resultTotal, { routing: 1, dropped: 9, total: 10 })
  const dropped: Left[] = result.dropped
  assert.deepEqual(
    dropped.map(({ id }) => id),
    ["hub-1", "nameless", "negative", "fine", "clock", "tagged", "slow", "bare", "visits.9"],
  )
  assert.ok(dropped.every(({ reasonCode, reason }) => reasonCode === "invalid" && reason !== ""))
  assert.match(dropped[3]?.reason ?? "", /capacity.weight .*six decimals/)
})

test("ruling 42 and 43: results have the keys that clients read, values as given", async (t) => {
  const { me, hub, plan } = await aPlanner(t)
  await me.post("/capacity-constraint", { capacityConstraint: [{ name: "weight", denominator: "Kg" }] })
  const configuration = { capacityConstraint: ["weight"] }
  const far = visit("far", { coordinate: "nowhere", visitTime: "5" })
  const reply = await plan([visit("a", { visitTime: 7 }), far], [van("1", { tags: ["cold"] })], configuration)
  const { data } = reply.json()
  assert.deepEqual(data.configuration.rawConstraint, { weight: { name: "weight", denominator: "Kg" } })
  assert.deepEqual(data.result.routing[0].vehicleTags, ["cold", "1"])
  assert.deepEqual(
    data.result.routing[0].trips.map(({ cluster, isShown }: Record<string, unknown>) => [cluster, isShown]),
    data.result.routing[0].trips.map(() => [null, true]),
  )
  assert.equal(data.result.dropped[0].visitTime, "5")
  const [profile] = (await me.get(`/configurations?hubId=${hub.id}`)).json().data.data ?? []
  if (profile) assert.equal(Array.isArray(profile.rawConstraint), false)
  const listed = (await me.get("/results")).json()
  assert.match(listed.dataVersion, /^\d{9,11}$/)
  assert.match((await me.get("/users")).json().dataVersion, /^\d{9,11}$/)
  const log = (await me.get("/automation-log?isSuccess=true&sortOrder=asc")).json().params
  assert.deepEqual(log, {
    from: 0,
    size: 10,
    query: { bool: { must: [{ match: { isSuccess: true } }] } },
    sort: [{ "@timestamp": { order: "asc" } }],
  })
})

test("ruling 44: a break outside working time fails the run with route-009", async (t) => {
  const { plan } = await aPlanner(t)
  const cases: [string, string, string, string, number][] = [
    ["08:00", "17:00", "12:00", "12:30", 200],
    ["08:00", "17:00", "06:00", "07:00", 400],
    ["08:00", "17:00", "17:00", "17:30", 400],
    ["19:00", "05:00", "00:30", "01:00", 200],
    ["19:00", "05:00", "06:00", "07:00", 400],
    ["19:00", "05:00", "18:00", "19:00", 400],
  ]
  for (const [startTime, endTime, from, to, status] of cases) {
    const vehicle = van("1", {
      workingTime: { startTime, endTime },
      breakTime: { startTime: from, endTime: to },
    })
    const reply = await plan([visit("a")], [vehicle])
    assert.equal(reply.statusCode, status, `${startTime}-${endTime} with ${from}-${to}: ${reply.body}`)
    if (status === 400) assert.equal(reply.json().failedCode, "route-009")
  }
})
