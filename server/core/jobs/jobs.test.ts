import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import { createLog } from "#core/telemetry/log.ts"
import { anOrganization } from "#samples/builders.ts"
import { faultLine } from "#testing/services/fault-line.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"
import { jobs } from "../../jobs.ts"
import { defineJob, type Job, longQueue, send, sendAll } from "./define-job.ts"
import { freeDeadWorkers, heartbeat } from "./heartbeat.ts"
import { startWorker } from "./worker.ts"

const noted: number[] = []
const note = defineJob({
  name: "test.note",
  payload: Type.Object({ n: Type.Integer() }),
  maxAttempts: 2,
  timeoutSeconds: 5,
  async handle(_context, { n }) {
    noted.push(n)
  },
})
const noteInOrder = defineJob({
  ...note,
  name: "test.note-in-order",
  payload: Type.Object({ n: Type.Integer(), queue: Type.String() }),
})
const refuse = defineJob({
  name: "test.refuse",
  payload: Type.Object({ organizationId: Type.String() }),
  maxAttempts: 1,
  timeoutSeconds: 5,
  async handle() {
    throw new Error("the printer is on fire")
  },
})

function work(
  server: TestApp,
  own: readonly Job[],
  idleMilliseconds = 1_000,
  databaseUrl = server.databaseUrl,
  /** 0: as many as usual. */
  concurrency = 2,
) {
  const { signal: _signal, attempt: _attempt, isLastAttempt: _last, ...context } = server.jobContext()
  return startWorker({
    databaseUrl,
    sql: server.sql,
    log: createLog("silent"),
    jobs: own,
    ...(concurrency === 0 ? {} : { concurrency }),
    idleMilliseconds,
    context,
  })
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(20)
}

test("a job runs when its transaction commits, and never when it rolls back", async (t) => {
  const server = await testApp(t)
  await assert.rejects(
    inTransaction(server.sql, async (tx) => {
      await send(tx, note, { n: 1 })
      throw new Error("no")
    }),
  )
  await inTransaction(server.sql, (tx) => send(tx, note, { n: 2 }))
  const worker = await work(server, [note])
  await until(() => noted.length > 0)
  await worker.stop()
  assert.deepEqual(noted, [2])
})

test("a job that ends while the database is away is stored as ended once it is back", async (t) => {
  const server = await testApp(t)
  const line = await faultLine(t, server.databaseUrl)
  const ends = ["done", "failed"] as const
  const endCut = ends.map((end) =>
    defineJob({
      name: `test.end-${end}`,
      payload: Type.Object({}),
      maxAttempts: 1,
      timeoutSeconds: 5,
      async handle() {
        line.set("cut")
        if (end === "failed") throw new Error("the printer is on fire")
      },
    }),
  )
  const worker = await work(server, endCut, 1_000, line.url)
  const stored = () => server.sql<{ name: string; attempts: number; isLocked: boolean }[]>`
    select t.identifier as name, j.attempts, j.locked_at is not null as is_locked
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier like 'test.end-%'`
  for (const job of endCut) {
    await send(server.sql, job, {})
    await until(async () => (await stored()).some((row) => row.name === job.name && row.isLocked))
    // A first try to store the end has met the cut line.
    await pause(150)
    line.set("open")
    await until(async () => (await stored()).every((row) => !row.isLocked))
  }
  assert.deepEqual(
    (await stored()).map((row) => ({ ...row })),
    [{ name: "test.end-failed", attempts: 1, isLocked: false }],
  )
  await worker.stop()
})

test("a job is not lost when a worker takes the waiting one of the same key while it is sent", async (t) => {
  const server = await testApp(t)
  const { sql } = server
  const key = "test.note:taken"
  await send(sql, note, { n: 1 }, { key })
  let sending = Promise.resolve()
  await inTransaction(sql, async (tx) => {
    await tx`select from graphile_worker._private_jobs where key = ${key} for update`
    sending = send(sql, note, { n: 2 }, { key })
    await until(
      async () =>
        (await sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%add_job%'`)
          .length > 0,
    )
    await tx`update graphile_worker._private_jobs set locked_by = 'a worker', locked_at = now() where key = ${key}`
  })
  await sending
  const waiting = await sql<{ payload: { n: number } }[]>`
    select payload from graphile_worker._private_jobs where key = ${key} and locked_at is null`
  assert.deepEqual(
    waiting.map(({ payload }) => payload.n),
    [2],
  )
})

test("jobs of one queue follow each other without an idle worker's sleep between them", async (t) => {
  const server = await testApp(t)
  noted.length = 0
  await sendAll(
    server.sql,
    noteInOrder,
    Array.from({ length: 10 }, (_, n) => ({ n, queue: "one" })),
    "queue",
  )
  const worker = await work(server, [noteInOrder], 3_600_000)
  await until(() => noted.length === 10)
  await worker.stop()
  assert.deepEqual(noted, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test("a job that failed for the last time is shown to its organization with the reason, and can be run again", async (t) => {
  const server = await testApp(t)
  const [org, other] = [await anOrganization(server.sql), await anOrganization(server.sql)]
  await send(server.sql, refuse, { organizationId: org.id })
  const worker = await work(server, [refuse])
  const failed = async () =>
    (await server.as(org.owner).get("/failed-jobs")).json().data.data as {
      _id: string
      error: string
      name: string
    }[]
  await until(async () => (await failed()).length === 1)
  const [job] = await failed()
  assert.equal(job?.name, "test.refuse")
  assert.match(job?.error ?? "", /printer is on fire/)
  assert.equal((await server.as(other.owner).get("/failed-jobs")).json().data.total, 0)
  assert.equal((await server.as(other.owner).post(`/failed-job/${job?._id}/run`)).statusCode, 404)
  await worker.stop()
  assert.equal((await server.as(org.owner).post(`/failed-job/${job?._id}/run`)).statusCode, 200)
  assert.equal((await failed()).length, 0)
})

test("whatever long work an organization asks for, another's long and short jobs start beside it", async (t) => {
  const server = await testApp(t)
  const [busy, other] = [(await anOrganization(server.sql)).id, (await anOrganization(server.sql)).id]
  const gate = Promise.withResolvers<void>()
  const started: string[] = []
  const long = defineJob({
    name: "test.long",
    payload: Type.Object({ organizationId: Type.String() }),
    maxAttempts: 1,
    timeoutSeconds: 60,
    isLong: true,
    async handle(_context, { organizationId }) {
      started.push(organizationId)
      if (organizationId === busy) await gate.promise
    },
  })
  const kinds = ["export", "readingImportDatasource", "routing", "outside"] as const
  for (const kind of [...kinds, ...kinds, ...kinds])
    await send(server.sql, long, { organizationId: busy }, { queue: longQueue(kind, busy) })
  await assert.rejects(send(server.sql, long, { organizationId: busy }), /needs a queue/)
  const worker = await work(server, [long, note], 1_000, server.databaseUrl, 0)
  await until(() => started.length === kinds.length)
  await send(server.sql, long, { organizationId: other }, { queue: longQueue("export", other) })
  await send(server.sql, note, { n: 77 })
  await until(() => started.includes(other) && noted.includes(77))
  assert.equal(started.filter((id) => id === busy).length, kinds.length)
  gate.resolve()
  await until(() => started.length === 3 * kinds.length + 1)
  await worker.stop()
})

test("the jobs of a worker that died are freed once it has been silent, those of a living one are not", async (t) => {
  const { sql } = await testApp(t)
  await sql`delete from graphile_worker._private_jobs`
  for (const n of [1, 2]) await send(sql, note, { n })
  const jobIds = (
    await sql<{ id: string }[]>`select id::text from graphile_worker._private_jobs order by id`
  ).map((row) => row.id)
  await sql`update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now() - interval '1 minute' where id = ${jobIds[0] ?? ""}`
  await sql`update graphile_worker._private_jobs set locked_by = 'alive', locked_at = now() - interval '1 minute' where id = ${jobIds[1] ?? ""}`
  await heartbeat(sql, ["alive"])
  await sql`insert into worker_heartbeats values ('dead', now() - interval '1 minute')`
  assert.equal(await freeDeadWorkers(sql), 1)
  const locks = await sql<
    { lockedBy: string | null }[]
  >`select locked_by from graphile_worker._private_jobs order by id`
  assert.deepEqual(
    locks.map((row) => row.lockedBy),
    [null, "alive"],
  )
  await sql`delete from graphile_worker._private_jobs`
})

test("a job that runs for long belongs to a living worker in the eyes of other nodes", async (t) => {
  const server = await testApp(t)
  const goOn = Promise.withResolvers<void>()
  const hasBegun = Promise.withResolvers<void>()
  const long = defineJob({
    ...note,
    name: "test.long",
    async handle() {
      hasBegun.resolve()
      await goOn.promise
    },
  })
  const worker = await work(server, [long])
  t.after(() => worker.stop())
  await inTransaction(server.sql, (tx) => send(tx, long, { n: 1 }))
  await hasBegun.promise
  await server.sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 minute'`
  assert.equal(await freeDeadWorkers(server.sql), 0)
  goOn.resolve()
  await worker.stop()
})

test("every recurring job can run twice in a row on an empty and on a used database", async (t) => {
  const server = await testApp(t)
  await anOrganization(server.sql)
  for (const job of jobs.filter((candidate) => candidate.cron)) {
    await job.handle(server.jobContext(), {})
    await job.handle(server.jobContext(), {})
  }
})

test("job names are unique: a waiting job finds its handler by name", () => {
  assert.equal(new Set(jobs.map((job) => job.name)).size, jobs.length)
})
