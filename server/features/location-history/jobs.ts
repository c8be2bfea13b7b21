import { Type } from "typebox"
import { inTransaction } from "#core/database.ts"
import { defineJob, type Job } from "#core/jobs/define-job.ts"
import { keptDays } from "./settings.ts"

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
 * Retention: partitions whose every point is older than what is kept are dropped whole, which takes the same
 * moment whatever they hold. Detached first, in a way that lets readers and writers go on.
 */
const dropOldPartitions = defineJob({
  name: "location.drop-old-partitions",
  payload: Nothing,
  maxAttempts: 5,
  timeoutSeconds: 600,
  cron: "37 2 * * *",
  async handle({ sql, clock, signal, log }) {
    const now = clock.now()
    const old = await sql<{ name: string; isAttached: boolean; isDetaching: boolean }[]>`
      select c.relname as name, i.inhrelid is not null as is_attached, coalesce(i.inhdetachpending, false) as is_detaching
      from pg_class c left join pg_inherits i on i.inhrelid = c.oid
      where c.relkind = 'r' and c.relname ~ '^location_points_[0-9]{6}$' and c.relnamespace = current_schema()::regnamespace
        and to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' <= ${now}::timestamptz - ${keptDays}::int * interval '1 day'
      order by 1`
    for (const { name, isAttached, isDetaching } of old) {
      if (signal.aborted) return
      if (isDetaching) await sql.unsafe(`alter table location_points detach partition ${name} finalize`)
      else if (isAttached)
        await sql.unsafe(`alter table location_points detach partition ${name} concurrently`)
      await inTransaction(sql, async (tx) => {
        await tx`drop table ${tx(name)}`
        const month = `${name.slice(-6, -2)}-${name.slice(-2)}-01`
        await tx`delete from location_counts where month = ${month}`
        await tx`delete from location_count_changes where month = ${month}`
      })
      log.info({ partition: name }, "dropped an old partition of positions")
    }
  },
})

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

export const locationJobs: readonly Job[] = [preparePartitions, dropOldPartitions, foldCounts]
