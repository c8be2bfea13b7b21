import type { Caller } from "../access/caller.ts"
import { audit } from "../audit.ts"
import { inTransaction, type Pool, type Sql, type Tx } from "../database/database.ts"

export const defaultRetentionDays = 365

export async function readRetention(
  sql: Sql,
  { organizationId }: Pick<Caller, "organizationId">,
): Promise<number> {
  const rows = await sql<{ retentionDays: number }[]>`
    select retention_days from audit_settings where organization_id = ${organizationId}`
  return rows[0]?.retentionDays ?? defaultRetentionDays
}

export async function writeRetention(
  sql: Sql,
  { organizationId }: Pick<Caller, "organizationId">,
  days: number,
): Promise<void> {
  await sql`
    insert into audit_settings (organization_id, retention_days) values (${organizationId}, ${days})
    on conflict (organization_id) do update set retention_days = excluded.retention_days`
}

interface Removable {
  organizationId: string
  number: number
  hash: Buffer
  keys: string
  lastTime: Temporal.Instant
}

const blocksPerStep = 20

/**
 * Removes what is older than its organization keeps it: whole blocks from the beginning of a chain. The last one stays as
 * the checkpoint where the chain begins, and an entry says so.
 */
export async function removeOldEntries(sql: Pool, now: Temporal.Instant, signal: AbortSignal): Promise<void> {
  const organizations = await sql<{ organizationId: string; days: number }[]>`
    select organization.id as organization_id, coalesce(settings.retention_days, ${defaultRetentionDays}) as days
    from organizations organization left join audit_settings settings on settings.organization_id = organization.id
    order by organization.id`
  for (const { organizationId, days } of organizations) {
    const before = now.subtract({ hours: 24 * days })
    await removeUnsealed(sql, organizationId, before)
    let isMore = true
    while (isMore && !signal.aborted)
      isMore = await inTransaction(sql, (tx) => removeBlocks(tx, organizationId, before))
    if (signal.aborted) return
  }
}

/** Entries from before there was a chain. */
async function removeUnsealed(sql: Sql, organizationId: string, before: Temporal.Instant): Promise<void> {
  await sql`
    delete from audit_log where organization_id = ${organizationId} and xid is null and time < ${before}`
}

async function removeBlocks(tx: Tx, organizationId: string, before: Temporal.Instant): Promise<boolean> {
  const blocks = await tx<Removable[]>`
    select organization_id, number, hash, keys, last_time from audit_blocks
    where organization_id = ${organizationId} order by number limit ${blocksPerStep + 1} for update`
  const kept = blocks.findIndex(({ lastTime }) => Temporal.Instant.compare(lastTime, before) >= 0)
  const removed = blocks.slice(0, kept < 0 ? blocks.length : kept).slice(0, blocksPerStep)
  const last = removed.at(-1)
  if (!last) return false
  const keys = removed.flatMap((block) => block.keys.split(" "))
  const parts = keys.filter((key) => key.includes(".")).map((key) => key.split(".") as [string, string])
  await tx`
    delete from audit_parts where organization_id = ${organizationId} and (entry_id, number) in (
      select * from unnest(${parts.map(([id]) => id)}::text[], ${parts.map(([, number]) => number)}::bigint[]))`
  await tx`
    delete from audit_log where organization_id = ${organizationId} and id = any (${keys.filter((key) => !key.includes("."))})`
  await tx`delete from audit_blocks where organization_id = ${organizationId} and number <= ${last.number}`
  await tx`
    insert into audit_checkpoints (organization_id, number, hash, removed_time)
    values (${organizationId}, ${last.number}, ${last.hash}, now())
    on conflict (organization_id) do update
    set number = excluded.number, hash = excluded.hash, removed_time = excluded.removed_time`
  await audit(
    tx,
    { organizationId, email: null },
    {
      ...{ action: "audit-log.remove", targetType: "audit-log" },
      after: {
        block: last.number,
        hash: last.hash.toString("hex"),
        rows: keys.length,
        until: last.lastTime.toString(),
      },
    },
  )
  return true
}
