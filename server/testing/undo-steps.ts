import assert from "node:assert/strict"
import type { Organization } from "#samples/builders.ts"
import type { Calls, Reply, TestApp } from "./test-app.ts"

export interface Step {
  name: string
  /** What must be there first. */
  prepare?(): Promise<unknown>
  /** The tables that it changes. */
  tables: readonly string[]
  act(): Promise<Reply>
  /** What it changes besides. */
  look?(): Promise<unknown>
  /** Those that do not follow when it is done again: nobody is notified twice. */
  once?: readonly string[]
  /** Its row stays, revoked. */
  isFinal?: true
  /** Its undoing changes nothing that the audit trail notes. */
  isUndoneOnce?: true
}

/** Everything in some tables, without what every change sets, and secrets that are resealed. */
async function contentOf({ sql }: TestApp, org: Organization, tables: readonly string[]) {
  const rows = await Promise.all(
    tables.map(
      (table) => sql<{ row: Record<string, unknown> }[]>`
        select to_jsonb(t) - '{updated_time,updated_by,read_time,last_time,secrets}'::text[] as row from ${sql(table)} t
        where organization_id = ${org.id} order by to_jsonb(t)::text`,
    ),
  )
  return rows.map((of) => of.map(({ row }) => row))
}

/** Does each step, undoes it, and does it again; what it changed is compared. */
export async function walk(server: TestApp, org: Organization, steps: readonly Step[]): Promise<void> {
  const owner = server.as(org.owner)
  const undo = async (name: string, actionId: unknown) => {
    const reply = await owner.post(`/action/${String(actionId)}/undo`)
    assert.equal(reply.statusCode, 200, `${name}: ${reply.body}`)
    assert.deepEqual(reply.json().data.leftAlone, [], name)
    assert.ok(reply.json().data.done > 0, `${name}: nothing was undone`)
    return reply.headers["x-action-id"]
  }
  for (const { name, prepare, tables, once = [], act, look, isFinal, isUndoneOnce } of steps) {
    await prepare?.()
    const seen = await look?.()
    const before = await contentOf(server, org, [...tables, ...once])
    const reply = await act()
    assert.ok(reply.statusCode < 300, `${name}: ${reply.body}`)
    const after = await contentOf(server, org, [...tables, ...once])
    for (const [index, content] of after.entries()) assert.notDeepEqual(content, before[index], name)
    const changed = await look?.()
    if (look) assert.notEqual(changed, seen, name)
    const undone = await undo(name, reply.headers["x-action-id"])
    if (isFinal) continue
    assert.deepEqual(await contentOf(server, org, [...tables, ...once]), before, name)
    assert.equal(await look?.(), seen, name)
    if (isUndoneOnce) continue
    await undo(`${name}, again`, undone)
    assert.deepEqual(await contentOf(server, org, tables), after.slice(0, tables.length), `${name}, again`)
    assert.equal(await look?.(), changed, `${name}, again`)
  }
}

/** Calls that use what an earlier one made. */
export function callsOf(me: Calls) {
  const made = new Map<string, string>()
  const create = async (path: string, body: object): Promise<Reply> => {
    const reply = await me.post(path, body)
    const json = reply.json()
    const { _id } = json.data ?? json.template ?? {}
    made.set(path, String(_id))
    return reply
  }
  return {
    create,
    of: (path: string) => `${path}/${made.get(path)}`,
    id: (path: string) => made.get(path) ?? "",
  }
}
