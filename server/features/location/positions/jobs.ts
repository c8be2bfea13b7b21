import { Type } from "typebox"
import { hasCitus } from "#core/database/citus.ts"
import { inTransaction } from "#core/database/database.ts"
import { deleteInBatches } from "#core/database/delete-expired.ts"
import { defineJob, type Job, type JobContext } from "#core/jobs/define-job.ts"
import { keptDays } from "./settings.ts"
import { speedJobs } from "./speeds/learn-speeds.ts"
import { recalculateDistance } from "./summary/recalculate.ts"
import { orderMonths } from "./thinning/order-months.ts"
import { simplifyHours } from "./thinning/simplify-hours.ts"

const Nothing = Type.Object({})

/** Makes the partitions of the coming months ahead of their first point. */
const preparePartitions = defineJob({
  name: "location.prepare-partitions",
  payload: Nothing,
  maxAttempts: 5,
  timeoutSeconds: 60,
  cron: "23 * * * *",
  async handle({ sql, clock }) {
    await sql`
      select ensure_location_partition(month)
      from generate_series(${clock.now()}::timestamptz, ${clock.now()}::timestamptz + interval '3 months', interval '1 month') as month`
  },
})

/**
 * Retention: partitions whose every point is older than what is kept are taken away whole: first from everybody's sight,
 * which takes the same moment whatever they hold and lets readers and writers go on, then from the disk, which takes what
 * the file system needs to free their size and which nobody waits for.
 */
const dropOldPartitions = defineJob({
  name: "location.drop-old-partitions",
  payload: Nothing,
  maxAttempts: 5,
  timeoutSeconds: 600,
  cron: "37 2 * * *",
  async handle(context) {
    await detachOldPartitions(context)
    await dropDetachedPartitions(context)
  },
})

type Part = Pick<JobContext, "sql" | "clock" | "signal" | "log">

/** True of a partition's `c.relname` when all its points are past retention. */
function isPastRetention({ sql, clock }: Part) {
  return sql`c.relkind = 'r' and c.relname ~ '^location_points_[0-9]{6}$' and to_date(right(c.relname, 6), 'YYYYMM')
    + interval '1 month' <= ${clock.now()}::timestamptz - ${keptDays}::int * interval '1 day'`
}

export async function detachOldPartitions(context: Part): Promise<void> {
  const { sql, signal, log } = context
  const old = await sql<{ name: string; isAttached: boolean; isDetaching: boolean }[]>`
    select c.relname as name, i.inhrelid is not null as is_attached, coalesce(i.inhdetachpending, false) as is_detaching
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and ${isPastRetention(context)} order by 1`
  // Citus detaches in one step only, which waits for readers of the month and lets later ones wait for it.
  const way = (await hasCitus(sql)) ? "" : "concurrently"
  for (const { name, isAttached, isDetaching } of old) {
    if (signal.aborted) return
    if (isDetaching) await sql.unsafe(`alter table location_points detach partition ${name} finalize`)
    else if (isAttached) await sql.unsafe(`alter table location_points detach partition ${name} ${way}`)
    await inTransaction(sql, async (tx) => {
      await tx.unsafe(`drop table if exists location_work.${name}`)
      // Out of the product's schema, so that no backup takes it along.
      await tx.unsafe(`alter table ${name} set schema location_work`)
      const month = `${name.slice(-6, -2)}-${name.slice(-2)}-01`
      await tx`delete from location_counts where month = ${month}`
      await tx`delete from location_count_changes where month = ${month}`
    })
    log.info({ partition: name }, "detached an old partition of positions")
  }
}

export async function dropDetachedPartitions(context: Part): Promise<void> {
  const { sql, signal, log } = context
  const detached = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'location_work'::regnamespace and ${isPastRetention(context)} order by 1`
  for (const { name } of detached) {
    if (signal.aborted) return
    await sql.unsafe(`drop table location_work.${name}`)
    log.info({ partition: name }, "freed the space of an old partition of positions")
  }
}

/** Folds the changes of the stored counts together. */
const foldCounts = defineJob({
  name: "location.fold-counts",
  payload: Nothing,
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "* * * * *",
  async handle({ sql }) {
    await sql`
      with folded as (delete from location_count_changes returning organization_number, month, change)
      insert into location_counts as counts (organization_number, month, count)
      select organization_number, month, sum(change) from folded group by 1, 2 order by 1, 2
      on conflict (organization_number, month) do update set count = counts.count + excluded.count`
  },
})

/**
 * Interleaved streams of many people leave the pages of the key half empty: 70 bytes a point where 40 do.
 * Rebuilding it beside the running system brings them back; done while it is worth it. Months that have ended are
 * packed when they are written in order.
 */
const packIndexes = defineJob({
  name: "location.pack-indexes",
  payload: Nothing,
  maxAttempts: 2,
  timeoutSeconds: 4 * 3600,
  isLong: true,
  cron: "11 3 * * *",
  async handle({ sql, signal, log }) {
    const loose = await sql<{ index: string }[]>`
      select key.relname as index
      from pg_inherits i
      join pg_class part on part.oid = i.inhrelid
      join pg_index x on x.indrelid = part.oid and x.indisprimary
      join pg_class key on key.oid = x.indexrelid
      where i.inhparent = 'location_points'::regclass and part.reltuples > 100000
        and pg_relation_size(key.oid) > ${worthPackingBytes}::int * part.reltuples
      order by index`
    const session = await sql.reserve()
    try {
      await session`set statement_timeout = 0`
      for (const { index } of loose) {
        if (signal.aborted) return
        await session.unsafe(`reindex index concurrently ${index}`)
        log.info({ index }, "rebuilt an index of positions")
      }
    } finally {
      await session`reset statement_timeout`.catch(() => undefined)
      session.release()
    }
  },
})
const worthPackingBytes = 50

/** Deletes what an organization keeps for less than the installation does, and what is of organizations that are gone. */
const deleteUnkept = defineJob({
  name: "location.delete-unkept",
  payload: Nothing,
  maxAttempts: 3,
  timeoutSeconds: 3600,
  isLong: true,
  cron: "47 1 * * *",
  async handle({ sql, clock, signal }) {
    const now = clock.now()
    await sql`delete from location_links where expires_at < ${now}`
    await sql`delete from location_outlines where hour < ${now.subtract({ hours: 24 * keptDays })}`
    await sql`delete from device_alarms where recorded_at < ${now.subtract({ hours: 24 * keptDays })}`
    await sql`
      delete from device_alarms using location_settings settings
      where settings.organization_id = device_alarms.organization_id
        and recorded_at < ${now}::timestamptz - settings.retention_days * interval '1 day'`
    const due = await sql<{ organizationNumber: number; days: number }[]>`
      with present as (
        select organization_number from (
          select organization_number, count from location_counts
          union all select organization_number, change from location_count_changes
        ) as parts group by 1 having sum(count) > 0
      )
      select organization_number, case when organizations.id is null then -1 else settings.retention_days end as days
      from present left join organizations on organizations.number = organization_number
      left join location_settings settings on settings.organization_id = organizations.id
      where organizations.id is null or settings.retention_days < ${keptDays}::int`
    for (const { organizationNumber, days } of due) {
      const before = days < 0 ? now.add({ hours: 48 }) : now.subtract({ hours: 24 * days })
      // Before the points, so that nothing is drawn of what is gone.
      await sql`delete from location_outlines where organization_number = ${organizationNumber} and hour < ${before}`
      await deleteInBatches(
        signal,
        () => sql`
          with gone as (
            delete from location_points p using (
              select person_number, recorded_at, fingerprint from location_points
              where organization_number = ${organizationNumber} and recorded_at < ${before} limit 5000) as old
            where p.organization_number = ${organizationNumber} and p.person_number = old.person_number
              and p.recorded_at = old.recorded_at and p.fingerprint = old.fingerprint
            returning p.recorded_at)
          insert into location_count_changes (organization_number, month, change)
          select ${organizationNumber}::int, date_trunc('month', recorded_at), -count(*) from gone group by 2 returning 1`,
      )
      await sql`
        delete from location_sessions where organization_number = ${organizationNumber} and recorded_at < ${before}
          and (finished_at is not null or ${days < 0})`
    }
  },
})

export const locationJobs: readonly Job[] = [
  preparePartitions,
  dropOldPartitions,
  orderMonths,
  simplifyHours,
  packIndexes,
  deleteUnkept,
  foldCounts,
  recalculateDistance,
  ...speedJobs,
]
