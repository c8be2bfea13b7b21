import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database.ts"
import { findPersonNumbers, tenantOf } from "./people.ts"
import { parseRecordId } from "./record-id.ts"
import { completeRecords, pointColumns, type RecordRow, sessionColumns } from "./record-rows.ts"
import { keptSince } from "./settings.ts"
import { isVisible, visiblePeople } from "./visible-people.ts"

/** A record by its id, if the caller may see whose it is; `whose: "any"` for one that he just wrote. */
export async function findRecord(
  sql: Sql,
  caller: Caller,
  id: string,
  now: Temporal.Instant,
  whose: "visible" | "any" = "visible",
): Promise<RecordRow | undefined> {
  const parsed = parseRecordId(id)
  if (!parsed) return undefined
  const tenant = tenantOf(caller)
  const row =
    parsed.kind === "point"
      ? await findPoint(sql, caller, parsed, now)
      : await one(
          sql,
          completeRecords(
            sql,
            tenant,
            sql`select ${sessionColumns(sql)} from location_sessions s
              where s.organization_number = ${tenant.organizationNumber} and s.id = ${parsed.text}
                and s.recorded_at >= ${keptSince(sql, tenant, now)}`,
          ),
        )
  if (row && whose === "any") return row
  return row && isVisible(await visiblePeople(sql, caller), row.personNumber) ? row : undefined
}

/** Found by person and time of receipt; a point that changed hands by the id that it had. */
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
  const found =
    numbers.length === 0
      ? undefined
      : await one(
          sql,
          completeRecords(
            sql,
            tenant,
            // Nothing is taken that claims to be more than a day ahead: later partitions need no look.
            sql`select ${pointColumns(sql)} from location_points p
              where p.received_at = ${received} and p.organization_number = ${tenant.organizationNumber}
                and p.person_number = any (${numbers}) and p.recorded_at >= ${kept}
                and p.recorded_at <= ${received} + interval '25 hours' and not coalesce(p.extra ? 'id', false)`,
          ),
        )
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
