import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, aTask, aUser } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"

const condition = (field: string, operator: string, value?: unknown) => ({ field, operator, value })

test("a built filter narrows list, count, gallery and export by any field, and only within what the caller sees", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const flow = await aFlow(sql, { org })
  const worker = await aUser(sql, { org, hubs: [hub], permissions: ["view/task"] })
  const hours = (count: number) => Temporal.Now.instant().add({ hours: count })
  const make = async (title: string, values: Record<string, unknown>, options = {}) =>
    (await aTask(sql, { org, hub, flow, title, values, ...options })).id
  await make("ten", { weight: 10, colors: ["red", "blue"], shop: "-6.2,106.8", visit: hours(1).toString() })
  await make("nine", { weight: "9", colors: "red", shop: "1.3, 103.8", visit: "2020-02-01" })
  await make("none", { weight: "heavy", colors: [], visit: "infinity" }, { assignee: [worker] })
  for (const price of [0.1, "0.2", 1e308, 1e308]) await make("priced", { price }, { hub: other })
  const past = { startTime: hours(-30), endTime: hours(-20) }
  const late = await make("late", { note: "50%_off", weight: "" }, past)
  await sql`update tasks set lat = -6.21, lng = 106.81, attributes = '{"tags":["vip"]}' where id = ${late}`
  await make("elsewhere", { weight: 10 }, { hub: other })
  const ask = (filter: unknown, person = worker) =>
    as(person).get(`/tasks?limit=50&filter=${encodeURIComponent(JSON.stringify(filter))}`)
  const cases: [filter: unknown, expected: string[]][] = [
    [condition("weight", "equals", 10), ["ten"]],
    [condition("weight", "equals", "9"), ["nine"]],
    [condition("weight", "gte", 9), ["nine", "ten"]],
    [condition("weight", "lt", 10), ["nine"]],
    [condition("weight", "empty"), ["late"]],
    [{ not: condition("weight", "gte", 9) }, ["late", "none"]],
    [condition("colors", "equals", ["blue", "green"]), ["ten"]],
    [condition("colors", "equals", "red"), ["nine", "ten"]],
    [condition("colors", "empty"), ["late", "none"]],
    [condition("note", "contains", "0%_O"), ["late"]],
    [condition("title", "contains", "n"), ["nine", "none", "ten"]],
    [condition("assignee", "equals", worker.email), ["none"]],
    [condition("assignee", "empty"), ["late", "nine", "ten"]],
    [condition("status", "equals", ["ONGOING", "DONE"]), ["none"]],
    [condition("tags", "equals", "vip"), ["late"]],
    [condition("visit", "within", { from: 0, to: 2, unit: "hours" }), ["ten"]],
    [condition("visit", "lte", "2020-02-01"), ["nine"]],
    [condition("visit", "lt", "2020-02-01"), []],
    [condition("startTime", "within", { from: -40, to: -25, unit: "hours" }), ["late"]],
    [condition("createdTime", "within", { from: -1, to: 1, unit: "days" }), ["late", "nine", "none", "ten"]],
    [condition("", "late"), ["late"]],
    [condition("shop", "near", { lat: -6.2, lng: 106.81, meters: 5000 }), ["ten"]],
    [condition("expectedCoordinate", "near", { lat: -6.2, lng: 106.81, meters: 2000 }), ["late"]],
    [condition("expectedCoordinate", "near", { lat: -6.2, lng: 106.81, meters: 1000 }), []],
    [
      {
        or: [
          condition("weight", "equals", 10),
          { and: [condition("", "late"), { not: condition("note", "empty") }] },
        ],
      },
      ["late", "ten"],
    ],
    [{ and: [] }, ["late", "nine", "none", "ten"]],
    [condition("noSuchField", "equals", "x' or 1=1 --"), []],
  ]
  for (const [filter, expected] of cases) {
    const { tasks } = (await ask(filter)).json()
    const titles = tasks.data.map(({ title }: { title: string }) => title).toSorted()
    assert.deepEqual([titles, tasks.total], [expected, expected.length], JSON.stringify(filter))
  }
  assert.equal((await ask(condition("weight", "equals", 10), org.owner)).json().tasks.total, 2)
  const summary = async (query: string) => (await as(worker).get(`/tasks-summary?${query}`)).json().data
  const byColor = await summary("groupBy=colors&sums=weight")
  assert.deepEqual(
    byColor.groups.map(({ value, count, sums }: Group) => [value, count, sums.weight]),
    [
      ["red", 1, 9],
      ["red, blue", 1, 10],
      [null, 2, null],
    ],
  )
  assert.deepEqual([byColor.total, byColor.sums, byColor.moreGroups], [4, { weight: 19 }, 0])
  for (const groupBy of [
    "colors",
    "status",
    "assignee",
    "startTime",
    "priority",
    "tags",
    "outcome",
    "hubId",
  ]) {
    const { groups } = await summary(`groupBy=${groupBy}`)
    assert.equal(
      groups.reduce((sum: number, { count }: Group) => sum + count, 0),
      4,
      groupBy,
    )
    for (const { filter, count } of groups)
      assert.equal((await ask(filter)).json().tasks.total, count, `${groupBy} ${JSON.stringify(filter)}`)
  }
  assert.equal((await as(worker).get("/tasks-summary?sums=a'b")).statusCode, 400)
  const { sums } = (await as(org.owner).get("/tasks-summary?sums=price")).json().data
  assert.deepEqual(sums, { price: 0.3 }, "decimals, without what is too large to add")
  const filter = JSON.stringify(condition("weight", "gte", 9))
  const file = await as(org.owner).post("/tasks/export", { download: "csv", fields: "title", filter })
  assert.equal(file.statusCode, 200, file.body)
})

interface Group {
  value: string | null
  count: number
  sums: Record<string, number | null>
  filter: unknown
}

test("a filter that breaks a rule gets a 400 that says what to send", async (t) => {
  const { as, org } = await testOrganization(t)
  const deep = (levels: number): unknown =>
    levels === 0 ? condition("a", "empty") : { not: deep(levels - 1) }
  const many = (count: number) => Array.from({ length: count }, () => condition("a", "empty"))
  const cases: [filter: string, reason: RegExp][] = [
    ["{", /must be JSON/],
    ["[]", /objects/],
    [JSON.stringify(deep(5)), /5 levels/],
    ["[".repeat(7_000), /must be JSON/],
    [JSON.stringify({ and: many(51) }), /50 conditions/],
    [JSON.stringify({ and: [{ or: many(30) }, { or: many(30) }] }), /50 conditions|8000/],
    [JSON.stringify({ and: [], or: [] }), /exactly one/],
    [JSON.stringify(condition("a'; drop table tasks", "empty")), /name of a field/],
    [JSON.stringify(condition("a", "like", "x")), /operator must be one of/],
    [JSON.stringify(condition("a", "equals")), /value must be text/],
    [JSON.stringify(condition("a", "equals", "\u0000")), /not valid text/],
    [JSON.stringify(condition("a", "equals", ["x".repeat(201)])), /200 characters/],
    [JSON.stringify(condition("a", "gt", "soon")), /number or a time/],
    [JSON.stringify(condition("startTime", "gt", 5)), /not a number/],
    [JSON.stringify(condition("startTime", "equals", "soon")), /times/],
    [JSON.stringify(condition("a", "within", { from: 0, to: 1e9, unit: "days" })), /within takes/],
    [JSON.stringify(condition("a", "near", { lat: 99, lng: 0, meters: 5 })), /near takes/],
    [JSON.stringify(condition("expectedCoordinate", "equals", "x")), /is a place/],
    ["x".repeat(8_001), /8000 characters/],
  ]
  for (const [filter, reason] of cases) {
    const reply = await as(org.owner).get(`/tasks?filter=${encodeURIComponent(filter)}`)
    assert.equal(reply.statusCode, 400, `${filter.slice(0, 100)} ${reply.body}`)
    assert.match(reply.body, reason, filter.slice(0, 100))
  }
})
