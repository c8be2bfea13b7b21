import type { Fragment, Sql } from "#core/database/database.ts"
import { ownedState } from "#core/owned-state.ts"
import type { Tenant } from "./store/people.ts"

/** What the installation keeps; an organization may ask for less. */
export const keptDays = 365

interface Known {
  days: number
  readAt: number
}

const cacheMilliseconds = 5_000
const knownOf = ownedState((_pool: Sql) => new Map<string, Known>())

/**
 * Days that an organization keeps points, for judging what arrives. Cached for some seconds: points
 * arrive by the thousand. Reads use `keptSince`, which is never stale.
 */
export async function retentionDays(pool: Sql, tenant: Tenant): Promise<number> {
  const ofPool = knownOf(pool)
  const entry = ofPool.get(tenant.organizationId)
  if (entry && performance.now() - entry.readAt < cacheMilliseconds) return entry.days
  const days = await readRetentionDays(pool, tenant)
  if (ofPool.size > 10_000) ofPool.clear()
  ofPool.set(tenant.organizationId, { days, readAt: performance.now() })
  return days
}

export async function readRetentionDays(sql: Sql, tenant: Tenant): Promise<number> {
  const rows = await sql<{ retentionDays: number }[]>`
    select retention_days from location_settings where organization_id = ${tenant.organizationId}`
  return rows[0]?.retentionDays ?? keptDays
}

export async function writeRetentionDays(
  sql: Sql,
  { organizationId }: Pick<Tenant, "organizationId">,
  days: number,
): Promise<void> {
  await sql`
    insert into location_settings (organization_id, retention_days) values (${organizationId}, ${days})
    on conflict (organization_id) do update set retention_days = excluded.retention_days`
}

/** The oldest device time that the organization may read, as an expression on the clock `now`. */
export function keptSince(sql: Sql, tenant: Tenant, now: Temporal.Instant): Fragment {
  return sql`${now}::timestamptz - interval '1 day' * coalesce(
    (select retention_days from location_settings where organization_id = ${tenant.organizationId}), ${keptDays}::int)`
}
