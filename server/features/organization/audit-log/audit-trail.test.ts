import assert from "node:assert/strict"
import { test } from "node:test"
import { unauditedTables } from "#core/audit-trail/unaudited-tables.ts"
import { aHub, aTask } from "#samples/builders.ts"
import { testApp, testOrganization } from "#testing/test-app.ts"
import { tenantTables } from "../../../operate/archive/tenant-tables.ts"

test("every table of organizations is audited by triggers, or listed with the reason why not", async (t) => {
  const { sql } = await testApp(t)
  const triggers = await sql<{ name: string; count: number }[]>`
    select tgrelid::regclass::text as name, count(*)::int as count from pg_trigger
    where tgname in ('audit_insert', 'audit_update', 'audit_delete') group by 1`
  const audited = new Map(triggers.map(({ name, count }) => [name, count]))
  const missing = (await tenantTables(sql))
    .map(({ name }) => name)
    .filter((name) => (audited.get(name) === 3) === name in unauditedTables)
  assert.deepEqual(missing, [], "call audit_table in a migration, or add the table to unaudited-tables.ts")
})

test("a change by a person is one entry: who, how, which objects, before and after", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const tasks = [await aTask(sql, { org, hub }), await aTask(sql, { org, hub })]
  const owner = as(org.owner)
  await owner.expect(200).put("/tasks/bulk/assign", {
    tasks: tasks.map(({ id }) => ({ _id: id, assignee: [org.owner.email] })),
  })
  const [entry] = await sql<Record<string, unknown>[]>`
    select * from audit_log where organization_id = ${org.id} and operation = 'assignTasks'`
  assert.deepEqual(
    [entry?.actorEmail, entry?.actorId, entry?.actorKind, entry?.via, entry?.action, entry?.targetType],
    [org.owner.email, org.owner.id, "person", "api", "task.update", "task"],
  )
  const parts = await sql<
    { objectId: string; before: { assignee: string[] }; after: { assignee: string[] } }[]
  >`
    select object_id, before, after from audit_parts
    where organization_id = ${org.id} and entry_id = ${String(entry?.id)} order by number`
  assert.deepEqual(new Set(parts.map((part) => part.objectId)), new Set(tasks.map(({ id }) => id)))
  assert.deepEqual(parts[0]?.before.assignee, [])
  assert.deepEqual(parts[0]?.after.assignee, [org.owner.email])
})
