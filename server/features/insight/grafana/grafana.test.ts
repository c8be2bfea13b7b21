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
  assert.ok((await viewer.expect(200).post("/grafana/search", { target: "" })).json().includes("onTimeRate"))
  const metrics = (await viewer.expect(200).post("/grafana/metrics", { metric: "", payload: {} })).json()
  const finished = metrics.find(({ value }: { value: string }) => value === "finished")
  assert.ok(finished.payloads[0].options.some(({ value }: { value: string }) => value === "hub"))
  const query = async (target: string, payload: object = {}) =>
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
        adhocFilters: [],
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
  const wrong = { range: { from: "now-3d", to: "now" }, targets: [] }
  assert.equal((await viewer.post("/grafana/query", wrong)).statusCode, 400)
  const unknown = { range: { from: "2031-05-01", to: "2031-05-02" }, targets: [{ target: "constructor" }] }
  assert.equal((await viewer.post("/grafana/query", unknown)).statusCode, 400)
})
