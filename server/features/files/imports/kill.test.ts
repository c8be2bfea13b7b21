import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import type { Pool } from "#core/database/database.ts"
import { multipartBody } from "#testing/test-app.ts"
import { createTestDatabase } from "#testing/test-database.ts"
import { signIn, startProcess, type TestProcess, temporaryFolder } from "#testing/test-process.ts"
import { fakeFleetbase } from "../other-systems/fixtures/fake-fleetbase.ts"

/** How often a process is killed while an import runs; the long run tries many moments. */
const kills = process.env.FIELDWAY_LONG ? 12 : 1
const rowCount = process.env.FIELDWAY_LONG ? 30_000 : 4_000
const chunkCount = rowCount / 100

test("an import and a reading go on after their process was killed, and through a deploy: every valid row exactly once", async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const environment = {
    ...{ DATABASE_URL: database.url, DATA_DIR: await temporaryFolder(t) },
    WEBHOOK_ALLOW: "127.0.0.1",
  }
  let running = await startProcess(t, environment)
  const reading = await startReading(t, running)
  const importId = await startImport(running, database.sql)
  const watched = await watch(database.sql, importId)
  for (let kill = 1; kill <= kills; kill++) {
    // A different moment each time: after a batch that differs, at whatever the process does then.
    await watched.until(Math.floor((kill * chunkCount) / (kills + 2)))
    await reading.isAsked
    await running.end("SIGKILL")
    // The dead worker's jobs are freed when it has been silent for long: let that time have passed.
    await database.sql`update worker_heartbeats set seen_at = now() - interval '1 hour'`
    running = await startProcess(t, environment)
  }
  // A deploy: the new process starts beside the old one, which then stops in order and gives the import back.
  await watched.until(Math.floor(((kills + 1) * chunkCount) / (kills + 2)))
  const old = running
  running = await startProcess(t, environment)
  assert.equal(await old.end("SIGTERM"), 0)
  await watched.until(Number.POSITIVE_INFINITY)
  const problems = await database.sql<{ problems: unknown }[]>`
    select distinct problems from import_failures where import_id = ${importId}`
  assert.equal(problems.length, 1, JSON.stringify(problems.slice(0, 5)))
  const [record] = await database.sql<{ status: string; totalValid: number; totalInvalid: number }[]>`
    select status, total_valid, total_invalid from imports where id = ${importId}`
  const invalid = Math.floor(rowCount / 10)
  assert.deepEqual(
    { ...record },
    { status: "partially", totalValid: rowCount - invalid, totalInvalid: invalid },
  )
  const [tasks] = await database.sql<{ all: number; different: number }[]>`
    select count(*)::int as all, count(distinct title)::int as different from tasks`
  assert.deepEqual({ ...tasks }, { all: rowCount - invalid, different: rowCount - invalid })
  await watched.untilRead(reading.id)
  assert.deepEqual(reading.asked(), [1, 1, 1, 2, 1], "what was answered is not asked again")
  await running.end("SIGTERM")
})

/** Another system that does not respond to the fourth page until the process that asks is killed. */
async function startReading(t: TestContext, { address }: TestProcess) {
  const { promise: isAsked, resolve } = Promise.withResolvers<void>()
  const system = await fakeFleetbase(t, 450, (page, _response, tries) => {
    if (page !== 3 || tries > 1) return false
    resolve()
    return true
  })
  const reply = await fetch(`${address}/api/v3/data/import/readings`, {
    method: "POST",
    headers: { authorization: `Bearer ${await signIn(address)}`, "content-type": "application/json" },
    body: JSON.stringify(system.body),
  })
  const { data } = (await reply.json()) as { data: { _id: string } }
  return { id: data._id, isAsked, asked: () => [...system.asked.values()] }
}

async function startImport({ address }: TestProcess, sql: Pool): Promise<string> {
  const call = async (path: string, init: RequestInit) => {
    const reply = await fetch(`${address}/api/v3${path}`, { method: "POST", ...init })
    const body = await reply.json()
    assert.ok(reply.ok, JSON.stringify(body))
    return body as Record<string, never>
  }
  const headers = { "content-type": "application/json" }
  const authorization = `Bearer ${await signIn(address)}`
  const place = JSON.stringify({ name: "North", address: "Quay 1", lat: 52, lng: 4 })
  const hub = (await call("/hub", { headers: { ...headers, authorization }, body: place })) as {
    data?: { _id: string }
  }
  const [flow] = await sql<{ id: string }[]>`select id from flows where name = 'Delivery'`
  const rows = Array.from(
    { length: rowCount },
    (_, index) => `Customer ${index},${index % 10 === 9 ? "nowhere" : '"52.1,4.3"'}`,
  )
  const file = { filename: "many.csv", content: `Receiver name,Coordinate\n${rows.join("\n")}\n` }
  const form = multipartBody({ file, type: "task", flowId: flow?.id ?? "", hubId: hub.data?._id ?? "" })
  const made = await call("/data/import", {
    headers: { "content-type": form.contentType, authorization },
    body: new Uint8Array(form.body),
  })
  return (made as { data?: { _id: string } }).data?._id ?? ""
}

interface Watch {
  /** Resolves when the import has written so many chunks, or has ended. */
  until(chunks: number): Promise<void>
  /** Resolves when all rows of a reading of another system are read. */
  untilRead(readingId: string): Promise<void>
}

/** Looks at an import whenever the live events wake the readers, as every batch does. */
async function watch(sql: Pool, importId: string): Promise<Watch> {
  let read: { id: string; resolve: () => void } | undefined
  let waiting: { chunks: number; resolve: () => void; reject: (error: unknown) => void } | undefined
  const look = async () => {
    const [row] = await sql<{ status: string; processedChunks: number }[]>`
      select status, processed_chunks from imports where id = ${importId}`
    if (row && waiting && (row.status !== "onprocess" || row.processedChunks >= waiting.chunks))
      waiting.resolve()
  }
  const lookAtReading = async () => {
    if (!read) return
    const rows = await sql`
      select from other_system_readings where id = ${read.id} and status = 'done' and row_count = 450`
    if (rows.length > 0) read.resolve()
  }
  const wake = () => void Promise.all([look(), lookAtReading()]).catch((error) => waiting?.reject(error))
  await sql.listen("fieldway_live", wake, wake)
  return {
    until(chunks) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting = { chunks, resolve, reject }
      wake()
      return promise
    },
    untilRead(id) {
      const { promise, resolve } = Promise.withResolvers<void>()
      read = { id, resolve }
      wake()
      return promise
    },
  }
}
