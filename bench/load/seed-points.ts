import type { Pool, Tx } from "#core/database/database.ts"
import { aHub, anOrganization, aUser, type Organization } from "#samples/builders.ts"

/** How a store of positions is filled: everybody sends `pointsADay` in eight hours of each of some days. */
export const peopleCount = 2_000
export const pointsADay = 250
const pointsOfADay = peopleCount * pointsADay
const hubCount = 20
/** Further back lies the edge of what is kept. */
const maxDaysBack = 330

export interface FilledStore {
  org: Organization
  points: number
  /** Days that hold points (UTC), oldest first. */
  days: string[]
}

/**
 * Fills an empty store, or goes on where a former run ended: a transaction a month, days spread over the year, rows in
 * the order in which they would have arrived, so that everybody's points lie between each other's as they do in a
 * store that grew. Each row has what a phone with the richest of the tracker protocols sends.
 */
export async function fillStore(
  sql: Pool,
  points: number,
  log: (words: string) => void,
): Promise<FilledStore> {
  const org = await organizationOf(sql)
  const dayCount = Math.ceil(points / pointsOfADay)
  await sql`create table if not exists bench_days (day date primary key, is_filled boolean not null)`
  await sql`
    insert into bench_days
    select current_date - 1 - (back * greatest(1, least(${maxDaysBack}::float8 / ${dayCount}::int, 7)))::int, false
    from generate_series(0, ${dayCount}::int - 1) as back where not exists (select from bench_days)`
  const months = await sql<{ month: string; days: string[] }[]>`
    select to_char(day, 'YYYYMM') as month, array_agg(day::text order by day) as days
    from bench_days where not is_filled group by 1 order by 1`
  const started = performance.now()
  for (const { month, days } of months) {
    await fillMonth(sql, org, month, days)
    log(`${month}: ${days.length} days, ${((performance.now() - started) / 1000).toFixed(0)} s`)
  }
  await fillRest(sql, org)
  const days = await sql<{ day: string }[]>`select day::text from bench_days order by day`
  return { org, points: days.length * pointsOfADay, days: days.map((row) => row.day) }
}

/**
 * The current month is filled as requests fill it, with its index. The partitions of earlier months are rebuilt and
 * indexed at the end, as the nightly job does.
 */
async function fillMonth(
  sql: Pool,
  org: Organization,
  month: string,
  days: readonly string[],
): Promise<void> {
  const partition = `location_points_${month}`
  const [now] = await sql<{ month: string }[]>`select to_char(now(), 'YYYYMM') as month`
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`set local work_mem = '256MB'`
    await tx.unsafe(`create temporary table round on commit drop as ${roundOfADay}`, [org.id])
    await tx`select ensure_location_partition(${days[0] ?? ""}::date::timestamp at time zone 'UTC')`
    const isRunning = month === now?.month
    if (!isRunning)
      await tx.unsafe(`alter table location_points detach partition ${partition}; drop table ${partition};
      create table ${partition} (like location_points including defaults including constraints)`)
    for (const day of days)
      await tx.unsafe(
        `insert into ${partition} (recorded_at, received_at, lat, lng, organization_number, person_number, fingerprint,
          speed, accuracy, altitude, bearing, battery, source)
        select $1::timestamptz + recorded, $1::timestamptz + received, lat + $2::float8, lng, organization_number,
          person_number, fingerprint, speed, accuracy, altitude, bearing, battery, 1 from round`,
        [`${day} 08:00:00+00`, Math.random() * 1e-3],
      )
    if (!isRunning) await attachFilled(tx, partition, month)
    await tx`update bench_days set is_filled = true where day = any (${days as string[]})`
  })
}

async function attachFilled(tx: Tx, partition: string, month: string): Promise<void> {
  const indexes = await tx<{ definition: string; isKey: boolean }[]>`
    select pg_get_indexdef(indexrelid) as definition, indisprimary as is_key from pg_index
    where indrelid = 'location_points'::regclass`
  for (const { definition, isKey } of indexes)
    await tx.unsafe(
      isKey
        ? `alter table ${partition} add primary key ${definition.slice(definition.indexOf("("))}`
        : definition.replace(/^CREATE INDEX .* ON ONLY \S+/, `create index on ${partition}`),
    )
  const first = `${month.slice(0, 4)}-${month.slice(4)}-01`
  await tx.unsafe(
    `alter table location_points attach partition ${partition} for values from ('${first} 00:00:00+00') to ('${nextMonth(first)} 00:00:00+00')`,
  )
}

function nextMonth(first: string): string {
  return Temporal.PlainDate.from(first).add({ months: 1 }).toString()
}

/** $1 organization. A person drives on a circle of some kilometres, a fix every 115 s; times from the day's begin. */
const roundOfADay = `
  select recorded, recorded + (1000 + random() * 1000)::int * interval '1 millisecond' as received, organization_number, person_number,
    51 + person_number % 40 * 0.05 + 0.05 * sin(step / 10.0 + person_number) + random() * 1e-5 as lat,
    4 + person_number % 50 * 0.05 + 0.08 * cos(step / 10.0 + person_number) + random() * 1e-5 as lng,
    (random() * 4e9 - 2e9)::int as fingerprint, (20 + random() * 30)::int::real as speed,
    (3 + random() * 12)::int::real as accuracy, (random() * 60)::int::real as altitude,
    (random() * 359)::smallint as bearing, (100 - step / 3)::smallint as battery
  from (
    select organizations.number as organization_number, users.number as person_number, step,
      (step * 115 + users.number * 7919 % 115) * interval '1 second' as recorded
    from generate_series(0, ${pointsADay - 1}) as step, organizations
    join users on users.organization_id = organizations.id and users.name like 'Driver %'
    where organizations.id = $1
  ) as fixes order by recorded, person_number`

async function organizationOf(sql: Pool): Promise<Organization> {
  const known = await sql<Organization["owner"][]>`
    select users.id, users.organization_id, users.account_id, users.email, users.role_id from users
    join organizations on organizations.id = users.organization_id and organizations.name = 'Volume'
    join roles on roles.organization_id = users.organization_id and roles.id = users.role_id and roles.name = 'owner'`
  const owner = known[0]
  const org = owner
    ? { id: owner.organizationId, name: "Volume", owner }
    : await anOrganization(sql, { name: "Volume" })
  const [made] = await sql<{ count: number }[]>`
    select count(*) from users where organization_id = ${org.id} and name like 'Driver %'`
  if (made?.count === 0) {
    const hubs = []
    for (let count = 0; count < hubCount; count += 1) hubs.push(await aHub(sql, { org }))
    for (let count = 0; count < peopleCount; count += 1) {
      const hub = hubs[count % hubCount]
      const name = `Driver ${count}`
      // The process is part of the builders' own e-mails, and a store is filled by several.
      const email = `driver-${count}@fieldway.test`
      await aUser(sql, { org, role: "field user", name, email, hubs: hub ? [hub] : [] })
    }
  } else if (made?.count !== peopleCount)
    throw new Error("the people of this store were made by half: remove its folder")
  return org
}

/** What the product keeps beside the points: the newest of each person, and how many there are of each month. */
async function fillRest(sql: Pool, org: Organization): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`
      insert into person_positions (organization_number, person_number, organization_id, user_id, email, last_time,
        batch_size, recorded_at, received_at, lat, lng, fingerprint, speed, accuracy, altitude, bearing, battery, source)
      select distinct on (p.person_number) p.organization_number, p.person_number, users.organization_id, users.id,
        users.email, floor(extract(epoch from p.received_at) * 1000)::bigint, 1, p.recorded_at, p.received_at, p.lat,
        p.lng, p.fingerprint, p.speed, p.accuracy, p.altitude, p.bearing, p.battery, p.source
      from location_points p
      join organizations on organizations.number = p.organization_number and organizations.id = ${org.id}
      join users on users.organization_id = organizations.id and users.number = p.person_number
      where p.recorded_at >= (select max(day) from bench_days)
      order by p.person_number, p.recorded_at desc
      on conflict do nothing`
    await tx`
      insert into location_counts
      select organizations.number, date_trunc('month', day)::date, count(*) * ${pointsOfADay}::int
      from bench_days, organizations where organizations.id = ${org.id} group by 1, 2
      on conflict do nothing`
  })
}

/** As a store is after its nights: statistics and visibility known, keys packed by the product's own job. */
export async function settleStore(sql: Pool, pack: () => Promise<void>): Promise<void> {
  const session = await sql.reserve()
  try {
    await session`set statement_timeout = 0`
    const parts = await session<{ name: string }[]>`
      select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'location_points'::regclass order by 1`
    for (const { name } of parts) await session.unsafe(`vacuum (analyze, freeze) ${name}`)
    await session`analyze users, user_hubs, roles, person_positions, organizations`
  } finally {
    session.release()
  }
  await pack()
}

/** Bytes of a stored point with everything that its partitions hold beside it. */
export async function bytesAPoint(sql: Pool): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select sum(pg_total_relation_size(inhrelid))::bigint as bytes from pg_inherits
    where inhparent = 'location_points'::regclass`
  const [stored] = await sql<{ count: number }[]>`
    select coalesce((select sum(count) from location_counts), 0) + coalesce((select sum(change) from location_count_changes), 0) as count`
  return (row?.bytes ?? 0) / Number(stored?.count ?? 1)
}
