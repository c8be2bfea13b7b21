import type { Sql } from "../database/database.ts"
import type { Columns } from "./audited-object.ts"

/** An object that an action changed. */
export interface ActionObject {
  objectType: string
  objectId: string
  objectName: string | null
  /** Of its last change by the action. */
  lastNumber: number
  parts: { change: "create" | "update" | "delete"; before: Columns | null; after: Columns | null }[]
  /** Whether something else has changed it since, and was not undone. */
  isChangedSince: boolean
}

type ObjectRow = Omit<ActionObject, "isChangedSince"> & { later: LaterEntry[] | null }

interface LaterEntry {
  id: string
  /** The entry that it undoes. */
  undoes: string | null
}

/** Later entries of an object are read up to here; who changes one more often leaves it changed. */
const maxLater = 200

/**
 * The objects of an action, the last changed first, from a number down. Those that an undo of the action has already
 * changed back are left out, so that a large undo goes on where it stopped.
 */
export async function listActionObjects(
  sql: Sql,
  organizationId: string,
  actionId: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<ActionObject[]> {
  const rows = await sql<ObjectRow[]>`
    select objects.*, later.entries as later from (
      select object_type, object_id, max(object_name) as object_name, max(number) as last_number,
        json_agg(json_build_object('change', change, 'before', before, 'after', after) order by number) as parts
      from audit_parts where organization_id = ${organizationId} and entry_id = ${actionId}
      group by object_type, object_id
    ) objects
    left join lateral (
      select json_agg(json_build_object('id', entry_id, 'undoes', undoes) order by last desc) as entries from (
        select part.entry_id, entry.details ->> 'undoes' as undoes, max(part.number) as last from audit_parts part
        left join audit_log entry on entry.organization_id = part.organization_id and entry.id = part.entry_id
        where part.organization_id = ${organizationId} and part.object_id = objects.object_id
          and part.object_type = objects.object_type and part.number > objects.last_number
        group by part.entry_id, entry.details ->> 'undoes' order by last desc limit ${maxLater}
      ) changes
    ) later on true
    where (later.entries -> 0 ->> 'undoes') is distinct from ${actionId}
      ${before === undefined ? sql`` : sql`and last_number < ${before}`}
    order by last_number desc limit ${limit}`
  return rows.map(({ later, ...object }) => ({ ...object, isChangedSince: isChanged(later ?? []) }))
}

/** Whether anything remains of changes, the newest first, once those that were undone are left out with what undid them. */
function isChanged(later: readonly LaterEntry[]): boolean {
  const known = new Set(later.map(({ id }) => id))
  const undone = new Set<string>()
  for (const { id, undoes } of later) {
    if (undone.has(id)) continue
    if (undoes === null || !known.has(undoes)) return true
    undone.add(undoes)
  }
  return later.length >= maxLater
}

/** The rows of objects as they are, by id. */
export async function readRows(
  sql: Sql,
  { table, idColumn = "id" }: { table: string; idColumn?: string },
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, Columns>> {
  // The row of the organization itself is found by its id.
  const own = table === "organizations" ? sql`id` : sql`organization_id`
  const rows = await sql<{ id: string; row: Columns }[]>`
    select ${sql(idColumn)} as id, to_jsonb(t) as row from ${sql(table)} t
    where ${own} = ${organizationId} and ${sql(idColumn)} = any (${ids as string[]})`
  return new Map(rows.map(({ id, row }) => [id, row]))
}

/** Which of these entries changed an object of these types. */
export async function findEntriesOf(
  sql: Sql,
  organizationId: string,
  entryIds: readonly string[],
  types: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from unnest(${entryIds as string[]}::text[]) id where exists (
      select from audit_parts where organization_id = ${organizationId} and entry_id = id and object_type = any (${types as string[]}))`
  return new Set(rows.map(({ id }) => id))
}

/** Which of these entries have been undone, and by which entry. Undoing is possible for minutes, so only the newest are read. */
export async function findUndone(
  sql: Sql,
  organizationId: string,
  since: Temporal.Instant,
): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; undoes: string }[]>`
    select id, details ->> 'undoes' as undoes from audit_log
    where organization_id = ${organizationId} and time >= ${since} and details ? 'undoes'`
  return new Map(rows.map(({ id, undoes }) => [undoes, id]))
}
