import assert from "node:assert/strict"
import { test } from "node:test"
import { connect } from "#core/database.ts"
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
  await sql?.unsafe("update schema_migrations set checksum = 'other' where name like '0001%'")
  if (sql) await assert.rejects(migrate(sql), /was changed after it had been applied/)
  await sql?.unsafe("update schema_migrations set name = '9999-later.sql' where name like '0001%'")
  if (sql) await assert.rejects(migrate(sql), /start a newer version/)
  await Promise.all(nodes.map((node) => node.end()))
  await database.sql.unsafe("drop database empty_one")
})
