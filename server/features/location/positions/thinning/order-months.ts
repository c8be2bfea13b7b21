import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { Type } from "typebox"
import { databaseErrorOf, inTransaction, type Pool, type Tx } from "#core/database/database.ts"
import { defineJob } from "#core/jobs/define-job.ts"

/**
 * Points lie in the order in which they arrived, everybody's between each other's: a person's day of 250 points is in 250
 * pages. A month that has ended is rewritten once in the order of its key, while the system runs: then that day
 * is in four pages, and the key, whose pages need no room any more, takes 36 bytes a point instead of 40.
 */
export const orderMonths = defineJob({
  name: "location.order-months",
  payload: Type.Object({}),
  maxAttempts: 2,
  timeoutSeconds: 6 * 3600,
  isLong: true,
  cron: "53 2 * * *",
  async handle({ sql, clock, signal, log }) {
    for (const month of await listUnordered(sql, clock.now())) {
      if (signal.aborted) return
      const isOrdered = await orderMonth(sql, month, signal)
      log.info({ partition: month.name, isOrdered }, "rewrote a month of positions in key order")
    }
  },
})

const doneMark = "in the order of its key"
/** Fewer are read fast in any order. */
const worthOrderingPoints = 100_000
/** Phones that were offline have sent most of what they had by then; what comes later is put behind the others. */
const settleDays = 3

interface Month {
  name: string
  /** `FOR VALUES FROM (...) TO (...)`, and the same as a condition. */
  bounds: string
  condition: string
}

async function listUnordered(sql: Pool, now: Temporal.Instant): Promise<Month[]> {
  return sql<Month[]>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds, pg_get_partition_constraintdef(c.oid) as condition
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'location_points'::regclass and not i.inhdetachpending and c.reltuples > ${worthOrderingPoints}::int
      and to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' <= ${now}::timestamptz - ${settleDays}::int * interval '1 day'
      and obj_description(c.oid) is distinct from ${doneMark}
      -- Citus moves no triggers along with its shards.
      and not exists (select from pg_extension where extname = 'citus')
    order by c.relname`
}

/**
 * Copies the month in order, repeats what changed meanwhile, and swaps the tables in one transaction, whose locks last
 * some milliseconds. False when readers with an old view of the database, or writers, left no such moment: then the
 * month stays as it is until the next night. Whatever breaks in between leaves the month as it is too.
 */
async function orderMonth(sql: Pool, month: Month, signal: AbortSignal): Promise<boolean> {
  const run = randomUUID()
  let isSwapped = false
  try {
    await inTransaction(sql, (tx) => prepare(tx, month))
    await inTransaction(sql, (tx) => copy(tx, month, run))
    const deadline = Date.now() + patienceMilliseconds
    while (!isSwapped && Date.now() < deadline && !signal.aborted) {
      await inTransaction(sql, (tx) => repeatChanges(tx, month))
      if (await olderViewsEnd(sql, deadline, signal))
        isSwapped = await inTransaction(sql, (tx) => swap(tx, month, run)).catch(isLockRefused)
      if (!isSwapped) await pause(pauseMilliseconds)
    }
  } finally {
    if (!isSwapped) await inTransaction(sql, (tx) => cleanUp(tx, month))
  }
  return isSwapped
}

const patienceMilliseconds = 10 * 60_000
const pauseMilliseconds = 500

/** Locks are retried after a short timeout, so that transactions queued behind them do not wait for long. */
async function shortLocks(tx: Tx): Promise<void> {
  await tx`set local lock_timeout = '2s'`
}

function isLockRefused(error: unknown): false {
  if (databaseErrorOf(error)?.code === "55P03") return false
  throw error
}

/** From here on every change of the month is noted. Creating the trigger waits for those that are under way. */
async function prepare(tx: Tx, month: Month): Promise<void> {
  await cleanUp(tx, month)
  await tx.unsafe(`
    create trigger note_changed_point after insert or update or delete on ${month.name}
    for each row execute function note_changed_point()`)
}

async function cleanUp(tx: Tx, { name }: Month): Promise<void> {
  await shortLocks(tx)
  await tx.unsafe(`drop trigger if exists note_changed_point on ${name}`)
  await tx.unsafe(`drop table if exists location_work.${name}`)
  await tx`delete from location_work.changed_points`
}

async function copy(tx: Tx, { name, condition }: Month, run: string): Promise<void> {
  await tx`set local statement_timeout = 0`
  await tx`set local work_mem = '128MB'`
  await tx`set local maintenance_work_mem = '256MB'`
  const draft = `location_work.${name}`
  await tx.unsafe(`create table ${draft} (like ${name} including all excluding indexes)`)
  await tx.unsafe(
    `insert into ${draft} select * from ${name} order by organization_number, person_number, recorded_at, fingerprint`,
  )
  const indexes = await tx<{ index: string; definition: string; key: string | null }[]>`
    select c.relname as index, pg_get_indexdef(c.oid) as definition, pg_get_constraintdef(k.oid) as key
    from pg_index x join pg_class c on c.oid = x.indexrelid left join pg_constraint k on k.conindid = c.oid
    where x.indrelid = ${name}::regclass`
  for (const { index, definition, key } of indexes)
    await tx.unsafe(
      key === null
        ? definition.replace(/^(CREATE INDEX \S+ ON )\S+/, `$1${draft}`)
        : `alter table ${draft} add constraint ${index} ${key} with (fillfactor = 100)`,
    )
  // Attaching then trusts it instead of reading every row.
  await tx.unsafe(`alter table ${draft} add constraint within_month check (${condition})`)
  await tx.unsafe(`analyze ${draft}`)
  await tx.unsafe(`comment on table ${draft} is '${run}'`)
}

/** What is noted while this runs stays for the next time. */
async function repeatChanges(tx: Tx, { name }: Month): Promise<void> {
  const key = "(organization_number, person_number, recorded_at, fingerprint)"
  await tx`
    create temporary table repeated on commit drop as
    with noted as (delete from location_work.changed_points returning *) select distinct * from noted`
  await tx`analyze repeated`
  await tx.unsafe(`delete from location_work.${name} where ${key} in (select * from repeated)`)
  await tx.unsafe(`
    insert into location_work.${name} select * from ${name} where ${key} in (select * from repeated)`)
}

/**
 * A transaction with a view of the database from before the copy (a backup, an export) would find the new table empty.
 * True once there is none; false after `deadline`.
 */
async function olderViewsEnd(sql: Pool, deadline: number, signal: AbortSignal): Promise<boolean> {
  const [horizon] = await sql<{ xid: string }[]>`select pg_snapshot_xmax(pg_current_snapshot())::text as xid`
  while (Date.now() < deadline && !signal.aborted) {
    const [older] = await sql<{ isThere: boolean }[]>`
      select exists (
        select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and backend_type <> 'autovacuum worker' and backend_xmin is not null
          and age(backend_xmin) > age(${horizon?.xid ?? "0"}::text::xid8::xid)) as is_there`
    if (!older?.isThere) return true
    await pause(pauseMilliseconds)
  }
  return false
}

/** False when somebody changed the month again, or another run took over. */
async function swap(tx: Tx, { name, bounds }: Month, run: string): Promise<boolean> {
  await shortLocks(tx)
  await tx`lock table only location_points in access exclusive mode`
  await tx.unsafe(`lock table ${name} in access exclusive mode`)
  const [state] = await tx<{ isReady: boolean }[]>`
    select not exists (select from location_work.changed_points)
      and obj_description(to_regclass(${`location_work.${name}`})) is not distinct from ${run} as is_ready`
  if (!state?.isReady) return false
  await tx.unsafe(`alter table location_points detach partition ${name}`)
  await tx.unsafe(`drop table ${name}`)
  await tx.unsafe(`alter table location_work.${name} set schema ${await schemaOf(tx)}`)
  await tx.unsafe(`alter table location_points attach partition ${name} ${bounds}`)
  await tx.unsafe(`alter table ${name} drop constraint within_month`)
  await tx.unsafe(`comment on table ${name} is '${doneMark}'`)
  return true
}

async function schemaOf(tx: Tx): Promise<string> {
  const [row] = await tx<{ schema: string }[]>`select quote_ident(current_schema()) as schema`
  return row?.schema ?? "public"
}
