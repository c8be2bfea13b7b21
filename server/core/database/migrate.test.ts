import assert from "node:assert/strict"
import { test } from "node:test"
import { connect } from "#core/database/database.ts"
import { createTestDatabase, databaseUrl } from "#testing/test-database.ts"
import { migrate, readMigrations } from "./migrate.ts"

test("two nodes that start at once on an empty database migrate it once", async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  await database.sql.unsafe("create database empty_one")
  const url = databaseUrl(database.url, "empty_one")
  const nodes = [connect(url, { max: 2 }), connect(url, { max: 2 })]
  const outcomes = await Promise.all(nodes.map((sql) => migrate(sql)))
  const count = (await readMigrations()).length
  assert.deepEqual(
    outcomes.map((outcome) => outcome.applied.length).sort((a, b) => a - b),
    [0, count],
  )

  const [sql] = nodes
  // A file that was put into another order with the same outcome is taken for the one that was applied.
  const applied = async () => sql?.unsafe("select checksum from schema_migrations where name like '0280%'")
  const before = await applied()
  await sql?.unsafe(
    "update schema_migrations set checksum = 'dcd052a1cfb871aab167cf0a31b916f51e5e84963a68fb1a979a3843bbc8a31b' where name like '0280%'",
  )
  if (sql) assert.deepEqual((await migrate(sql)).applied, [])
  assert.deepEqual(await applied(), before)
  await sql?.unsafe("update schema_migrations set checksum = 'other' where name like '0001%'")
  if (sql) await assert.rejects(migrate(sql), /was changed after it had been applied/)
  await sql?.unsafe("update schema_migrations set name = '9999-later.sql' where name like '0001%'")
  if (sql) await assert.rejects(migrate(sql), /Start a newer version/)
  await Promise.all(nodes.map((node) => node.end()))
  await database.sql.unsafe("drop database empty_one")
})
