import assert from "node:assert/strict"
import { test } from "node:test"
import { systemCaller } from "#core/access/system-caller.ts"
import type { RowChange } from "#core/audit-trail/audited-object.ts"
import { inTransaction, type Pool } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { anOrganization, type Organization } from "#samples/builders.ts"
import { createTestDatabase } from "#testing/test-database.ts"
import { bookUse, type Holder, move, type NewMovement, undoMovement } from "./levels.ts"

const holders: Holder[] = [
  { kind: "hub", id: "b".repeat(24), hubId: "b".repeat(24) },
  { kind: "vehicle", id: "a".repeat(24), hubId: "b".repeat(24) },
  { kind: "vehicle", id: "c".repeat(24), hubId: "b".repeat(24) },
]
const [hub, van, other] = holders as [Holder, Holder, Holder]

async function anItem(sql: Pool, org: Organization): Promise<string> {
  const id = newId()
  await sql`
    insert into stock_items (organization_id, id, code, name, created_time, updated_time) values (${org.id}, ${id}, ${id}, 'Filter', now(), now())`
  return id
}

async function aStock(sql: Pool, org: Organization) {
  const items = [await anItem(sql, org), await anItem(sql, org)]
  const [itemId = ""] = items
  const details = { note: null, by: "ada@fieldway.test", now: Temporal.Now.instant() }
  const book = (movement: Partial<NewMovement> & Pick<NewMovement, "kind" | "quantity">) =>
    inTransaction(sql, (tx) =>
      move(tx, org.id, { ...{ itemId, from: null, to: null }, ...details, ...movement }),
    )
  const levels = async (item = itemId) => {
    const rows = await sql<{ id: string; quantity: number }[]>`
      select holder_id as id, quantity::float8 as quantity from stock_levels where organization_id = ${org.id} and item_id = ${item}`
    return holders.map((holder) => rows.find(({ id }) => id === holder.id)?.quantity ?? 0)
  }
  const rowOf = async (id: string) => {
    const [row] = await sql<Record<string, unknown>[]>`
      select to_jsonb(m) as row from stock_movements m where organization_id = ${org.id} and id = ${id}`
    return row?.row as Record<string, unknown>
  }
  const undo = async (id: string, plan: RowChange["plan"] = "remove") => {
    const row = await rowOf(id)
    const caller = systemCaller(org.id, { email: "", name: "" })
    return inTransaction(sql, (tx) => undoMovement({ tx, caller, plan, row, live: undefined as never }))
  }
  const use = async (taskId: string, quantity: number, from: Holder | null) => {
    await inTransaction(sql, (tx) => bookUse(tx, org.id, taskId, { ...details, itemId, from, quantity }))
    const rows = await sql<{ quantity: number; missing: number }[]>`
      select quantity::float8 as quantity, missing::float8 as missing from stock_movements
      where organization_id = ${org.id} and task_id = ${taskId}`
    return rows.map(({ quantity, missing }) => [quantity, missing])
  }
  return { items, book, levels, rowOf, undo, use }
}

test("levels are the sum of what was moved, counted, used and undone, for each item and holder", async (t) => {
  const { sql, drop } = await createTestDatabase()
  t.after(drop)
  const org = await anOrganization(sql)
  const { items, book, levels, rowOf, undo, use } = await aStock(sql, org)
  const stranger = await aStock(sql, await anOrganization(sql))
  await stranger.book({ kind: "receipt", quantity: 70, to: hub })
  await book({ kind: "receipt", quantity: 9, to: hub, itemId: items[1] ?? "" })
  const received = await book({ kind: "receipt", quantity: 10.5, to: hub })
  const moved = await book({ kind: "transfer", quantity: 4, from: hub, to: van })
  await book({ kind: "transfer", quantity: 1.5, from: van, to: other })
  assert.deepEqual(await levels(), [6.5, 2.5, 1.5])
  await assert.rejects(book({ kind: "issue", quantity: 2.501, from: van }), /There are only 2.5 in stock/)
  await book({ kind: "issue", quantity: 2.5, from: van })
  assert.deepEqual(await levels(), [6.5, 0, 1.5])
  await assert.rejects(undo(moved), /There are only 0 in stock/)
  const fewer = await book({ kind: "count", quantity: 5, to: hub })
  const same = await book({ kind: "count", quantity: 5, to: hub })
  const more = await book({ kind: "count", quantity: 4, to: van })
  assert.deepEqual(await levels(), [5, 4, 1.5])
  const counted = async (id: string) => {
    const { from_id, to_id, quantity, counted: found, missing, audit_hub_id } = await rowOf(id)
    assert.deepEqual([missing, audit_hub_id], [0, hub.id])
    return [from_id, to_id, quantity, found]
  }
  assert.deepEqual(await counted(fewer), [hub.id, null, 1.5, 5])
  assert.deepEqual(await counted(same), [null, hub.id, 0, 5])
  assert.deepEqual(await counted(more), [null, van.id, 4, 4])
  await undo(fewer)
  await undo(moved)
  assert.deepEqual(await levels(), [10.5, 0, 1.5])
  await undo(moved, "restore")
  assert.deepEqual(await levels(), [6.5, 4, 1.5])
  await assert.rejects(undo(received), /There are only 6.5 in stock/)
  assert.deepEqual(await use("t1", 3, van), [[3, 0]])
  assert.deepEqual(await use("t1", 3, van), [[3, 0]], "once for each task")
  assert.deepEqual(await use("t2", 3, van), [[1, 2]])
  assert.deepEqual(await use("t3", 3, null), [[0, 3]])
  assert.deepEqual(await use("t4", 3, van), [[0, 3]])
  assert.deepEqual(await use("t1", 3, van), [[3, 0]], "as it was booked, whatever was booked since")
  assert.deepEqual(await levels(), [6.5, 0, 1.5])
  const [used] = await sql<{ id: string }[]>`select id from stock_movements where task_id = 't1'`
  await assert.rejects(undo(used?.id ?? ""), /booked with finished work/)
  assert.deepEqual(await levels(items[1]), [9, 0, 0])
  assert.deepEqual(await stranger.levels(), [70, 0, 0])
})

test("opposite transfers at the same time all end", async (t) => {
  const { sql, drop } = await createTestDatabase()
  t.after(drop)
  const { book, levels } = await aStock(sql, await anOrganization(sql))
  for (const to of holders) await book({ kind: "receipt", quantity: 50, to })
  const pairs = [
    { from: van, to: other },
    { from: other, to: van },
    { from: van, to: hub },
    { from: hub, to: van },
  ]
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      book({ kind: "transfer", quantity: 1, ...(pairs[index % pairs.length] as (typeof pairs)[0]) }),
    ),
  )
  assert.deepEqual(await levels(), [50, 50, 50])
})
