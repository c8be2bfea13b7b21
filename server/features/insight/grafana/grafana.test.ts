import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, aTask, aUser } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"

test("Grafana's JSON data source lists metrics and draws the figures of reports", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hubs = [await aHub(sql, { org, name: "Harbour" }), await aHub(sql, { org, name: "Airport" })] as const
  const driver = await aUser(sql, { org, role: "field user", hubs: [...hubs] })
  for (const [index, hub] of [hubs[0], hubs[0], hubs[1]].entries()) {
    const task = await aTask(sql, { org, hub, assignee: [driver] })
    const done = `2031-05-0${index + 1}T10:00:00Z`
    await sql`update tasks set status = 'DONE', done_time = ${done}, done_by = ${driver.email} where id = ${task.id}`
  }
  const viewer = as(await aUser(sql, { org, hubs: [...hubs], permissions: ["view/dashboard"] }))
  assert.equal((await viewer.get("/grafana")).statusCode, 200, "the connection test")
  const names = (await viewer.expect(200).post("/grafana/search", { target: "" })).json()
  assert.ok(names.some(({ value }: { value: string }) => value === "onTimeRate"))
  const metrics = (await viewer.expect(200).post("/grafana/metrics", { metric: "", payload: {} })).json()
  const finished = metrics.find(({ value }: { value: string }) => value === "finished")
  assert.ok(finished.payloads[0].options.some(({ value }: { value: string }) => value === "hub"))
  const query = async (target: string, payload: object | string = "", adhocFilters: object[] = []) =>
    (
      await viewer.expect(200).post("/grafana/query", {
        panelId: 1,
        range: { from: "2031-05-01T00:00:00.000Z", to: "2031-05-03T23:59:59.999Z", raw: { from: "now-3d" } },
        intervalMs: 60_000,
        maxDataPoints: 500,
        targets: [
          { target, refId: "A", type: "timeserie", payload },
          { target: "", refId: "B" },
        ],
        adhocFilters,
      })
    ).json()
  const day = (date: number) => Date.UTC(2031, 4, date)
  assert.deepEqual(await query("finished"), [
    {
      target: "finished",
      refId: "A",
      datapoints: [
        [1, day(1)],
        [1, day(2)],
        [1, day(3)],
      ],
    },
  ])
  const [table] = await query("finished,late", { groupBy: ["hub"] })
  table.rows.sort()
  assert.deepEqual(table, {
    type: "table",
    refId: "A",
    columns: [
      { text: "hub", type: "string" },
      { text: "finished", type: "number" },
      { text: "late", type: "number" },
    ],
    rows: [
      ["Airport", 1, 0],
      ["Harbour", 2, 0],
    ],
  })
  const byHub = await query("finished", { groupBy: "month,hub", hubId: hubs[1].id })
  assert.deepEqual(byHub, [{ target: "finished Airport", refId: "A", datapoints: [[1, day(1)]] }])
  // Variables with several values, as Grafana writes them, and payloads as text.
  assert.deepEqual(await query("(finished|late)", { hubId: `{${hubs[0].id},${hubs[1].id}}`, groupBy: [] }), [
    {
      ...{ type: "table", refId: "A", rows: [[3, 0]] },
      columns: [
        { text: "finished", type: "number" },
        { text: "late", type: "number" },
      ],
    },
  ])
  const atAirport = [{ target: "finished", refId: "A", datapoints: [[1, day(3)]] }]
  assert.deepEqual(await query("finished", JSON.stringify({ hubId: hubs[1].id })), atAirport)
  const airport = [{ key: "hub", operator: "=", value: "Airport" }]
  assert.deepEqual(await query("finished", "", airport), atAirport)
  const range = { from: "2031-05-01", to: "2031-05-03" }
  for (const more of [
    { adhocFilters: [{ key: "hub", operator: "!=", value: "Airport" }] },
    { targets: [{ target: "finished", payload: "[1" }] },
  ])
    assert.equal((await viewer.post("/grafana/query", { range, targets: [], ...more })).statusCode, 400)
  const wrong = { range: { from: "now-3d", to: "now" }, targets: [] }
  assert.equal((await viewer.post("/grafana/query", wrong)).statusCode, 400)
  const unknown = { range: { from: "2031-05-01", to: "2031-05-02" }, targets: [{ target: "constructor" }] }
  assert.equal((await viewer.post("/grafana/query", unknown)).statusCode, 400)
})

test("Grafana lists the hubs, flows and people that the caller sees", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org, name: "Harbour" })
  const other = await aHub(sql, { org, name: "Airport" })
  const permissions = ["view/dashboard", "view/tracking"] as const
  const viewer = await aUser(sql, { org, hubs: [hub], permissions })
  const asked = async (path: string, body: object) =>
    (await as(viewer).expect(200).post(`/grafana/${path}`, body)).json()
  const harbour = { label: "Harbour", value: hub.id }
  const payload = { metric: "finished", payload: {} }
  assert.deepEqual(await asked("metric-payload-options", { ...payload, name: "hubId" }), [harbour])
  const groups = await asked("metric-payload-options", { ...payload, name: "groupBy" })
  assert.ok(groups.some(({ value }: { value: string }) => value === "outcome"))
  assert.deepEqual(await asked("metric-payload-options", { ...payload, name: "constructor" }), [])
  const range = { from: "2031-05-01T00:00:00Z", to: "2031-05-03T00:00:00Z", raw: { from: "now-3d" } }
  assert.deepEqual(await asked("variable", { payload: { target: "hub" }, range }), [
    { __text: "Harbour", __value: hub.id },
  ])
  const stranger = await aUser(sql, { org, role: "field user", hubs: [other] })
  const people = await asked("variable", { payload: { target: "person" }, range })
  const emails = people.map(({ __value }: { __value: string }) => __value)
  assert.deepEqual([emails.includes(viewer.email), emails.includes(stranger.email)], [true, false])
  assert.deepEqual(await asked("search", { target: "hub" }), [{ text: "Harbour", value: hub.id }])
  const keys = await asked("tag-keys", {})
  assert.deepEqual(
    keys.map(({ text }: { text: string }) => text),
    ["hub", "flow", "person"],
  )
  assert.deepEqual(await asked("tag-values", { key: "hub" }), [{ text: "Harbour" }])
})
