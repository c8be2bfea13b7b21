import assert from "node:assert/strict"
import type { ServerResponse } from "node:http"
import { test } from "node:test"
import { gzipSync } from "node:zlib"
import { aFlow, aHub, anOrganization, aUser } from "#samples/builders.ts"
import { type Calls, type TestApp, testApp } from "#testing/test-app.ts"
import { finishImport, meterSwapPages } from "../imports/fixtures/imports.ts"
import { fakeFleetbase } from "./fixtures/fake-fleetbase.ts"
import { otherSystemJobs } from "./jobs.ts"
import { type ReadingLimits, readingLimits } from "./kept-responses.ts"
import { findForJob } from "./queries.ts"
import { runReading } from "./run-reading.ts"

const job = otherSystemJobs.find(({ name }) => name === "imports.read-other-system")
const tidy = otherSystemJobs.find(({ name }) => name === "imports.tidy-readings")

async function start(me: Calls, body: object): Promise<string> {
  const reply = await me.expect(200).post("/data/import/readings", body)
  assert.doesNotMatch(reply.body, /sesame/)
  return reply.json().data._id
}

const statusOf = async (me: Calls, id: string) => (await me.get(`/data/import/readings/${id}`)).json().data

async function run(app: TestApp, organizationId: string, readingId: string, signal?: AbortSignal) {
  await job?.handle({ ...app.jobContext(), ...(signal ? { signal } : {}) }, { organizationId, readingId })
}

test("a long list is read in the background, goes on after a stop without asking twice, and is imported and undone", async (t) => {
  const app = await testApp(t, { WEBHOOK_ALLOW: "127.0.0.1" })
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const flow = await aFlow(app.sql, { org, pages: meterSwapPages })
  const me = app.as(org.owner)
  const stopping = new AbortController()
  const system = await fakeFleetbase(t, 450, (page, _response, tries) => {
    if (page !== 3 || tries > 1) return false
    stopping.abort(new Error("the process is stopping"))
    return true
  })
  const id = await start(me, system.body)
  assert.equal((await statusOf(me, id)).status, "reading")
  const [stored] = await app.sql`select * from other_system_readings where id = ${id}`
  assert.doesNotMatch(JSON.stringify(stored), /sesame/, "the key is stored sealed")
  await assert.rejects(run(app, org.id, id, stopping.signal))
  const half = await statusOf(me, id)
  assert.deepEqual([half.status, half.rowCount, half.requestCount], ["reading", 300, 3])

  await run(app, org.id, id)
  await run(app, org.id, id)
  const done = await statusOf(me, id)
  assert.deepEqual([done.status, done.rowCount, done.requestCount, done.emptyCount], ["done", 450, 5, 0])
  assert.deepEqual([...system.asked.values()], [1, 1, 1, 2, 1])
  const [left] = await app.sql`
    select sealed_key, (select count(*)::int from other_system_answers where reading_id = ${id}) as answers
    from other_system_readings where id = ${id}`
  assert.deepEqual({ ...left }, { sealedKey: null, answers: 0 })

  const parts = { type: "task", flowId: flow.id, hubId: hub.id, readingId: id }
  const { data: preview } = (await me.expect(200).upload("/data/import/preview", parts)).json()
  assert.deepEqual([preview.rowCount, preview.columns.customer], [450, "Name"])
  const columns = JSON.stringify({ ...preview.columns, job: { value: "Install" } })
  const { data: made } = (await me.expect(200).upload("/data/import", { ...parts, columns })).json()
  const record = await finishImport({ ...app, me }, made._id)
  assert.deepEqual([record.totalRows, record.totalCreated, record.totalInvalid], [450, 445, 5])
  await me.expect(200).post(`/import-monitoring/${made._id}/undo`, {})
  assert.equal((await me.get("/tasks")).json().tasks.data.length, 0)

  const colleague = app.as(await aUser(app.sql, { org, role: "admin" }))
  const stranger = app.as((await anOrganization(app.sql)).owner)
  for (const other of [colleague, stranger]) {
    assert.equal((await other.get(`/data/import/readings/${id}`)).statusCode, 404)
    assert.equal((await other.post(`/data/import/readings/${id}/cancel`, {})).statusCode, 404)
    assert.deepEqual((await other.get("/data/import/readings")).json().data?.data, [])
  }
  assert.equal((await stranger.upload("/data/import/preview", parts)).statusCode, 404)
})

test("a reading can be cancelled, ends for a member who may no longer import, and is removed after a week", async (t) => {
  const app = await testApp(t, { WEBHOOK_ALLOW: "127.0.0.1" })
  const org = await anOrganization(app.sql)
  const me = app.as(org.owner)
  let cancel = async () => {}
  const system = await fakeFleetbase(t, 1_000, (page, response) => {
    if (page === 2) void cancel().then(() => response.end("[]"))
    return page === 2
  })
  const id = await start(me, system.body)
  cancel = async () => void (await me.expect(200).post(`/data/import/readings/${id}/cancel`, {}))
  await run(app, org.id, id)
  const cancelled = await statusOf(me, id)
  assert.deepEqual([cancelled.status, cancelled.rowCount, cancelled.file], ["cancelled", 100, undefined])
  assert.equal(system.asked.size, 3)
  assert.equal((await me.post(`/data/import/readings/${id}/cancel`, {})).statusCode, 409)
  const parts = { type: "vehicle", hubId: (await aHub(app.sql, { org })).id, readingId: id }
  assert.equal((await me.upload("/data/import/preview", parts)).statusCode, 409)

  const member = await aUser(app.sql, { org, permissions: ["import/data"] })
  const left = await start(app.as(member), system.body)
  await app.sql`update users set deleted_time = now() where id = ${member.id}`.catch(
    () => app.sql`delete from users where id = ${member.id}`,
  )
  await run(app, org.id, left)
  const [row] = await app.sql<
    { problem: { code: string } }[]
  >`select problem from other_system_readings where id = ${left}`
  assert.ok(!row || row.problem.code === "member-left")

  await app.sql`update other_system_readings set created_time = now() - interval '8 days' where id = ${id}`
  await tidy?.handle(app.jobContext(), {})
  assert.equal((await me.get(`/data/import/readings/${id}`)).statusCode, 404)
})

test("what the other system refuses or delays ends in a wait, another try or a message that says what is wrong", async (t) => {
  const app = await testApp(t, { WEBHOOK_ALLOW: "127.0.0.1" })
  const org = await anOrganization(app.sql)
  const me = app.as(org.owner)
  const quick: ReadingLimits = { ...readingLimits, pausesMilliseconds: [1, 1], waitMilliseconds: 2_000 }
  const read = async (
    respond: Parameters<typeof fakeFleetbase>[2],
    limits: Partial<ReadingLimits> = {},
    more: object = {},
  ) => {
    const system = await fakeFleetbase(t, 250, respond)
    const id = await start(me, { ...system.body, ...more })
    const reading = await findForJob(app.sql, org.id, id)
    assert.ok(reading)
    const thrown = await runReading(app.jobContext(), reading, { ...quick, ...limits }).catch(
      (error: unknown) => error,
    )
    return { ...(await statusOf(me, id)), asked: [...system.asked.values()], thrown }
  }
  const status =
    (code: number, headers = {}) =>
    (_page: number, response: ServerResponse) =>
      Boolean(response.writeHead(code, headers).end("{}"))
  const once =
    (code: number, headers = {}) =>
    (page: number, response: ServerResponse, tries: number) =>
      tries === 1 && page === 1 && status(code, headers)(page, response)

  assert.deepEqual((await read(once(429, { "retry-after": "0" }))).asked, [1, 2, 1])
  assert.deepEqual((await read(once(500))).asked, [1, 2, 1])
  const later = await read(once(429, { "retry-after": "600" }))
  assert.equal(later.status, "reading")
  assert.match(String(later.thrown), /goes on later/)
  const minutes = (Date.parse(`${later.waitsUntil}Z`.replace(" ", "T")) - Date.now()) / 60_000
  assert.ok(minutes > 9 && minutes < 11, later.waitsUntil)

  const problemOf = async (...how: Parameters<typeof read>) => (await read(...how)).problem
  assert.deepEqual(await problemOf(status(401)), {
    code: "wrong-key",
    message: "The other system does not accept this key",
    httpStatus: 401,
  })
  assert.deepEqual(await problemOf(status(500)), {
    code: "http-status",
    message: "The other system responded with status 500",
    httpStatus: 500,
  })
  assert.equal((await problemOf(status(429, { "retry-after": "90000" }))).code, "busy")
  assert.equal((await problemOf((_page, response) => Boolean(response.end("<html>")))).code, "not-json")
  assert.equal((await problemOf((_page, response) => Boolean(response.end('{"a":1}')))).code, "not-a-list")
  assert.equal((await problemOf((_page, response) => Boolean(response.destroy()))).code, "unreachable")
  assert.equal((await problemOf(undefined, { rows: 200 })).code, "too-many-rows")
  assert.equal((await problemOf(undefined, { bytes: 20_000 })).code, "too-large")
  assert.equal((await problemOf(undefined, { requests: 2 })).code, "too-long")
  const metadata = { address: "http://169.254.169.254/latest" }
  assert.equal((await problemOf(undefined, {}, metadata)).code, "forbidden-address")
  for (const address of ["file:///etc/passwd", "http://me:secret@example.com", "https://example.com/?key=1"])
    assert.equal(
      (
        await me.post("/data/import/readings", {
          system: "traccar",
          collection: "devices",
          address,
          token: "k",
        })
      ).statusCode,
      400,
    )
})

test("lists of Traccar are read out of a dump of its database, which is deleted then", async (t) => {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const me = app.as(org.owner)
  const dump = `-- PostgreSQL database dump
COPY public.tc_positions (id, deviceid, latitude, longitude) FROM stdin;
6\t1\t1\t1
7\t1\t52.4\t4.9
\\.
COPY public.tc_groups (id, name) FROM stdin;
5\tNorth
\\.
COPY public.tc_devices (id, name, uniqueid, positionid, groupid, category) FROM stdin;
1\tVan 1\t8612\t7\t5\tvan
2\tVan 2\t8613\t\\N\t\\N\t\\N
\\.
COPY public.tc_users (id, name, email, hashedpassword) FROM stdin;
1\tAna\tana@example.com\tsesame
\\.
`
  const read = async (collection: string, content: string | Buffer) => {
    const parts = { collection, file: { filename: "traccar.sql", content } }
    const reply = await me.expect(200).upload("/data/import/readings/dump", parts)
    const id = reply.json().data._id
    await run(app, org.id, id)
    const [row] = await app.sql<{ dumpKey: string | null; fileKey: string | null }[]>`
      select dump_key, file_key from other_system_readings where id = ${id}`
    assert.equal(row?.dumpKey, null)
    const file = row?.fileKey ? await app.app.objects.open(row.fileKey) : undefined
    const csv = file ? Buffer.concat(await Array.fromAsync(file.stream)).toString() : ""
    return { ...(await statusOf(me, id)), csv }
  }
  const devices = await read("devices", gzipSync(dump))
  assert.deepEqual([devices.status, devices.rowCount, devices.filename], ["done", 2, "traccar.sql"])
  assert.match(devices.csv, /8612,Van 1,"52\.4,4\.9",North,van.*8613,Van 2,,,/s)
  const users = await read("users", dump)
  assert.match(users.csv, /1,Ana,ana@example\.com/)
  assert.doesNotMatch(users.csv, /sesame/)
  const stored = await Array.fromAsync(app.app.objects.list(`${org.id}/private/`))
  assert.deepEqual(
    stored.filter((key) => key.includes("dump")),
    [],
  )

  const { problem } = await read("geofences", dump)
  assert.equal(problem.code, "bad-dump")
  assert.match(problem.reason, /no rows of the table tc_geofences/)
  assert.match((await read("devices", "PGDMP\u0001")).problem.message, /--format=plain/)
  assert.match((await read("devices", dump.slice(0, -90))).problem.message, /cut off/)
  const wrong = { collection: "positions", file: { filename: "x.sql", content: dump } }
  assert.equal((await me.upload("/data/import/readings/dump", wrong)).statusCode, 400)
  assert.equal((await me.upload("/data/import/readings/dump", { collection: "devices" })).statusCode, 400)
})
