import { inTransaction, type Pool, type Sql, type Tx } from "#core/database/database.ts"

/** Records of one transaction: enough that statements count little, few enough that it ends within a second or two. */
const batchRecords = 4_000
/** Values of a bucket when it is made, and when it is split again. A value that alone has more gets its own bucket. */
export interface BucketSizes {
  fresh: number
  full: number
}
const usualSizes: BucketSizes = { fresh: 1_000, full: 4_000 }
/** One record of so many counts for the frequency of trigrams. */
const sampledRecords = 16

/** Records changed within so short a time count as many: indexing them beside their writing slows it to half. */
const manyRecords = 2_000
const quietSeconds = 10
/** After that they are indexed all the same: until then a search looks at each of them. */
const longestWaitMinutes = 5

/** Organizations with records that changed since they were indexed, but those that are being written in bulk. */
export async function organizationsToIndex(sql: Sql): Promise<string[]> {
  const rows = await sql<{ organizationId: string }[]>`
    select organization_id from data_search_notes group by organization_id
    having sum(cardinality(record_ids)) <= ${manyRecords}
      or max(noted_time) < now() - make_interval(secs => ${quietSeconds})
      or min(noted_time) < now() - make_interval(mins => ${longestWaitMinutes})`
  return rows.map(({ organizationId }) => organizationId)
}

/**
 * Indexes a batch of noted records as they are now. The notes go in the transaction that indexes, so a search
 * finds a record at any moment either noted or indexed as it is. Returns whether there may be more to do.
 */
export function indexNotedRecords(
  sql: Pool,
  organizationId: string,
  sizes: BucketSizes = usualSizes,
): Promise<boolean> {
  return inTransaction(sql, async (tx) => {
    const [organization] = await tx<{ isMine: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtextextended(${`data-search:${organizationId}`}, 0)) as is_mine
      from organizations where id = ${organizationId} for key share`
    if (!organization?.isMine) return false
    const notes = await tx<{ dataTypeId: string; recordIds: string[] }[]>`
      delete from data_search_notes where organization_id = ${organizationId} and id in (
        select id from (
          select id, sum(cardinality(record_ids)) over (order by id) - cardinality(record_ids) as before
          from (
            select id, record_ids from data_search_notes where organization_id = ${organizationId} order by id limit ${batchRecords}
          ) oldest
        ) counted where before < ${batchRecords})
      returning data_type_id, record_ids`
    if (notes.length === 0) return false
    const ids = [...new Set(notes.flatMap(({ recordIds }) => recordIds))].toSorted()
    const types = [...new Set(notes.map(({ dataTypeId }) => dataTypeId))]
    await removeIndexed(tx, organizationId, ids)
    await insertIndexed(tx, organizationId, ids)
    await splitBuckets(tx, organizationId, types, sizes)
    return true
  })
}

async function removeIndexed(tx: Tx, organizationId: string, ids: readonly string[]): Promise<void> {
  const indexed = await tx<{ recordId: string }[]>`
    select record_id from data_search where organization_id = ${organizationId} and record_id = any (${ids as string[]})`
  if (indexed.length === 0) return
  const known = indexed.map(({ recordId }) => recordId)
  await countInBuckets(tx, organizationId, known, -1)
  // The whole key of an entry is known, so that each is found by itself whatever the statistics say.
  await tx`
    delete from data_search_order where ctid = any (array(
      select o.ctid from data_search s cross join lateral jsonb_each_text(s.ordered) e cross join lateral (
        select ctid from data_search_order o where o.organization_id = s.organization_id and o.data_type_id = s.data_type_id
          and o.field_id = e.key and o.value = e.value::float8 and o.record_id = s.record_id offset 0
      ) o
      where s.organization_id = ${organizationId} and s.record_id = any (${known})))`
  await tx`delete from data_search where organization_id = ${organizationId} and record_id = any (${known})`
}

async function insertIndexed(tx: Tx, organizationId: string, ids: readonly string[]): Promise<void> {
  await tx`
    insert into data_search (organization_id, record_id, data_type_id, hub_id, words, "values", ordered)
    select organization_id, id, data_type_id, hub_id,
      concat_ws(chr(10), data_id, (select string_agg(value, chr(10)) from jsonb_each_text("values"))), "values", ordered
    from data_records where organization_id = ${organizationId} and id = any (${ids as string[]}) order by id`
  await tx`
    insert into data_search_order (organization_id, data_type_id, field_id, value, record_id, hub_id)
    select s.organization_id, s.data_type_id, e.key, e.value::float8, s.record_id, s.hub_id
    from data_search s cross join lateral jsonb_each_text(s.ordered) e
    where s.organization_id = ${organizationId} and s.record_id = any (${ids as string[]})
    order by 2, 3, 4, 5`
  await countInBuckets(tx, organizationId, ids, 1)
  await tx`
    insert into data_search_trigrams as t (organization_id, data_type_id, trigram, count)
    select s.organization_id, s.data_type_id, w.trigram, count(*)
    from data_search s cross join lateral unnest(show_trgm(s.words)) w (trigram)
    where s.organization_id = ${organizationId} and s.record_id = any (${ids as string[]})
      and hashtext(s.record_id) % ${sampledRecords} = 0 and w.trigram !~ '^0x'
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (organization_id, data_type_id, trigram) do update set count = t.count + excluded.count`
}

/** Adds the ordered values of these records to the buckets that they fall into, or takes them out. */
async function countInBuckets(tx: Tx, organizationId: string, ids: readonly string[], sign: 1 | -1) {
  const entries = tx`
    select s.data_type_id, e.key as field_id, coalesce(s.hub_id, '') as hub_id, e.value::float8 as value
    from data_search s cross join lateral jsonb_each_text(s.ordered) e
    where s.organization_id = ${organizationId} and s.record_id = any (${ids as string[]})`
  if (sign === 1)
    await tx`
      insert into data_search_buckets (organization_id, data_type_id, field_id, hub_id, low, lowest, highest, count)
      select distinct ${organizationId}, data_type_id, field_id, '*', '-Infinity'::float8, 'Infinity'::float8, '-Infinity'::float8, 0
      from (${entries}) entries
      on conflict do nothing`
  await tx`
    insert into data_search_buckets as b (organization_id, data_type_id, field_id, hub_id, low, lowest, highest, count)
    select ${organizationId}, v.data_type_id, v.field_id, h.hub_id, f.low, min(v.value), max(v.value), ${sign} * sum(v.count)
    from (
      select data_type_id, field_id, hub_id, value, count(*) as count from (${entries}) entries group by 1, 2, 3, 4
    ) v cross join lateral (
      select low from data_search_buckets where organization_id = ${organizationId} and data_type_id = v.data_type_id
        and field_id = v.field_id and hub_id = '*' and low <= v.value
      order by low desc limit 1
    ) f cross join lateral (values ('*'), (v.hub_id)) h (hub_id)
    group by 2, 3, 4, 5 order by 2, 3, 4, 5
    on conflict (organization_id, data_type_id, field_id, hub_id, low) do update set
      count = b.count + excluded.count, lowest = least(b.lowest, excluded.lowest), highest = greatest(b.highest, excluded.highest)`
}

interface FullBucket {
  dataTypeId: string
  fieldId: string
  low: number
  end: number
}

/** Splits the buckets of these types that hold too many values. */
export async function splitBuckets(
  tx: Tx,
  organizationId: string,
  types: readonly string[],
  sizes: BucketSizes = usualSizes,
): Promise<void> {
  const full = await tx<FullBucket[]>`
    select data_type_id, field_id, low, "end" from (
      select data_type_id, field_id, low, lowest, highest, count,
        lead(low, 1, 'Infinity') over (partition by data_type_id, field_id order by low) as "end"
      from data_search_buckets
      where organization_id = ${organizationId} and data_type_id = any (${types as string[]}) and hub_id = '*'
    ) b where count > ${sizes.full} and lowest < highest`
  for (const bucket of full) await splitBucket(tx, organizationId, bucket, sizes.fresh)
}

/**
 * Makes buckets of about `bucketValues` values out of one. A value that many records have stands alone, so that no
 * bound of a range ever lies inside of it. Windows only: a join of what is grouped here has no estimate to go by.
 */
async function splitBucket(
  tx: Tx,
  organizationId: string,
  { dataTypeId, fieldId, low, end }: FullBucket,
  bucketValues: number,
): Promise<void> {
  await tx`
    delete from data_search_buckets where organization_id = ${organizationId} and data_type_id = ${dataTypeId}
      and field_id = ${fieldId} and low = ${low}::float8`
  await tx`
    with entries as materialized (
      select value, coalesce(hub_id, '') as hub_id, count(*) as count from data_search_order
      where organization_id = ${organizationId} and data_type_id = ${dataTypeId} and field_id = ${fieldId}
        and value >= ${low}::float8 and value < ${end}::float8
      group by 1, 2
    ), running as (
      select value, hub_id, count, sum(count) over (order by value) as through, sum(count) over (partition by value) as here
      from entries
    ), grouped as (
      select value, hub_id, count, here >= ${bucketValues}::int as is_alone, floor((through - here) / ${bucketValues}::int) as part,
        coalesce(sum(count) filter (where here >= ${bucketValues}::int) over (order by value), 0)
          - case when here >= ${bucketValues}::int then here else 0 end as through_alone
      from running
    ), placed as (
      select value, hub_id, count, min(value) over (partition by is_alone, part, through_alone) as low
      from grouped
    )
    insert into data_search_buckets (organization_id, data_type_id, field_id, hub_id, low, lowest, highest, count)
    select ${organizationId}, ${dataTypeId}, ${fieldId}, h.hub_id,
      case when placed.low = (select min(value) from entries) then ${low}::float8 else placed.low end,
      min(value), max(value), sum(count)
    from placed cross join lateral (values ('*'), (placed.hub_id)) h (hub_id)
    group by 4, 5`
}
