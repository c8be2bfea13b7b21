import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"

const daysLookedBack = 3

/**
 * When the records of a hub, or those common to all hubs, last changed: written or deleted. Undefined when
 * nothing changed in the last three days. Reads the newest entries of two indexes, so that writers need
 * not all update one row.
 */
export async function dataSourceChangedAt(
  sql: Sql,
  caller: Pick<Caller, "organizationId">,
  hubId: string,
): Promise<Temporal.Instant | undefined> {
  const rows = await sql<{ changedAt: Temporal.Instant | null }[]>`
    select greatest(
      (select updated_time from data_records
        where organization_id = ${caller.organizationId} and (hub_id = ${hubId} or hub_id is null)
          and updated_time > now() - make_interval(days => ${daysLookedBack})
        order by updated_time desc limit 1),
      (select deleted_time from trash
        where organization_id = ${caller.organizationId} and type = 'Data' and (hub_id = ${hubId} or hub_id is null)
          and deleted_time > now() - make_interval(days => ${daysLookedBack})
        order by deleted_time desc limit 1)
    ) as changed_at`
  return rows[0]?.changedAt ?? undefined
}
