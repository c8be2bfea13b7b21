import assert from "node:assert/strict"
import { test } from "node:test"
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises"
import fc from "fast-check"
import { faultLine, type LineState } from "#testing/services/fault-line.ts"
import { createTestDatabase } from "#testing/test-database.ts"
import { connect, type Sql } from "../database/database.ts"

test("a connection that closes while a query is about to leave refuses it, and serves the next one", async (t) => {
  const database = await createTestDatabase()
  const line = await faultLine(t, database.url)
  const sql = connect(line.url, { max: 4 })
  t.after(async () => {
    await sql.end({ timeout: 1 })
    await database.drop()
  })
  for (let round = 0; round < 15; round += 1) {
    await Promise.allSettled(Array.from({ length: 4 }, () => sql`select 1`))
    line.set("cut")
    // The closing reaches the driver within some turns of the event loop: a query is queued in each of them.
    const asked: Promise<unknown>[] = []
    line.set("open")
    for (let turn = 0; turn < 12; turn += 1) {
      asked.push(Promise.allSettled([sql`select 1`]))
      await nextTurn()
    }
    await Promise.all(asked)
  }
  const responses = await Promise.all(Array.from({ length: 40 }, () => sql`select 1 as one`))
  assert.equal(responses.flat().length, 40)
})

test("a query to a server that is restarting is refused, not held, also on a connection with a running one", async (t) => {
  const database = await createTestDatabase()
  const line = await faultLine(t, database.url)
  const sql = connect(line.url, { max: 1 })
  t.after(async () => {
    line.set("open")
    await sql.end({ timeout: 1 })
    await database.drop()
  })
  await sql`select 1`
  line.set("frozen")
  const inHand = assert.rejects(async () => sql`select 1`)
  await nextTurn()
  line.set("starting")
  await inHand
  for (let round = 0; round < 3; round += 1)
    await assert.rejects(async () => sql`select 1`, { code: "57P03" })
  line.set("open")
  assert.equal((await sql`select 1`).length, 1)
})

test("a connection whose transaction could not be ended serves nobody else", async (t) => {
  const database = await createTestDatabase()
  const sql = connect(database.url, { max: 1 })
  t.after(async () => {
    await sql.end({ timeout: 1 })
    await database.drop()
  })
  const server = async (handle: Sql) =>
    (await handle<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid as number
  await sql.unsafe("create table deferred (id int unique deferrable initially deferred)")
  let used = 0
  const commitFails = sql.begin(async (tx) => {
    used = await server(tx)
    await tx`insert into deferred values (1), (1)`
  })
  await assert.rejects(commitFails, { code: "23505" })
  assert.notEqual(await server(sql), used)

  const rollbackFails = sql.begin(async (tx) => {
    used = await server(tx)
    await database.sql`select pg_terminate_backend(${used})`
    throw new Error("fails")
  })
  await assert.rejects(rollbackFails)
  assert.notEqual(await server(sql), used)
})

const patienceMilliseconds = 8_000

interface Step {
  line: LineState
  queries: number[]
  pauseMilliseconds: number
}

const days: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    line: fc.constantFrom<LineState>("open", "cut", "starting", "full", "frozen"),
    /** Turns of the event loop before each query. */
    queries: fc.array(fc.nat(3), { maxLength: 4 }),
    pauseMilliseconds: fc.constantFrom(0, 0, 5, 15),
  }),
  { minLength: 4, maxLength: 12 },
)

test("whatever the line to the database does, each query is answered or refused, and all is well afterwards", async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const line = await faultLine(t, database.url)
  const livesThrough = async (steps: readonly Step[]) => {
    const sql = connect(line.url, { max: 2 })
    const asked: Promise<unknown>[] = []
    for (const step of steps) {
      line.set(step.line)
      for (const turns of step.queries) {
        for (let turn = 0; turn < turns; turn += 1) await nextTurn()
        asked.push(Promise.allSettled([sql`select 1`]))
      }
      if (step.pauseMilliseconds > 0) await pause(step.pauseMilliseconds)
    }
    line.set("cut")
    asked.push(Promise.allSettled([sql`select 1`]))
    const isSettled = await Promise.race([
      Promise.all(asked).then(() => true),
      pause(patienceMilliseconds, false, { ref: false }),
    ])
    line.set("open")
    const isWell = isSettled && (await sql`select 1 as one`).length === 1
    await sql.end({ timeout: 0 })
    return isWell
  }
  const numRuns = process.env.FIELDWAY_LONG ? 200 : 3
  await fc.assert(fc.asyncProperty(days, livesThrough), { numRuns, endOnFailure: true })
})
