/*
 * Positions: bulk and single posts against raw inserts of the same rows, and the bytes of a stored point.
 * Run: node bench/location.ts [bulk] [single] [bytes]
 */
import { connect, type Pool } from "#core/database/database.ts"
import { anOrganization, aUser, type Organization, type Person } from "#samples/builders.ts"
import { type Bench, median, printRatio, startBench } from "./load/harness.ts"

const rounds = 5
const bulkSize = 1000
/** Rows of one statement of the bare side, as the limit of the budget was measured. */
const multiRowSize = 100
const bulksARound = 60
const singlesARound = 8_000
const connections = 20

/** Where the next generated drive begins. */
let clockSeconds = Date.now() / 1000 - 20 * 86_400

const parts = process.argv.slice(2)
const wants = (part: string) => parts.length === 0 || parts.includes(part)

const bench = await startBench()
try {
  const org = await anOrganization(bench.sql)
  const people: Person[] = []
  for (let count = 0; count < 200; count += 1)
    people.push(await aUser(bench.sql, { org, role: "field user" }))
  // As in a database that has been running for a minute: the planner knows its tables.
  await bench.sql`analyze`
  if (wants("bulk")) await bulk(bench, org, people)
  if (wants("single")) await single(bench, org, people)
  if (wants("bytes")) await bytes(bench, org, people)
} finally {
  await bench.close()
}

interface Row {
  at: number
  lat: number
  lng: number
  speed: number
}

/** Points of one drive: a second and some metres from each other. */
function drive(count: number): Row[] {
  let [lat, lng] = [40 + Math.random() * 10, Math.random() * 10]
  return Array.from({ length: count }, () => {
    clockSeconds += 0.01
    lat += (Math.random() - 0.5) * 1e-4
    lng += (Math.random() - 0.5) * 1e-4
    return { at: Math.round(clockSeconds * 1000), lat, lng, speed: Math.round(Math.random() * 90) }
  })
}

function toBody(email: string, row: Row) {
  const createdTime = new Date(row.at).toISOString().replace("Z", "+00:00")
  return { email, lat: row.lat, lon: row.lng, speed: row.speed, createdTime }
}

/** The same columns and the same key in one plain table. */
async function rawTable(sql: Pool): Promise<void> {
  await sql.unsafe(`drop table if exists raw_points; create table raw_points (
    recorded_at timestamptz not null, received_at timestamptz not null, lat float8 not null, lng float8 not null,
    organization_number int not null, person_number int not null, fingerprint int not null, speed real,
    primary key (organization_number, person_number, recorded_at, fingerprint))`)
}

async function bulk(
  { sql, load, tokenOf }: Bench,
  org: Organization,
  people: readonly Person[],
): Promise<void> {
  await rawTable(sql)
  const raw = connect(await urlOf(sql), { max: 4 })
  const token = await tokenOf(org.owner)
  const rates = { measured: [] as number[], base: [] as number[], arrays: [] as number[] }
  for (let round = 0; round < rounds + 1; round += 1) {
    const batches = Array.from({ length: bulksARound }, () => drive(bulkSize))
    const bodies = batches.map((rows, index) => {
      const email = people[index % people.length]?.email ?? ""
      return JSON.stringify({ location_histories: rows.map((row) => toBody(email, row)) })
    })
    const outcome = await load({
      path: "/api/v3/location-history/bulk",
      method: "POST",
      token,
      bodies,
      requests: bulksARound,
      warmUp: 0,
      connections: 4,
    })
    if (outcome.refused > 0) throw new Error("a bulk was refused")
    const base = await rawMultiRow(raw, batches)
    const arrays = await rawArrays(raw, batches)
    if (round === 0) continue
    rates.measured.push((bulksARound * bulkSize) / outcome.seconds)
    rates.base.push(base)
    rates.arrays.push(arrays)
  }
  await raw.end()
  const measured = { measured: median(rates.measured), unit: "points/s" }
  const call = `POST /location-history/bulk, ${bulkSize} points a call`
  printRatio({
    ...measured,
    name: `${call}, against multi-row inserts of ${multiRowSize}`,
    base: median(rates.base),
    atLeast: 0.45,
  })
  // No budget: how near to the fastest way that we know.
  process.stdout.write(
    `       against arrays of ${bulkSize}, taken apart by the server: ${median(rates.arrays).toFixed(0)}, ratio ${(measured.measured / median(rates.arrays)).toFixed(2)}\n`,
  )
}

/** As the budget has it: `insert … values (…), (…)`, a hundred rows a statement. */
async function rawMultiRow(raw: Pool, batches: readonly (readonly Row[])[]): Promise<number> {
  await raw`truncate raw_points`
  const started = performance.now()
  const hundreds = batches.flatMap((rows, index) =>
    Array.from({ length: rows.length / multiRowSize }, (_, part) => ({
      person: index % 200,
      rows: rows.slice(part * multiRowSize, (part + 1) * multiRowSize),
    })),
  )
  let next = 0
  const work = async () => {
    for (let index = next++; index < hundreds.length; index = next++) {
      const { person, rows } = hundreds[index] ?? { person: 0, rows: [] }
      const values = rows.map((row) => ({
        recorded_at: new Date(row.at).toISOString(),
        received_at: new Date(row.at).toISOString(),
        lat: row.lat,
        lng: row.lng,
        organization_number: 1,
        person_number: person,
        fingerprint: Math.floor(row.lat * 1e6),
        speed: row.speed,
      }))
      await raw`insert into raw_points ${raw(values)}`
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return (batches.length * bulkSize) / ((performance.now() - started) / 1000)
}

async function rawArrays(raw: Pool, batches: readonly (readonly Row[])[]): Promise<number> {
  await raw`truncate raw_points`
  const started = performance.now()
  let next = 0
  const work = async () => {
    for (let index = next++; index < batches.length; index = next++) {
      const rows = batches[index] ?? []
      const column = (read: (row: Row) => number) => `{${rows.map(read).join(",")}}`
      await raw`
        insert into raw_points (recorded_at, received_at, lat, lng, organization_number, person_number, fingerprint, speed)
        select to_timestamp(at / 1000), now(), lat, lng, 1, ${index % 200}::int, fingerprint, speed
        from unnest(${column((row) => row.at)}::float8[], ${column((row) => row.lat)}::float8[],
          ${column((row) => row.lng)}::float8[], ${column((row) => Math.floor(row.lat * 1e6))}::int[],
          ${column((row) => row.speed)}::real[]) as sent (at, lat, lng, fingerprint, speed)`
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return (batches.length * bulkSize) / ((performance.now() - started) / 1000)
}

async function single(bench: Bench, org: Organization, people: readonly Person[]): Promise<void> {
  const { sql, tokenOf } = bench
  await rawTable(sql)
  const raw = connect(await urlOf(sql), { max: connections })
  const phone = people[0]
  if (!phone) throw new Error("nobody to send positions")
  const ways = {
    "one point a call, by the owner for 200 people": {
      token: await tokenOf(org.owner),
      emailOf: (index: number) => people[index % people.length]?.email ?? "",
    },
    "one point a call, by a phone for itself": { token: await tokenOf(phone), emailOf: () => phone.email },
  }
  for (const [name, way] of Object.entries(ways)) await singles(bench, raw, name, way)
  await raw.end()
}

async function singles(
  { load }: Bench,
  raw: Pool,
  name: string,
  { token, emailOf }: { token: string; emailOf: (index: number) => string },
): Promise<void> {
  const rates = { measured: [] as number[], base: [] as number[] }
  for (let round = 0; round < rounds + 1; round += 1) {
    const rows = drive(singlesARound)
    const bodies = rows.map((row, index) => JSON.stringify(toBody(emailOf(index), row)))
    const outcome = await load({
      path: "/api/v3/location-history",
      method: "POST",
      token,
      bodies,
      requests: singlesARound,
      warmUp: 0,
      connections: 100,
    })
    if (outcome.refused > 0) throw new Error("a point was refused")
    const base = await rawSingles(raw, rows)
    if (round === 0) continue
    rates.measured.push(outcome.perSecond)
    rates.base.push(base)
  }
  printRatio({
    name: `POST /location-history, ${name}, against inserts of one row`,
    measured: median(rates.measured),
    base: median(rates.base),
    unit: "points/s",
    atLeast: 0.5,
  })
}

async function rawSingles(raw: Pool, rows: readonly Row[]): Promise<number> {
  const started = performance.now()
  let next = 0
  const work = async () => {
    for (let index = next++; index < rows.length; index = next++) {
      const row = rows[index]
      if (!row) return
      await raw`
        insert into raw_points (recorded_at, received_at, lat, lng, organization_number, person_number, fingerprint, speed)
        values (to_timestamp(${row.at}::float8 / 1000), now(), ${row.lat}, ${row.lng}, 1, ${index % 200},
          ${Math.floor(row.lat * 1e6)}, ${row.speed})`
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  return rows.length / ((performance.now() - started) / 1000)
}

/** Points that arrive one by one from many people, the worst case for the key, then packed as each night. */
async function bytes({ sql }: Bench, org: Organization, _people: readonly Person[]): Promise<void> {
  const [number] = await sql<{ number: number }[]>`select number from organizations where id = ${org.id}`
  const first = Math.floor(Date.now() / 1000) - 86_400
  await sql.unsafe("truncate location_points")
  const people = 1000
  for (let step = 0; step < 60; step += 1)
    await sql`
      insert into location_points (recorded_at, received_at, lat, lng, organization_number, person_number, fingerprint, speed)
      select to_timestamp(${first}::int + ${step}::int * 50 + k + random()), to_timestamp(${first}::int + ${step}::int * 50 + k),
        52 + random(), 4 + random(), ${number?.number ?? 1}::int, person, (random() * 2e9)::int, random() * 50
      from generate_series(1, 50) as k, generate_series(1, ${people}::int) as person order by k, person`
  const size = async () => {
    const [row] = await sql<{ bytes: number; count: number }[]>`
      select sum(pg_total_relation_size(inhrelid))::bigint as bytes, (select count(*) from location_points) as count
      from pg_inherits where inhparent = 'location_points'::regclass`
    return (row?.bytes ?? 0) / (row?.count ?? 1)
  }
  const loose = await size()
  const keys = await sql<{ name: string }[]>`
    select key.relname as name from pg_inherits i join pg_index x on x.indrelid = i.inhrelid and x.indisprimary
    join pg_class key on key.oid = x.indexrelid where i.inhparent = 'location_points'::regclass`
  for (const { name } of keys) await sql.unsafe(`reindex index concurrently ${name}`)
  const packed = await size()
  process.stdout.write(`       bytes a point before the nightly packing of its day: ${loose.toFixed(1)}\n`)
  printRatio({
    name: "bytes of a stored point with its indexes",
    measured: packed,
    base: 140,
    unit: "bytes",
    atMost: 1,
  })
}

/** The address that the server's own pool uses. */
async function urlOf(sql: Pool): Promise<string> {
  const { host, database } = sql.options
  return `postgres:///${database}?host=${encodeURIComponent(String([host].flat()[0]))}&user=fieldway`
}
