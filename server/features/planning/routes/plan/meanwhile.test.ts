import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, anOrganization, aUser } from "#samples/builders.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"

/** What else happens while routes are planned and dispatched. */
async function aDepot({ sql, as }: TestApp, visitCount = 6) {
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const drivers = [
    await aUser(sql, { org, hubs: [hub], permissions: ["do/task"] }),
    await aUser(sql, { org, hubs: [hub], permissions: ["do/task"] }),
  ]
  const me = as(org.owner)
  const made = await me.post("/tasks/bulk", {
    tasks: Array.from({ length: visitCount }, (_, index) => ({
      flow: "Delivery",
      hubId: hub.id,
      receiverName: `Shop ${index}`,
      deliveryPoint: `52.${100 + index},4.3`,
    })),
  })
  const ids: string[] = made.json().tasks.map(({ _id }: { _id: string }) => _id)
  const { data: visits } = (await me.post("/routing/visits", { taskIds: ids })).json()
  const run = (driver: number, more: Record<string, unknown> = {}) =>
    me.post("/routing", {
      hubId: hub.id,
      visits,
      vehicles: [{ id: `v${driver}`, name: `Van ${driver}`, assignee: drivers[driver]?.email }],
      ...more,
    })
  const statusOf = async (id: string) => (await me.get(`/task/${id}`)).json().task
  return { org, hub, drivers, me, ids, run, statusOf }
}

test("two runs on the same tasks both end, and the tasks belong whole to the one that was dispatched last", async () => {
  const { me, ids, run, statusOf, drivers } = await aDepot(await testApp())
  const plans = (await Promise.all([run(0), run(1)])).map((reply) => {
    assert.equal(reply.statusCode, 200, reply.body)
    return reply.json().data
  })
  assert.deepEqual(
    plans.map(({ summary }) => summary.routedVisits),
    [6, 6],
  )
  const reports = await Promise.all(plans.map(({ _id }) => me.post("/dispatch", { resultId: _id })))
  for (const report of reports) assert.deepEqual([report.statusCode, report.json().success], [200, 6])
  const tasks = await Promise.all(ids.map(statusOf))
  const owners = new Set(tasks.map(({ routingResultId, assignee }) => `${routingResultId} ${assignee}`))
  assert.equal(owners.size, 1, "no task has one plan's driver and the other's order")
  const [owner = ""] = owners
  const winner = plans.findIndex(({ _id }) => owner.startsWith(_id))
  assert.ok(owner.endsWith(drivers[winner]?.email ?? "nobody"))
  assert.deepEqual(tasks.map(({ routePlannedOrder }) => routePlannedOrder).sort(), [1, 2, 3, 4, 5, 6])
})

test("a task that is finished or moved while its plan is dispatched is either left alone or dispatched before", async () => {
  const app = await testApp()
  const { org, me, ids, run, statusOf } = await aDepot(app)
  const elsewhere = await aHub(app.sql, { org })
  const { _id: resultId } = (await run(0)).json().data
  const [done = "", moved = ""] = ids
  const [report, finished, away] = await Promise.all([
    me.post("/dispatch", { resultId }),
    me.patch(`/task/${done}`, { status: "DONE" }),
    me.put(`/task/${moved}/move`, { hubId: elsewhere.id }),
  ])
  assert.equal(report.statusCode, 200, report.body)
  const reported = new Map<string, boolean>(
    report.json().tasks.map(({ _id, status }: { _id: string; status: boolean }) => [_id, status]),
  )
  for (const [id, reply] of [
    [done, finished],
    [moved, away],
  ] as const) {
    const task = await statusOf(id)
    assert.equal(
      task.routingResultId === resultId,
      reported.get(id),
      `${id}: the report says what became of it`,
    )
    if (reply.statusCode >= 300) assert.equal(reported.get(id), true, reply.body)
  }
  assert.equal([...reported.values()].filter((isDispatched) => isDispatched).length >= 4, true)
})

test("a hub that is deleted while it is planned ends the run, and nobody waits for it", async () => {
  const app = await testApp()
  // Enough visits that no plan is ready before the hub is gone.
  const { hub, me, run } = await aDepot(app, 150)
  const other = await run(0, { background: true, seconds: 30 })
  const { _id: resultId } = other.json().data
  const waits = run(1, { seconds: 30 })
  const background = runJobs(app)
  while ((await app.sql`select from routing_results where runner is not null`).length < 2)
    await new Promise((resolve) => setTimeout(resolve, 10))
  await app.sql`delete from tasks where hub_id = ${hub.id}`
  await app.sql`delete from user_hubs where hub_id = ${hub.id}`
  await app.sql`delete from hubs where id = ${hub.id}`
  const [reply] = await Promise.all([waits, background])
  assert.deepEqual([reply.statusCode, reply.json().failedCode], [404, "route-033"])
  assert.equal((await me.get(`/result/${resultId}`)).statusCode, 404)
})
