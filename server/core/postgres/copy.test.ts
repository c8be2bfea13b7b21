import assert from "node:assert/strict"
import { Readable, Transform, Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { faultLine } from "#testing/services/fault-line.ts"
import { createTestDatabase } from "#testing/test-database.ts"
import { connect, copyInto, copyOut, type Pool, type Tx } from "../database/database.ts"
import { copyPatience } from "./copy.ts"
import { ConnectionError } from "./errors.ts"

const isLong = Boolean(process.env.FIELDWAY_LONG)
/** Of 200 bytes: some 4 MB, or 100 MB. */
const rowCount = isLong ? 500_000 : 20_000
const wide = `select n, repeat(md5(n::text), 6) as text from generate_series(1, ${rowCount}) n`

async function bytesOf(stream: Readable): Promise<number> {
  let bytes = 0
  for await (const chunk of stream) bytes += (chunk as Buffer).length
  return bytes
}

async function expectedBytes(sql: Pool): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select sum(length(n::text) + 1 + 192 + 1)::bigint as bytes from generate_series(1, ${rowCount}::int) n`
  return row?.bytes ?? 0
}

test("a copy gives every byte, to a slow reader too, and the transaction goes on after it", async (t) => {
  const { sql, drop } = await createTestDatabase()
  t.after(drop)
  const expected = await expectedBytes(sql)
  await sql.begin(async (tx) => {
    for (const rounds of [1, 40]) {
      let count = 0
      const slow = new Transform({
        highWaterMark: 16_384,
        transform(chunk, _encoding, done) {
          count += 1
          if (count < rounds) setTimeout(done, 2, null, chunk)
          else done(null, chunk)
        },
      })
      const reading = copyOut(tx, `copy (${wide}) to stdout`).pipe(slow)
      // What is asked meanwhile waits its turn.
      const [bytes, rows] = await Promise.all([bytesOf(reading), tx`select 1 as one`])
      assert.deepEqual([bytes, rows.length], [expected, 1])
    }
    assert.equal(await bytesOf(copyOut(tx, "copy (select 1 where false) to stdout")), 0)
  })
})

test("a copy that the server refuses says why, before, during and after the rows", async (t) => {
  const { sql, drop } = await createTestDatabase()
  t.after(drop)
  await sql`create table numbers (n int primary key, unique (n) deferrable)`
  const lines = (list: readonly (number | string)[]) =>
    Readable.from(list.map((line) => Buffer.from(`${line}\n`)))
  const load = (rows: readonly (number | string)[], table = "numbers") =>
    sql.begin((tx) => pipeline(lines(rows), copyInto(tx, `copy ${table} from stdin`)))
  await assert.rejects(load([1], "nowhere"), /nowhere.* does not exist/)
  await assert.rejects(load(["one"]), /invalid input syntax/)
  await assert.rejects(
    load([...Array(50_000).keys(), "one", ...Array(50_000).keys()]),
    /invalid input syntax/,
  )
  await assert.rejects(load([1, 2, 1]), { code: "23505" })
  await assert.rejects(
    sql.begin((tx) =>
      bytesOf(copyOut(tx, "copy (select 1 / (5000 - n) from generate_series(1, 9000) n) to stdout")),
    ),
    /division by zero/,
  )
  await load([1, 2, 3])
  assert.equal((await sql`select from numbers`).length, 3)
  const torn = async function* () {
    yield Buffer.from("4\n")
    throw new Error("the file is torn")
  }
  await assert.rejects(
    sql.begin((tx) => pipeline(Readable.from(torn()), copyInto(tx, "copy numbers from stdin"))),
    /the file is torn/,
  )
  assert.equal((await sql`select from numbers`).length, 3)
})

/** Runs `work` on a pool of its own behind a line, which `spoil` gets; returns the error and how long it took. */
async function failureOf(
  t: Parameters<typeof faultLine>[0],
  work: (tx: Tx, spoil: (state: "cut" | "frozen") => void) => Promise<unknown>,
): Promise<{ error: Error; milliseconds: number }> {
  const database = await createTestDatabase()
  const line = await faultLine(t, database.url)
  await database.sql.unsafe("create table copied (n int, text text)")
  const sql = connect(line.url, { max: 1, statementTimeoutMilliseconds: 0 })
  let spoiledAt = 0
  try {
    const error = await sql
      .begin((tx) =>
        work(tx, (state) => {
          spoiledAt = performance.now()
          line.set(state)
        }),
      )
      .then(
        () => new Error("it succeeded"),
        (reason: Error) => reason,
      )
    line.set("open")
    assert.equal((await sql`select 1`).length, 1, "the pool is well afterwards")
    return { error, milliseconds: performance.now() - spoiledAt }
  } finally {
    line.set("open")
    await sql.end({ timeout: 1 })
    await database.drop()
  }
}

const half = (total: number, then: () => void) => {
  let bytes = 0
  let isDone = false
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > total && !isDone) {
        isDone = true
        then()
      }
      done(null, chunk)
    },
  })
}

const dropped = () => new Writable({ write: (_chunk, _encoding, done) => done() })
const rows = function* () {
  for (let n = 0; n < rowCount; n += 100)
    yield Buffer.from(
      Array.from({ length: 100 }, (_unused, index) => `${n + index}\t${"x".repeat(192)}\n`).join(""),
    )
}

for (const state of ["cut", "frozen"] as const)
  test(`a copy in whose middle the line is ${state} fails soon, whichever way it goes`, async (t) => {
    const patience = copyPatience.milliseconds
    copyPatience.milliseconds = 400
    t.after(() => {
      copyPatience.milliseconds = patience
    })
    // Without end: what is on its way already could be all the rest of a small copy.
    const endless = "select generate_series(1, 1000000000), repeat(md5(random()::text), 6)"
    const out = await failureOf(t, (tx, spoil) =>
      pipeline(
        copyOut(tx, `copy (${endless}) to stdout`),
        half(rowCount * 60, () => spoil(state)),
        dropped(),
      ),
    )
    const into = await failureOf(t, (tx, spoil) =>
      pipeline(
        Readable.from(rows()),
        half(rowCount * 60, () => spoil(state)),
        copyInto(tx, "copy copied from stdin"),
      ),
    )
    for (const { error, milliseconds } of [out, into]) {
      assert.ok(error instanceof ConnectionError, String(error.stack))
      assert.ok(milliseconds < 5_000, `${milliseconds} ms`)
    }
  })

test("a copy whose reader leaves ends with its transaction, and holds nothing", async (t) => {
  const { error } = await failureOf(t, async (tx) => {
    const stream = copyOut(tx, `copy (${wide}) to stdout`)
    for await (const _chunk of stream) break
    await pause(1)
    await tx`select 1`
  })
  assert.ok(error instanceof ConnectionError)
})
