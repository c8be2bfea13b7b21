import type { Fragment, Sql } from "#core/database/database.ts"
import { ownedState } from "#core/owned-state.ts"
import type { Tenant } from "./store/people.ts"

/** What the installation keeps; an organization may ask for less. */
export const keptDays = 365

export interface LocationSettings {
  retentionDays: number
  /** Positions outside of working sessions are refused. */
  onlyDuringSessions: boolean
}

interface Known {
  settings: LocationSettings
  readAt: number
}

const cacheMilliseconds = 5_000
const knownOf = ownedState((_pool: Sql) => new Map<string, Known>())

/**
 * What an organization keeps, for judging what arrives. Cached for some seconds: points arrive by the thousand. Reads use
 * `keptSince`, which is never stale.
 */
async function cachedSettings(pool: Sql, tenant: Tenant): Promise<LocationSettings> {
  const ofPool = knownOf(pool)
  const entry = ofPool.get(tenant.organizationId)
  if (entry && performance.now() - entry.readAt < cacheMilliseconds) return entry.settings
  const settings = await readSettings(pool, tenant)
  if (ofPool.size > 10_000) ofPool.clear()
  ofPool.set(tenant.organizationId, { settings, readAt: performance.now() })
  return settings
}

export async function retentionDays(pool: Sql, tenant: Tenant): Promise<number> {
  return (await cachedSettings(pool, tenant)).retentionDays
}

export async function keepsOnlySessions(pool: Sql, tenant: Tenant): Promise<boolean> {
  return (await cachedSettings(pool, tenant)).onlyDuringSessions
}

export async function readSettings(
  sql: Sql,
  { organizationId }: Pick<Tenant, "organizationId">,
): Promise<LocationSettings> {
  const rows = await sql<LocationSettings[]>`
    select retention_days, only_during_sessions from location_settings where organization_id = ${organizationId}`
  return rows[0] ?? { retentionDays: keptDays, onlyDuringSessions: false }
}

export async function writeSettings(
  sql: Sql,
  { organizationId }: Pick<Tenant, "organizationId">,
  { retentionDays, onlyDuringSessions }: LocationSettings,
): Promise<void> {
  await sql`
    insert into location_settings (organization_id, retention_days, only_during_sessions)
    values (${organizationId}, ${retentionDays}, ${onlyDuringSessions})
    on conflict (organization_id) do update set
      retention_days = excluded.retention_days, only_during_sessions = excluded.only_during_sessions`
}

/** After a change: this node follows it at once, others within seconds. */
export function invalidateSettings(pool: Sql, { organizationId }: Pick<Tenant, "organizationId">): void {
  knownOf(pool).delete(organizationId)
}

/** The oldest device time that the organization may read, as an expression on the clock `now`. */
export function keptSince(sql: Sql, tenant: Tenant, now: Temporal.Instant): Fragment {
  return sql`${now}::timestamptz - interval '1 day' * coalesce(
    (select retention_days from location_settings where organization_id = ${tenant.organizationId}), ${keptDays}::int)`
}
