import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { locationErrors } from "../errors.ts"
import { keptSince } from "../settings.ts"
import { isVisible, visiblePeople } from "../sharing/visible-people.ts"
import { findPersonNumbers, seesOthers, tenantOf } from "../store/people.ts"
import { parseRecordId } from "./record-id.ts"
import { completeRecords, pointColumns, type RecordRow, sessionColumns } from "./record-rows.ts"

/** A record that the caller may see, by its id. Undefined when it is not there, or of people out of their hubs. */
export async function findRecord(
  sql: Sql,
  caller: Caller,
  id: string,
  now: Temporal.Instant,
): Promise<RecordRow | undefined> {
  const row = await findAnyRecord(sql, caller, id, now)
  if (!row || isVisible(await visiblePeople(sql, caller), row.personNumber)) return row
  // 403 for callers who may only see themselves; 404 for people in hubs that the caller cannot access.
  if (!seesOthers(caller)) throw locationErrors.forbidden()
  return undefined
}

/** A record of anybody in the organization by its id: for one that the caller just wrote. */
export async function findAnyRecord(
  sql: Sql,
  caller: Caller,
  id: string,
  now: Temporal.Instant,
): Promise<RecordRow | undefined> {
  const parsed = parseRecordId(id)
  if (!parsed) return undefined
  if (parsed.kind === "point") return findPoint(sql, caller, parsed, now)
  const tenant = tenantOf(caller)
  const sessions = sql`select ${sessionColumns(sql)} from location_sessions s
    where s.organization_number = ${tenant.organizationNumber} and s.id = ${parsed.text}
      and s.recorded_at >= ${keptSince(sql, tenant, now)}`
  return one(sql, completeRecords(sql, tenant, sessions))
}

/**
 * Found by person and time of receipt; a point that changed hands by the id that it had. Most arrive within a day: looked
 * for there first, a few pages of the person's key, since months in the order of the key have no other way to it.
 */
async function findPoint(
  sql: Sql,
  caller: Caller,
  id: { organizationId: string; email: string; time: number; text: string },
  now: Temporal.Instant,
): Promise<RecordRow | undefined> {
  const tenant = tenantOf(caller)
  if (id.organizationId !== tenant.organizationId) return undefined
  const numbers = await findPersonNumbers(sql, tenant, id.email)
  const kept = keptSince(sql, tenant, now)
  const received = sql`to_timestamp(${id.time}::bigint / 1000.0)`
  const recordedAfter = (since: Fragment) =>
    one(
      sql,
      completeRecords(
        sql,
        tenant,
        // Nothing is taken that claims to be more than a day ahead: later partitions need no look.
        sql`select ${pointColumns(sql)} from location_points p
          where p.received_at = ${received} and p.organization_number = ${tenant.organizationNumber}
            and p.person_number = any (${numbers}) and p.recorded_at >= ${kept} and p.recorded_at >= ${since}
            and p.recorded_at <= ${received} + interval '25 hours' and not coalesce(p.extra ? 'id', false)`,
      ),
    )
  const found =
    numbers.length === 0
      ? undefined
      : ((await recordedAfter(sql`${received} - interval '1 day'`)) ??
        (await recordedAfter(sql`'-infinity'::timestamptz`)))
  return (
    found ??
    (await one(
      sql,
      completeRecords(
        sql,
        tenant,
        sql`select ${pointColumns(sql)} from location_points p
          where p.organization_number = ${tenant.organizationNumber} and p.extra ? 'id' and p.extra ->> 'id' = ${id.text}
            and p.recorded_at >= ${kept}`,
      ),
    ))
  )
}

async function one(sql: Sql, query: ReturnType<typeof completeRecords>): Promise<RecordRow | undefined> {
  const rows = await sql<RecordRow[]>`${query}`
  return rows[0]
}
