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
  /** Whether something else has changed it since. */
  isChangedSince: boolean
}

/**
 * The objects of an action, the last changed first, from a number down. Those that an undo of the action has already
 * changed back are left out, so that a large undo goes on where it stopped.
 */
export function listActionObjects(
  sql: Sql,
  organizationId: string,
  actionId: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<ActionObject[]> {
  return sql<ActionObject[]>`
    select objects.*, later.entry_id is not null as is_changed_since from (
      select object_type, object_id, max(object_name) as object_name, max(number) as last_number,
        json_agg(json_build_object('change', change, 'before', before, 'after', after) order by number) as parts
      from audit_parts where organization_id = ${organizationId} and entry_id = ${actionId}
      group by object_type, object_id
    ) objects
    left join lateral (
      select part.entry_id, entry.details ->> 'undoes' as undoes from audit_parts part
      left join audit_log entry on entry.organization_id = part.organization_id and entry.id = part.entry_id
      where part.organization_id = ${organizationId} and part.object_id = objects.object_id
        and part.object_type = objects.object_type and part.number > objects.last_number
      order by part.number desc limit 1
    ) later on true
    where later.undoes is distinct from ${actionId}
      ${before === undefined ? sql`` : sql`and last_number < ${before}`}
    order by last_number desc limit ${limit}`
}

/** The rows of objects as they are, by id. */
export async function readRows(
  sql: Sql,
  table: string,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, Columns>> {
  const rows = await sql<{ id: string; row: Columns }[]>`
    select id, to_jsonb(t) as row from ${sql(table)} t where organization_id = ${organizationId} and id = any (${ids as string[]})`
  return new Map(rows.map(({ id, row }) => [id, row]))
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
