import assert from "node:assert/strict"
import { test } from "node:test"
import { createTestDatabase } from "#testing/test-database.ts"
import {
  afterCommit,
  connect,
  inTransaction,
  type Pool,
  type Tx,
  withRollback,
} from "../database/database.ts"

test("values arrive as they were sent, each as the type that the statement asks for", async (t) => {
  const { sql, drop } = await createTestDatabase()
  t.after(drop)
  const instant = Temporal.Instant.from("2031-05-04T03:02:01.123456Z")
  const tricky = 'a "quoted", {braced} \\ back\tslash\nline é 漢 🚚 NULL'
  for (let run = 0; run < 2; run += 1) {
    const [row] = await sql`
      select ${tricky}::text as some_text, ${12}::int as number, ${2 ** 53 - 1}::bigint as big_number, ${1.5}::float8 as part,
        ${"12.50"}::numeric as exact, ${true} as is_true, ${false}::boolean as is_false, ${null}::text as nothing,
        ${undefined}::int as unset, ${instant}::timestamptz as at, ${"2031-05-04"}::date as day, ${Buffer.from([0, 255])}::bytea as bytes,
        ${sql.json({ a: [1, null, tricky] })}::jsonb as document, ${sql.json("text")} as json_text,
        ${["a", tricky, "", "null", null]}::text[] as texts, ${[1, null, 3]}::int[] as numbers, ${[]}::text[] as none,
        ${[
          [1, 2],
          [3, 4],
        ]}::int[] as grid, ${[true, false]}::boolean[] as switches, ${[instant]}::timestamptz[] as instants,
        '[0:1]={7,8}'::bigint[] as bounded, array['{"a": "}"}']::jsonb[] as documents`
    assert.deepEqual(
      { ...row, at: String(row?.at), instants: (row?.instants as unknown[] | undefined)?.map(String) },
      {
        someText: tricky,
        number: 12,
        bigNumber: 2 ** 53 - 1,
        part: 1.5,
        exact: "12.50",
        isTrue: true,
        isFalse: false,
        nothing: null,
        unset: null,
        at: String(instant),
        day: "2031-05-04",
        bytes: Buffer.from([0, 255]),
        document: { a: [1, null, tricky] },
        jsonText: "text",
        texts: ["a", tricky, "", "null", null],
        numbers: [1, null, 3],
        none: [],
        grid: [
          [1, 2],
          [3, 4],
        ],
        switches: [true, false],
        instants: [String(instant)],
        bounded: [7, 8],
        documents: [{ a: "}" }],
      },
    )
  }
})

test("fragments, names and rows make one statement; a name or value never becomes SQL", async (t) => {
  const { sql, drop } = await createTestDatabase()
  t.after(drop)
  await sql.unsafe(
    'create table "odd""name" (some_key text primary key, how_many int, content jsonb); select 1',
  )
  const table = sql('odd"name')
  const added = await sql`insert into ${table} ${sql([
    { someKey: "a'b", howMany: 1, content: sql.json([1]) },
    { someKey: "c", howMany: undefined, content: null },
  ])}`
  assert.equal(added.count, 2)
  await sql`update ${table} set ${sql({ howMany: 5, content: sql.json({ x: 1 }) })} where some_key = ${"c"}`
  const conditions = [sql`and how_many > ${1}`, sql`and content is not null`]
  const found =
    await sql`select some_key, how_many from ${table} where true ${conditions} order by ${sql("someKey")}`
  assert.deepEqual([...found], [{ someKey: "c", howMany: 5 }])
  assert.equal(found.count, 1)
  const [once] = await sql.unsafe<{ sum: number }[]>("select $1::int + $2::int as sum", [1, 2])
  assert.equal(once?.sum, 3)
})

test("a transaction in which a statement failed never commits, a savepoint confines the failure", async (t) => {
  const { sql, drop } = await createTestDatabase()
  t.after(drop)
  await sql`create table kept (n int primary key)`
  const insert = (n: number) => sql.begin((tx) => tx`insert into kept values (${n})`)
  await insert(1)
  await assert.rejects(insert(1), { code: "23505" })
  const swallowed = sql.begin(async (tx) => {
    await tx`insert into kept values (2)`
    await tx`insert into kept values (1)`.catch(() => undefined)
  })
  await assert.rejects(swallowed, { code: "23505" })
  await sql.begin(async (tx) => {
    await tx`insert into kept values (3)`
    await tx.savepoint((inner) => inner`insert into kept values (1)`).catch(() => undefined)
    await tx`insert into kept values (4)`
  })
  const rows = await sql<{ n: number }[]>`select n from kept order by n`
  assert.deepEqual(
    rows.map(({ n }) => n),
    [1, 3, 4],
  )
  await assert.rejects(
    Promise.resolve(sql`select 1 / ${0}::int`),
    (error: Error) => /division by zero/.test(error.message) && Boolean(error.stack?.includes("sql.test")),
  )
})

test("work that goes on when its transaction or savepoint has failed writes nothing", async (t) => {
  const { sql, drop } = await createTestDatabase()
  t.after(drop)
  await sql`create table late (id int)`
  const fails = async (outer: Pool | Tx) => {
    const failed = Promise.withResolvers<void>()
    let late: Promise<unknown> | undefined
    const work = (tx: Tx) => {
      late = failed.promise.then(() => tx`insert into late values (1)`)
      return Promise.all([late, tx`select 1 / 0`])
    }
    await assert.rejects(inTransaction(outer, work), /division by zero/)
    failed.resolve()
    await assert.rejects(Promise.resolve(late), /division by zero/)
  }
  await fails(sql)
  await inTransaction(sql, fails)
  assert.equal((await sql`select from late`).length, 0)
})

test("statements survive a changed table and eviction by the server, many share few connections", async (t) => {
  const database = await createTestDatabase()
  const sql = connect(database.url, { max: 2 })
  t.after(async () => {
    await sql.end({ timeout: 1 })
    await database.drop()
  })
  await sql`create table shapes (a int)`
  await sql`insert into shapes values (1)`
  const read = () => sql`select * from shapes where a = ${1}`
  await read()
  await sql`alter table shapes add column b text default 'new'`
  assert.deepEqual([...(await read())], [{ a: 1, b: "new" }])
  await Promise.all([sql`deallocate all`, sql`deallocate all`])
  assert.equal((await read()).length, 1)
  const many = await Promise.all(
    Array.from({ length: 500 }, (_unused, n) => sql<{ n: number }[]>`select ${n}::int as n`),
  )
  assert.deepEqual(
    many.map(([row]) => row?.n),
    Array.from({ length: 500 }, (_unused, n) => n),
  )
  const mixed = await Promise.allSettled(
    Array.from({ length: 60 }, (_unused, n) => Promise.resolve(sql`select 1 / (${n}::int % 3)`)),
  )
  assert.equal(mixed.filter(({ status }) => status === "rejected").length, 20)
})

test("a listener reconnects after a lost connection and calls onListen", async (t) => {
  const { sql, drop } = await createTestDatabase()
  t.after(drop)
  const received: string[] = []
  let again = Promise.withResolvers<void>()
  let notified = Promise.withResolvers<void>()
  const listening = await sql.listen(
    "some_channel",
    (payload) => {
      received.push(payload)
      notified.resolve()
    },
    () => again.resolve(),
  )
  await again.promise
  await sql.notify("some_channel", "one")
  await notified.promise
  again = Promise.withResolvers()
  notified = Promise.withResolvers()
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'`
  await again.promise
  await sql.notify("some_channel", "two")
  await notified.promise
  assert.deepEqual(received, ["one", "two"])
  await listening.unlisten()
})

test("withRollback returns the result, leaves no row behind and passes errors on", async (t) => {
  const { sql, drop } = await createTestDatabase()
  t.after(drop)
  await sql`create table visits (id int primary key)`
  let commits = 0
  const insert = (tx: Tx) => {
    afterCommit(tx, () => (commits += 1))
    return tx<{ id: number }[]>`insert into visits values (1) returning id`
  }
  assert.deepEqual([...(await withRollback(sql, insert))], [{ id: 1 }])
  await inTransaction(sql, async (tx) => {
    await withRollback(tx, insert)
    await tx`insert into visits values (2)`
  })
  assert.deepEqual([...(await sql`select id from visits`)], [{ id: 2 }])
  assert.equal(commits, 0)
  await assert.rejects(
    withRollback(sql, (tx) => tx`insert into visits values (2)`),
    { code: "23505" },
  )
})

test("a new statement that follows one without parameters is sent with its own parameter types", async (t) => {
  const database = await createTestDatabase()
  t.after(database.drop)
  const sql = connect(database.url, { max: 1 })
  t.after(() => sql.end())
  const bytes = Buffer.from([0, 200, 255])
  const [, typed] = await Promise.all([
    sql`select 1 as first_statement`,
    sql<{ bytes: Buffer; document: unknown }[]>`
      select ${bytes}::bytea as bytes, ${sql.json({ a: 1 })}::jsonb as document`,
  ])
  assert.deepEqual({ ...typed[0] }, { bytes, document: { a: 1 } })
})
