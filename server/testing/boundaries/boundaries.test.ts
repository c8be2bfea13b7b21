import assert from "node:assert/strict"
import { test } from "node:test"
import { tableOwners } from "../../table-owners.ts"
import { added, lowered, measureBoundaries, readKnown, readTables } from "./measure.ts"
import { sqlTemplates, tablesOf } from "./sql-templates.ts"

const [known, found] = await Promise.all([readKnown(), measureBoundaries()])

test("every table has one owner", async () => {
  assert.deepEqual(Object.values(tableOwners).flat().toSorted(), (await readTables()).toSorted())
})

test("a feature writes only its own tables", () => {
  assert.deepEqual(added(known, found, "foreignWrites"), [])
})

test("a feature reads only its own tables", () => {
  assert.deepEqual(added(known, found, "foreignReads"), [])
})

test("routes contain no SQL", () => {
  assert.deepEqual(added(known, found, "sqlInRoutes"), [])
})

test("a breach that was removed leaves the list, and a new one does not enter it", () => {
  const breaches = (number: number) => ({ sqlInRoutes: { a: number }, foreignWrites: {}, foreignReads: {} })
  assert.deepEqual(JSON.parse(lowered(breaches(2), breaches(1))).sqlInRoutes, { a: 1 })
  assert.deepEqual(JSON.parse(lowered(breaches(2), breaches(3))).sqlInRoutes, { a: 2 })
  assert.deepEqual(JSON.parse(lowered(breaches(2), breaches(0))).sqlInRoutes, {})
  assert.deepEqual(added(breaches(2), breaches(3), "sqlInRoutes"), ["a (3, known 2)"])
})

test("SQL is found in tagged templates, also inside others", () => {
  const source =
    "const a = sql<{ a: 1 }[]>`select $" +
    "{x ? sql`(select 1 from hubs)` : 1} from tasks` // sql`from no`\nconst b = /`/\ntx`delete from x`"
  assert.deepEqual(sqlTemplates(source), [
    { text: "select $ from tasks", line: 1 },
    { text: "(select 1 from hubs)", line: 1 },
    { text: "delete from x", line: 3 },
  ])
})

test("tables are distinguished from names of expressions, of other clauses and of columns", () => {
  const tables = new Set(["hubs", "tasks", "users", "roles", "trash"])
  const uses = (sql: string) =>
    tablesOf(sql, tables).map(({ table, isWrite }) => `${isWrite ? "writes" : "reads"} ${table}`)
  assert.deepEqual(uses("select tasks from hubs h, users as u left join roles on true").toSorted(), [
    "reads hubs",
    "reads hubs",
    "reads roles",
    "reads users",
  ])
  assert.deepEqual(
    uses("with hubs as (delete from tasks returning 1) insert into trash select * from hubs"),
    ["writes tasks", "writes trash"],
  )
  assert.deepEqual(uses("update users set a = 1 from roles -- from hubs"), ["writes users", "reads roles"])
  assert.deepEqual(uses("select 1 from users where a is distinct from tasks.a for update"), ["reads users"])
  assert.deepEqual(uses("select 'from hubs'"), [])
})
