/*
 * Data records: lists filtered on dynamic fields at 1,000 and at 1,000,000 records of one type, through the
 * whole route, and POST /data/bulk/upsert of 2,000 records against the bare `insert ... on conflict` of the
 * same rows into the same table by the same driver.
 * Run: node bench/data.ts [records] [part of a name]
 */
import { inTransaction, type Pool, type Sql } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { aDataType, aHub, anOrganization, type Organization } from "#samples/builders.ts"
import { splitBuckets } from "../server/features/work/data-records/find/index-records.ts"
import { type Bench, median, printRatio, startBench } from "./load/harness.ts"

const large = Number(process.argv[2] ?? 1_000_000)
const only = process.argv[3] ?? ""
const hubCount = 5

const fields = [
  { id: "dataId", title: "Key" },
  { id: "name", title: "Name", type: "text", required: true },
  { id: "batch", title: "Batch", type: "text" },
  { id: "grade", title: "Grade", type: "option", optionData: ["gold", "silver", "bronze", "none"] },
  { id: "active", title: "Active", type: "boolean" },
  { id: "crates", title: "Crates", type: "number" },
  { id: "contractEnd", title: "Contract end", type: "date" },
  { id: "spot", title: "Spot", type: "geolocation" },
  { id: "phone", title: "Phone", type: "phoneNumber" },
  { id: "lastAudit", title: "Last audit", type: "dateTime" },
]

interface Seeded {
  org: Organization
  type: { id: string; name: string }
  hubs: { id: string }[]
  count: number
}

const bench = await startBench()
try {
  if (only === "" || only === "upsert") await upserts(bench)
  if (only !== "upsert") {
    const few = await seed(bench.sql, 1_000)
    const many = await seed(bench.sql, large)
    await settle(bench.sql)
    await lists(bench, few, many)
  }
} finally {
  await bench.close()
}

async function lists(bench: Bench, few: Seeded, many: Seeded): Promise<void> {
  type Make = (seeded: Seeded) => string
  const middle = (seeded: Seeded) => Math.floor(seeded.count / 2)
  const day = (seeded: Seeded) =>
    new Date(Date.UTC(2000, 0, 1) + Math.floor(middle(seeded) / 20) * 86_400_000).toISOString().slice(0, 10)
  const cases: [name: string, query: Make][] = [
    ["type alone", () => ""],
    ["type and hub", (seeded) => `&hubId=${seeded.hubs[2]?.id}`],
    ["text equal, 20 matches", (seeded) => `&filter[batch]=B${Math.floor(middle(seeded) / 20)}`],
    ["option equal, a quarter matches", () => "&filter[grade]=gold"],
    ["option equal and hub", (seeded) => `&filter[grade]=gold&hubId=${seeded.hubs[2]?.id}`],
    ["boolean equal, a half matches", () => "&filter[active]=true"],
    ["number equal, 1 match", (seeded) => `&filter[crates]=${middle(seeded)}`],
    [
      "number range, 20 matches",
      (seeded) => `&filter[crates][gte]=${middle(seeded)}&filter[crates][lte]=${middle(seeded) + 19}`,
    ],
    [
      "number range, 500 matches",
      (seeded) => `&filter[crates][gte]=${middle(seeded)}&filter[crates][lte]=${middle(seeded) + 499}`,
    ],
    ["date equal, 20 matches", (seeded) => `&filter[contractEnd]=${day(seeded)}`],
    [
      "text equal and number range",
      (seeded) =>
        `&filter[batch]=B${Math.floor(middle(seeded) / 20)}&filter[crates][gte]=${middle(seeded) + 5}`,
    ],
    ["dataId", (seeded) => `&dataId=K${middle(seeded)},K${middle(seeded) + 1}`],
    ["text contains, 1 match", (seeded) => `&filter[name][contains]=Partner ${middle(seeded)} `],
    ["text contains, a third matches", () => "&filter[name][contains]=Harbour"],
    ["number range, half matches", (seeded) => `&filter[crates][gte]=${middle(seeded)}`],
    ["last page", (seeded) => `&page=${seeded.count / 20}`],
  ]
  const [tokenFew, tokenMany] = [await bench.tokenOf(few.org.owner), await bench.tokenOf(many.org.owner)]
  for (const [name, query] of cases.filter(([name]) => name.includes(only))) {
    const [base, measured] = await timeInTurn(bench, [
      { token: tokenFew, url: urlOf(few, query) },
      { token: tokenMany, url: urlOf(many, query) },
    ])
    const title = `GET /data ${name}, ${large.toLocaleString("en")} records against 1,000`
    printRatio({
      name: `${title} (${measured?.total} matches)`,
      measured: measured?.milliseconds ?? 0,
      base: base?.milliseconds ?? 0,
      unit: "ms",
      atMost: 4,
    })
  }
}

function urlOf(seeded: Seeded, query: (seeded: Seeded) => string): string {
  return encodeURI(`/api/v3/data?dataTypeId=${seeded.type.id}${query(seeded)}`)
}

/** Medians of requests that take turns, so that whatever else the machine does meets all of them. */
async function timeInTurn(bench: Bench, requests: readonly { token: string; url: string }[]) {
  const sides = requests.map(() => ({ times: [] as number[], total: 0 }))
  for (let round = 0; round < 25; round += 1)
    for (const [index, { token, url }] of requests.entries()) {
      const start = performance.now()
      const reply = await bench.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
      if (reply.statusCode !== 200) throw new Error(`${url}: ${reply.body}`)
      const side = sides[index]
      if (!side) continue
      side.total = reply.json().data.total
      if (round >= 4) side.times.push(performance.now() - start)
    }
  return sides.map(({ times, total }) => ({ milliseconds: median(times), total }))
}

/** Records as if made one a second, loaded without indexes and triggers, whose work is done by hand after. */
async function seed(sql: Pool, count: number): Promise<Seeded> {
  const org = await anOrganization(sql)
  const hubs = []
  for (let index = 0; index < hubCount; index += 1) hubs.push(await aHub(sql, { org }))
  const type = await aDataType(sql, { org, fields })
  const hubIds = hubs.map((hub) => hub.id)
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and tablename in ('data_records', 'data_search', 'data_search_order') and indexname not like '%_pkey'`
  const session = await sql.reserve()
  await session.unsafe(
    "set statement_timeout = 0; set session_replication_role = replica; set maintenance_work_mem = '256MB'",
  )
  for (const { name } of indexes) await session.unsafe(`drop index ${name}`)
  for (let from = 0; from < count; from += 100_000) {
    const to = Math.min(count, from + 100_000)
    await session`
      insert into data_records (organization_id, id, data_type_id, hub_id, data_id, "values", ordered, created_by, created_time, updated_time)
      select ${org.id}, lpad(to_hex(1800000000 + n), 8, '0') || lpad(to_hex(n), 16, '0'), ${type.id}, (${hubIds}::text[])[1 + n % ${hubCount}::int],
        'K' || n, jsonb_build_object('name', 'Partner ' || n || ' of ' || (array['Harbour','Mill','Station'])[1 + n % 3],
          'batch', 'B' || n / 20, 'grade', (array['gold','silver','bronze','none'])[1 + n % 4], 'active', n % 2 = 0,
          'crates', n, 'contractEnd', (date '2000-01-01' + n / 20)::text, 'spot', '51.4545,-2.5879',
          'phone', '+44 117 496 0111', 'lastAudit', '2025-05-02 14:05:00'),
        jsonb_build_object('crates', n, 'contractEnd', extract(epoch from date '2000-01-01' + n / 20) * 1000, 'lastAudit', 1746194700000),
        ${org.owner.email}, to_timestamp(1800000000 + n), to_timestamp(1800000000 + n)
      from generate_series(${from}::int, ${to - 1}::int) n`
  }
  await session`
    insert into data_search_order (organization_id, data_type_id, field_id, value, record_id, hub_id)
    select organization_id, data_type_id, o.key, o.value::float8, id, hub_id
    from data_records cross join jsonb_each_text(ordered) o where organization_id = ${org.id}`
  await session`
    insert into data_search (organization_id, record_id, data_type_id, hub_id, words, "values", ordered)
    select organization_id, id, data_type_id, hub_id,
      concat_ws(chr(10), data_id, (select string_agg(value, chr(10)) from jsonb_each_text("values"))), "values", ordered
    from data_records where organization_id = ${org.id}`
  await session`
    insert into data_search_trigrams (organization_id, data_type_id, trigram, count)
    select organization_id, data_type_id, w, count(*) from data_search cross join lateral unnest(show_trgm(words)) w
    where organization_id = ${org.id} and hashtext(record_id) % 16 = 0 group by 1, 2, 3`
  await session`
    insert into data_search_buckets (organization_id, data_type_id, field_id, hub_id, low, lowest, highest, count)
    select organization_id, data_type_id, field_id, h, '-Infinity'::float8, min(value), max(value), count(*)
    from data_search_order cross join lateral (values ('*'), (hub_id)) hubs (h) where organization_id = ${org.id} group by 1, 2, 3, 4`
  await session`
    insert into data_counts (organization_id, data_type_id, hub_id, field_id, value, count)
    select organization_id, data_type_id, hub_id, f, case when f = '' then '' else "values"->>f end, count(*)
    from data_records cross join unnest(array['', 'grade', 'active']) f where organization_id = ${org.id} group by 1, 2, 3, 4, 5`
  for (const { definition } of indexes) await session.unsafe(definition)
  await session.unsafe("reset statement_timeout; reset session_replication_role; reset maintenance_work_mem")
  session.release()
  await inTransaction(sql, async (tx) => {
    await tx`set local statement_timeout = 0`
    await splitBuckets(tx, org.id, [type.id])
  })
  return { org, type, hubs, count }
}

async function settle(sql: Pool): Promise<void> {
  const session = await sql.reserve()
  for (const command of [
    "set statement_timeout = 0",
    "vacuum analyze",
    "checkpoint",
    "reset statement_timeout",
  ])
    await session.unsafe(command)
  session.release()
}

/** Rounds of fresh rows and of rows that exist, the two sides in turn, in organizations of equal size. */
async function upserts(bench: Bench): Promise<void> {
  const size = 2000
  const rounds = 5
  const warmUps = 1
  const [ours, bare] = [await seed(bench.sql, 1_000), await seed(bench.sql, 1_000)]
  // A third side, harder than asked for: the table without its triggers and foreign keys, so without counts.
  const plain = await seed(bench.sql, 1_000)
  const withoutTriggers = await bench.sql.reserve()
  await withoutTriggers`set session_replication_role = replica`
  const token = await bench.tokenOf(ours.org.owner)
  const sides = () => ({ api: [] as number[], bare: [] as number[], plain: [] as number[] })
  const times = { insert: sides(), update: sides() }
  for (let round = 0; round < rounds + warmUps; round += 1) {
    for (const kind of ["insert", "update"] as const) {
      const rows = rowsOf(round, size, kind)
      const api = await timed(() => postRows(bench, token, ours, rows))
      const raw = await timed(() => insertRows(bench.sql, bare, rows))
      const untriggered = await timed(() => insertRows(withoutTriggers, plain, rows))
      if (round < warmUps) continue
      times[kind].api.push(api)
      times[kind].bare.push(raw)
      times[kind].plain.push(untriggered)
    }
  }
  for (const kind of ["insert", "update"] as const) {
    const perSecond = (milliseconds: readonly number[]) => (size / median(milliseconds)) * 1000
    const { api, bare, plain } = times[kind]
    const name = `POST /data/bulk/upsert, ${size} records, ${kind === "insert" ? "all new" : "all there"}`
    const measured = perSecond(api)
    printRatio({ name, measured, base: perSecond(bare), unit: "records/s", atLeast: 0.4 })
    const hard = `${name}, against a table without triggers`
    printRatio({ name: hard, measured, base: perSecond(plain), unit: "records/s", atLeast: 0.4 })
  }
  await withoutTriggers`reset session_replication_role`
  withoutTriggers.release()
}

function rowsOf(round: number, size: number, kind: "insert" | "update") {
  return Array.from({ length: size }, (_, index) => {
    const n = round * size + index
    const values = {
      name: `Partner ${n} of ${kind}`,
      batch: `B${n % 100}`,
      grade: kind === "insert" ? "gold" : "silver",
      active: n % 2 === 0,
      crates: kind === "insert" ? n : n + 1,
      contractEnd: "2027-03-31",
      spot: "51.4545,-2.5879",
      phone: "+44 117 496 0111",
      lastAudit: "2025-05-02 14:05:00",
    }
    return { dataId: `U${n}`, hub: n % hubCount, values }
  })
}
type Rows = ReturnType<typeof rowsOf>

async function postRows(bench: Bench, token: string, { type, hubs }: Seeded, rows: Rows): Promise<void> {
  const data = rows.map(({ dataId, hub, values }) => ({
    dataId,
    dataTypeId: type.id,
    hubId: hubs[hub]?.id,
    ...values,
  }))
  const reply = await bench.app.inject({
    method: "POST",
    url: "/api/v3/data/bulk/upsert",
    headers: { authorization: `Bearer ${token}` },
    payload: { data },
  })
  if (reply.json().success !== rows.length) throw new Error(reply.body.slice(0, 500))
}

async function insertRows(sql: Sql, { org, type, hubs }: Seeded, rows: Rows): Promise<void> {
  const ordered = rows.map(({ values }) =>
    JSON.stringify({
      crates: values.crates,
      contractEnd: Date.parse(values.contractEnd),
      lastAudit: 1746194700000,
    }),
  )
  await sql`
    insert into data_records (organization_id, id, data_type_id, hub_id, data_id, "values", ordered, created_by, created_time, updated_time)
    select ${org.id}, id, ${type.id}, hub_id, data_id, "values"::jsonb, ordered::jsonb, ${org.owner.email}, now(), now()
    from unnest(${rows.map(() => newId())}::text[], ${rows.map(({ hub }) => hubs[hub]?.id ?? "")}::text[],
      ${rows.map(({ dataId }) => dataId)}::text[], ${rows.map(({ values }) => JSON.stringify(values))}::text[], ${ordered}::text[]
    ) as r (id, hub_id, data_id, "values", ordered)
    on conflict (organization_id, data_type_id, hub_id, data_id) do update set "values" = excluded."values",
      ordered = excluded.ordered, updated_by = excluded.created_by, updated_time = excluded.updated_time`
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
