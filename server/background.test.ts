import assert from "node:assert/strict"
import { test } from "node:test"
import { startWholeServer } from "#testing/whole-server.ts"

/** What the test reads of the responses. */
interface Body {
  token: string
  _id: string
  status: unknown
  tasks: { data: unknown[] }
}

test("heavy requests run on the background thread, and are answered as on the request thread", async (t) => {
  const server = await startWholeServer()
  t.after(() => server.close())
  const call = async (method: string, path: string, { token = "", body = undefined as unknown } = {}) => {
    const reply = await fetch(`${server.address}/api/v3${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(token === "" ? {} : { authorization: `Bearer ${token}`, "idempotency-key": path }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Body }
  }
  const { token } = (await call("POST", "/login", { body: server.owner })).body
  const { _id: hubId } = (
    await call("POST", "/hub", { token, body: { name: "North", address: "Quay 1", lat: 1, lng: 2 } })
  ).body
  const [flow] = await server.sql<{ name: string }[]>`select name from flows limit 1`
  const task = { hubId, flow: flow?.name, siteName: "é".repeat(1_000) }
  const tasks = Array.from({ length: 400 }, (_, index) => ({ ...task, orderIndex: index + 1 }))
  const created = await call("POST", "/tasks/bulk", { token, body: { tasks } })
  assert.equal(created.status, 201)
  const repeated = await call("POST", "/tasks/bulk", { token, body: { tasks } })
  assert.equal(repeated.headers.get("idempotency-replayed"), "true")

  const light = await call("GET", "/tasks?limit=1000&sortBy=orderIndex", { token })
  const heavy = await call("GET", "/tasks?limit=2000&sortBy=orderIndex&unheardOf=1", { token })
  assert.deepEqual(heavy.body.tasks.data, light.body.tasks.data)
  assert.equal(heavy.headers.get("x-ignored-parameters"), "unheardOf")
  assert.match(String(heavy.headers.get("x-request-id")), /^[0-9a-f]{24}$/)
  const refused = await call("POST", "/tasks/export", { token, body: { download: "papyrus" } })
  assert.deepEqual([refused.status, refused.body.status], [400, false])

  // The statement that waits for the lock shows where it runs.
  const held = await server.sql.reserve()
  await held`begin`
  await held`lock table tasks in access exclusive mode`
  const waiting = [call("GET", "/tasks?limit=10000", { token }), call("GET", "/tasks?limit=10", { token })]
  const waitingIn = async () => {
    const rows = await held<{ name: string }[]>`
      select distinct application_name as name from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and application_name not like '%jobs' order by 1`
    return rows.map(({ name }) => name)
  }
  while ((await waitingIn()).length < 2) await held`select pg_sleep(0.02)`
  assert.deepEqual(await waitingIn(), ["fieldway", "fieldway-background"])
  await held`rollback`
  held.release()
  for (const { status } of await Promise.all(waiting)) assert.equal(status, 200)
})

test("a client that leaves before the background thread is ready takes nothing along", async (t) => {
  const server = await startWholeServer()
  t.after(() => server.close())
  const login = await fetch(`${server.address}/api/v3/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(server.owner),
  })
  const { token } = (await login.json()) as Body
  const listAll = (signal?: AbortSignal) =>
    fetch(`${server.address}/api/v3/tasks?limit=-1`, {
      headers: { authorization: `Bearer ${token}` },
      ...(signal && { signal }),
    })
  for (const milliseconds of [20, 40, 80])
    await assert.rejects(listAll(AbortSignal.timeout(milliseconds)), { name: "TimeoutError" })
  assert.equal((await listAll()).status, 200)
})
