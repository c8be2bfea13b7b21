import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import type { DataTypeRow } from "../../data-types/index.ts"
import { type FieldFilter, notedRecords } from "./dynamic-filter.ts"

/** Both ends belong to it. */
interface Range {
  low: number
  high: number
}

/** What filters on one ordered field leave of its values; undefined where they are not that simple. */
function rangesOf(filters: readonly FieldFilter[]): Range[] | undefined {
  const [only] = filters
  if (filters.length === 1 && only?.operator === "equals")
    return [...new Set(only.values.map(Number))].map((value) => ({ low: value, high: value }))
  if (filters.some(({ operator }) => operator === "equals")) return undefined
  const bounds = (wanted: string) =>
    filters.flatMap(({ operator, values }) => (operator === wanted ? values.map(Number) : []))
  const [low, high] = [Math.max(-Infinity, ...bounds("gte")), Math.min(Infinity, ...bounds("lte"))]
  return [{ low, high }]
}

/**
 * How many records of a type have an ordered field in a range: buckets that lie in it are added up, the one at
 * either end is counted in the index, and records that were noted since are looked at one by one. Exact. 2 ms
 * for half of 1,000,000 records, where counting the index itself took 350. Undefined for filters of other kinds.
 */
export async function countByRange(
  sql: Sql,
  caller: Pick<Caller, "organizationId" | "hubs">,
  type: Pick<DataTypeRow, "id">,
  hubId: string | undefined,
  filters: readonly FieldFilter[],
): Promise<number | undefined> {
  const ranges = rangesOf(filters)
  const fieldId = filters[0]?.field.id
  if (!ranges || fieldId === undefined) return undefined
  const hubs = hubId !== undefined ? [hubId] : caller.hubs === "all" ? ["*"] : ["", ...caller.hubs]
  const inHub = (column: Fragment) =>
    hubs[0] === "*" ? sql`` : sql`and coalesce(${column}, '') = any (${hubs})`
  const inRange = (value: Fragment) =>
    sql`exists (select from ranges where ${value} between ranges.low and ranges.high)`
  const rows = await sql<{ total: number }[]>`
    with ranges as (
      select * from unnest(${ranges.map(({ low }) => low)}::float8[], ${ranges.map(({ high }) => high)}::float8[]) r (low, high)
    ), buckets as (
      select b.hub_id, b.count, greatest(b.lowest, ranges.low) as low, least(b.highest, ranges.high) as high,
        b.lowest >= ranges.low and b.highest <= ranges.high as is_whole
      from ranges join data_search_buckets b on b.low <= ranges.high and b.highest >= ranges.low
      where b.organization_id = ${caller.organizationId} and b.data_type_id = ${type.id} and b.field_id = ${fieldId}
        and b.hub_id = any (${hubs})
    ), noted as materialized (
      ${notedRecords(sql, caller.organizationId, type.id)}
    )
    select (
      coalesce((select sum(count) from buckets where is_whole), 0)
      + coalesce((
        select sum(o.count) from buckets b cross join lateral (
          select count(*) as count from data_search_order o
          where o.organization_id = ${caller.organizationId} and o.data_type_id = ${type.id} and o.field_id = ${fieldId}
            and o.value between b.low and b.high and (b.hub_id = '*' or coalesce(o.hub_id, '') = b.hub_id)
        ) o where not b.is_whole), 0)
      - (
        select count(*) from data_search s where s.organization_id = ${caller.organizationId}
          and s.record_id = any (array(select record_id from noted)) and s.data_type_id = ${type.id}
          ${inHub(sql`s.hub_id`)} and ${inRange(sql`(s.ordered->>${fieldId})::float8`)})
      + (
        select count(*) from data_records r where r.organization_id = ${caller.organizationId}
          and r.id = any (array(select record_id from noted)) and r.data_type_id = ${type.id}
          ${inHub(sql`r.hub_id`)} and ${inRange(sql`(r.ordered->>${fieldId})::float8`)})
    )::bigint as total`
  return rows[0]?.total ?? 0
}
