import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { test } from "node:test"
import { connect, type Pool } from "#core/database/database.ts"
import { migrate, readMigrations, wasReplaced } from "#core/database/migrate.ts"
import { newId } from "#core/ids.ts"
import { createTestDatabase, databaseUrl } from "#testing/test-database.ts"

/** Rows that the old release left: the long run has the size of a large company. */
const isLong = Boolean(process.env.FIELDWAY_LONG)
const taskCount = isLong ? 1_000_000 : 2_000
const pointCount = isLong ? 10_000_000 : 5_000

/**
 * Columns that a release before this one still had and this one lacks. The old version may run until the last node is
 * replaced, so a column goes one release after the code stopped reading it; these went before the first release.
 */
const contracted = new Set(["plugins.is_used"])
/** Tables that went before the first release. */
const droppedTables = new Set(["data_record_words", "data_record_order", "data_word_changes", "import_keys"])

interface Column {
  table: string
  name: string
}

async function columnsOf(sql: Pool): Promise<Column[]> {
  return sql<Column[]>`
    select c.relname as table, a.attname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1, a.attnum`
}

/** What an organization of some years has, in the columns of the first release. */
async function fill(sql: Pool): Promise<string> {
  const [organizationId, hubId] = [newId(), newId()]
  await sql`insert into organizations (id, name) values (${organizationId}, 'Old hands')`
  await sql`insert into hubs (organization_id, id, name, address, lat, lng) values (${organizationId}, ${hubId}, 'Harbour', 'Quay 1', 1, 2)`
  await sql`
    insert into tasks (organization_id, id, hub_id, flow_id, flow, status, title, start_time, end_time, created_time,
      updated_time, created_from, order_index)
    select ${organizationId}, lpad(to_hex(n), 24, '0'), ${hubId}, ${newId()}, 'Visit', 'UNASSIGNED', 'Task ' || n, now(), now(),
      now() - n * interval '1 second', now(), 'API', n from generate_series(1, ${taskCount}::int) n`
  await sql`
    insert into location_points (recorded_at, received_at, lat, lng, organization_number, person_number, fingerprint)
    select now() - n * interval '1 second', now(), 1, 2, (select number from organizations where id = ${organizationId}), 1, n
    from generate_series(1, ${pointCount}::int) n`
  return organizationId
}

test("the schema of the first release, full of data, is brought to this version while people read", async (t) => {
  const host = await createTestDatabase()
  const name = `upgrade_${newId()}`
  await host.sql.unsafe(`create database ${name}`)
  const url = databaseUrl(host.url, name)
  const [sql, readers] = [connect(url, { max: 2, statementTimeoutMilliseconds: 0 }), connect(url, { max: 2 })]
  t.after(async () => {
    await Promise.all([sql.end({ timeout: 1 }), readers.end({ timeout: 1 })])
    await host.sql.unsafe(`drop database if exists ${name} with (force)`)
    await host.drop()
  })
  const [first = {}] = Object.values(await readReleases())
  await migrate(sql, new Set(Object.keys(first)))
  const before = await columnsOf(sql)
  const organizationId = await fill(sql)

  let isOver = false
  let reads = 0
  const reading = (async () => {
    while (!isOver) {
      const page = await readers`
        select id, title, status from tasks where organization_id = ${organizationId} order by created_time desc, id desc limit 20`
      assert.equal(page.length, 20)
      await readers`select lat, lng from location_points where person_number = 1 order by recorded_at desc limit 100`
      reads += 1
    }
  })()
  const { applied } = await migrate(sql)
  isOver = true
  await reading
  assert.equal(applied.length, (await readMigrations()).length - Object.keys(first).length)
  assert.ok(reads > 0)
  const [tasks] = await sql<{ count: number }[]>`select count(*) as count from tasks`
  const [points] = await sql<{ count: number }[]>`select count(*) as count from location_points`
  assert.deepEqual([tasks?.count, points?.count], [taskCount, pointCount])

  const after = new Set((await columnsOf(sql)).map((column) => `${column.table}.${column.name}`))
  const gone = before
    .filter((column) => !droppedTables.has(column.table))
    .map((column) => `${column.table}.${column.name}`)
    .filter((column) => !after.has(column) && !contracted.has(column))
  assert.deepEqual(gone, [], "nodes of the release before still read these: drop them one release later")
})

test("every migration of a release stays as it was, or is listed as replaced", async () => {
  const known = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]))
  for (const [release, migrations] of Object.entries(await readReleases()))
    assert.deepEqual(
      Object.entries(migrations).filter(
        ([name, checksum]) =>
          !known.has(name) || (known.get(name) !== checksum && !wasReplaced({ name, checksum })),
      ),
      [],
      release,
    )
})

/** The migrations of each release with their checksums. */
async function readReleases(): Promise<Record<string, Record<string, string>>> {
  return JSON.parse(await readFile("db/releases.json", "utf8"))
}
