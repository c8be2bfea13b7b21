import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import type { JobContext } from "#core/jobs/define-job.ts"
import { aFlow, aHub, anOrganization, aTask } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { finishImport, importFile } from "./fixtures/imports.ts"
import { importJobs } from "./jobs.ts"

const pages = [
  {
    id: "page0",
    components: [
      { id: "site", component: "input", type: "String", title: "Site", required: true, showAs: "title" },
    ],
  },
]

async function aScene(t: TestContext) {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const flow = await aFlow(app.sql, { org, name: "Sites", pages })
  const me = app.as(org.owner)
  const scene = { ...app, org, hub, flow, me }
  const accept = async (content: string, more: Record<string, string> = {}): Promise<string> => {
    const reply = await importFile(scene, { filename: "sites.csv", content }, "?force=true", more)
    assert.equal(reply.statusCode, 200, reply.body)
    return reply.json().data._id
  }
  const run = (name: string, importId: string, context: Partial<JobContext> = {}) =>
    importJobs
      .find((job) => job.name === name)
      ?.handle({ ...app.jobContext(), ...context }, { organizationId: org.id, importId })
  const read = async (importId: string) => (await me.get(`/import-monitoring/${importId}`)).json().data
  return { ...scene, accept, run, read }
}

/** A context whose worker is aborted during its first batch, which it still finishes. */
function forOneBatch({ clock }: Pick<JobContext, "clock">): Partial<JobContext> {
  const controller = new AbortController()
  const now = () => {
    controller.abort()
    return clock.now()
  }
  return { signal: controller.signal, clock: { ...clock, now } }
}

const manyRows = `Site\n${Array.from({ length: 2_010 }, (_, index) => `S${index}`).join("\n")}\n`

test("a running import says how far it is, how fast, and when it may end; a hub that goes fails the rest", async (t) => {
  const app = await aScene(t)
  const importId = await app.accept(manyRows)
  const before = await app.read(importId)
  assert.deepEqual([before.totalChunks, before.processedChunks, before.rowsPerSecond], [21, 0, undefined])
  app.clock.move({ seconds: 100 })
  await app.run("imports.read", importId, forOneBatch(app))
  const half = await app.read(importId)
  assert.deepEqual([half.status, half.processedChunks, half.totalValid], ["onprocess", 20, 2_000])
  assert.ok(half.rowsPerSecond > 15 && half.rowsPerSecond <= 20, String(half.rowsPerSecond))
  assert.match(half.expectedEnd, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.equal(half.processedAt, undefined)
  assert.equal((await app.me.delete(`/hub/${app.hub.id}`)).statusCode, 200)
  const done = await finishImport(app, importId)
  assert.deepEqual([done.status, done.totalValid, done.totalInvalid], ["partially", 2_000, 10])
  assert.deepEqual([done.processedChunks, done.expectedEnd], [21, undefined])
  const [row] = (await app.me.get(`/import-monitoring/${importId}/failed-rows?limit=1`)).json().data.data
  assert.match(row.message, /hub/i)
})

test("a store without room refuses an upload, and an import that meets it goes on when there is room", async (t) => {
  const app = await aScene(t)
  const full = () => {
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" })
  }
  const { objects } = app.jobContext()
  const broken = { ...objects, put: async () => full() }
  const { put } = app.app.objects
  app.app.objects.put = async () => full()
  const refused = await importFile(app, { filename: "a.csv", content: "Site\nA\n" })
  app.app.objects.put = put
  assert.equal(refused.statusCode, 503, refused.body)
  assert.equal((await app.me.get("/import-monitoring")).json().data.total, 0, "nothing waits for its rows")
  const content = `Site,Start Time\nA,\nB,never\nC,\n`
  const importId = await app.accept(content)
  await assert.rejects(async () => app.run("imports.read", importId, { objects: broken }), { code: "ENOSPC" })
  const waiting = await app.read(importId)
  assert.deepEqual(
    [waiting.status, waiting.totalValid, waiting.fileFailedImported],
    ["onprocess", 2, undefined],
  )
  const done = await finishImport(app, importId)
  assert.deepEqual([done.status, done.totalValid, done.totalInvalid], ["partially", 2, 1])
  const file = await app.app.inject({ url: done.fileFailedImported.replace("http://fieldway.test", "") })
  assert.equal(file.statusCode, 200)
  assert.equal((await app.me.get("/tasks")).json().tasks.total, 2, "each row once")
  const lastId = await app.accept(content)
  const last = { objects: broken, isLastAttempt: true }
  await assert.rejects(async () => app.run("imports.read", lastId, last), { code: "ENOSPC" })
  const ended = await app.read(lastId)
  assert.deepEqual([ended.status, ended.totalValid, ended.fileFailedImported], ["partially", 2, undefined])
  assert.match(ended.errorMessage, /server error/)
  assert.equal((await app.me.get(`/import-monitoring/${lastId}/failed-rows`)).json().data.total, 1)
})

test("imports and their files are gone after 30 days, and one without progress fails after half an hour", async (t) => {
  const app = await aScene(t)
  const old = await app.accept("Site,Start Time\nA,\nB,never\n")
  const { fileFailedImported } = await finishImport(app, old)
  const young = await app.accept("Site\nC\n")
  await finishImport(app, young)
  const stalled = await app.accept("Site\nD\n")
  const [keys] = await app.sql<{ rowsKey: string }[]>`select rows_key from imports where id = ${old}`
  await app.sql`update imports set created_time = created_time - interval '31 days' where id = ${old}`
  await app.sql`update imports set updated_time = updated_time - interval '31 minutes' where id = ${stalled}`
  const waiting = () => app.sql`select from graphile_worker.jobs where key = ${`import:${stalled}`}`
  await app.sql`delete from graphile_worker._private_jobs where payload->>'importId' = ${stalled}`
  await app.run("imports.resume", stalled)
  assert.equal((await waiting()).length, 1, "a slice that was lost is made again")
  await app.sql`update graphile_worker._private_jobs set attempts = max_attempts where payload->>'importId' = ${stalled}`
  await app.run("imports.resume", stalled)
  const attempts = await app.sql<{ attempts: number }[]>`
    select attempts from graphile_worker.jobs where key = ${`import:${stalled}`}`
  assert.deepEqual(
    attempts.map((job) => job.attempts),
    [0],
    "as is one whose attempts all ended with their workers",
  )
  await app.run("imports.tidy", old)
  await app.run("imports.tidy", old)
  const gone = await app.me.get(`/import-monitoring/${old}`)
  assert.deepEqual([gone.statusCode, gone.json().failedCode], [404, "import-004"])
  const link = fileFailedImported.replace("http://fieldway.test", "")
  // Files are removed once the transaction has ended.
  await t.waitFor(async () => assert.equal((await app.app.inject({ url: link })).statusCode, 404))
  await t.waitFor(async () => assert.equal(await app.app.objects.open(keys?.rowsKey ?? ""), undefined))
  assert.equal((await app.read(young)).status, "success")
  const failed = await app.read(stalled)
  assert.deepEqual([failed.status, failed.errorMessage], ["failed", "There was no progress for 30 minutes"])
})

test("rows that name one task by two keys change it once", async (t) => {
  const app = await aScene(t)
  const task = await aTask(app.sql, { ...app, refId: "R-1", values: { site: "Old" } })
  const importId = await app.accept(`ID,Site\nR-1,New\n${task.id},Newer\n`, { mode: "upsert" })
  const done = await finishImport(app, importId)
  assert.deepEqual([done.totalCreated, done.totalChanged, done.totalInvalid], [0, 1, 1])
  const [row] = (await app.me.get(`/import-monitoring/${importId}/failed-rows`)).json().data.data
  assert.equal(`${row.row}  ${row.message}`, "3  ID: is repeated in the file")
  assert.equal((await app.me.get(`/task/${task.id}`)).json().task.site, "New")
})
