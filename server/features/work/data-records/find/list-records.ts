import { type Caller, hasHub } from "#core/access/caller.ts"
import { afterPlace, cutPage, type Place, pageAfter, placeColumns } from "#core/cursor-paging.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import type { PageOptions } from "#core/paging.ts"
import { readInSlices } from "#core/read-in-slices.ts"
import { countedFields, type DataTypeRow, hasOrder } from "../../data-types/index.ts"
import { dataErrors } from "../errors.ts"
import { recordColumns, type Sight, visibleRecords } from "../queries.ts"
import type { RecordRow } from "../wire.ts"
import { countByRange } from "./count-range.ts"
import { byIndex, byRow, type FieldFilter, isIndexed } from "./dynamic-filter.ts"
import { rarestPart } from "./rare-text.ts"
import { builtCondition } from "./record-filter-fields.ts"
import {
  cursorOrder,
  isIndexedOrder,
  type RecordOrder,
  readRecordCursor,
  sortExpression,
} from "./record-order.ts"

export interface RecordFilter {
  /** Undefined: all types of the organization. */
  type: DataTypeRow | undefined
  hubId: string | undefined
  dataIds: readonly string[] | undefined
  updatedSince: Temporal.Instant | undefined
  fields: readonly FieldFilter[]
  /** The filter that people build, as JSON. */
  built?: { text: string; now: Temporal.Instant } | undefined
  onlyMine: boolean
}

const widestSort = 20_000

/** A page of records with the exact total of the whole filter. */
export async function listRecords(
  sql: Sql,
  caller: Caller,
  filter: RecordFilter,
  options: { order: RecordOrder; page: PageOptions },
): Promise<{ rows: RecordRow[]; total: number }> {
  const found = await prepare(sql, caller, filter, options.order)
  const { total } = found
  const { limit, offset } = options.page
  if (offset >= total) return { rows: [], total }
  const isFromEnd = offset > total / 2
  const size = Math.min(limit, total - offset)
  const skip = isFromEnd ? total - offset - size : offset
  const direction = isFromEnd === (options.order.direction === "desc") ? sql`asc` : sql`desc`
  const order = sql`order by ${sortExpression(sql, options.order.sortBy, filter.type)} ${direction}, data_records.id ${direction}
    limit ${size} offset ${skip}`
  const { source } = await sourceOf(sql, filter, found, skip + size)
  const rows = await readInSlices(
    sql<RecordRow[]>`select ${recordColumns(sql)} from ${source} ${order}`,
    size,
  )
  return { rows: isFromEnd ? rows.toReversed() : rows, total }
}

/** Cursor mode: the records after a place, in the same order. */
export async function listRecordsAfter(
  sql: Sql,
  caller: Caller,
  filter: RecordFilter,
  options: { order: RecordOrder; limit: number; cursor: string | undefined },
): Promise<{ rows: RecordRow[]; nextCursor: string | null }> {
  const { limit, cursor } = options
  const order = cursorOrder(sql, options.order, filter.type)
  const place = cursor === undefined ? undefined : await readRecordCursor(sql, caller, order, cursor)
  const found = await prepare(sql, caller, filter, options.order)
  if (found.total === 0) return { rows: [], nextCursor: null }
  const { source } = await sourceOf(sql, filter, found, limit + 1)
  const rows = await sql<(RecordRow & Place)[]>`
    select ${recordColumns(sql)}, ${placeColumns(sql, order)} from ${source}
    ${place ? sql`where ${afterPlace(sql, order, place)}` : sql``} ${pageAfter(sql, order, limit)}`
  return cutPage(rows, order, limit)
}

interface Found {
  sight: Sight
  byBest: FieldCondition
  total: number
}

async function prepare(sql: Sql, caller: Caller, filter: RecordFilter, order: RecordOrder): Promise<Found> {
  const sight = { caller, onlyMine: filter.onlyMine && (await limitsSomething(sql, caller, filter)) }
  const byBest = await bestIndexes(sql, caller, filter)
  const isOutside = filter.hubId !== undefined && !hasHub(caller, filter.hubId)
  const total = isOutside ? 0 : await countRecords(sql, sight, filter, byBest)
  if (!isIndexedOrder(order) && total > widestSort) throw dataErrors.sortTooWide()
  return { sight, byBest, total }
}

/** The matching records as `data_records`, in the way that finds the first `wanted` of an order soonest. */
async function sourceOf(
  sql: Sql,
  filter: RecordFilter,
  { sight, byBest, total }: Found,
  wanted: number,
): Promise<{ source: Fragment }> {
  const isFetched = await isSelective(sql, sight, filter, total, wanted)
  const where = conditions(
    sql,
    sight,
    filter,
    isFetched ? byBest : (handle, _type, one) => byRow(handle, one),
  )
  const rows = sql`(select data_records.* from data_records where ${where} ${isFetched ? sql`offset 0` : sql``})`
  // In an object: a fragment that is awaited would be sent.
  return { source: sql`${rows} as data_records` }
}

type FieldCondition = (sql: Sql, type: DataTypeRow, filter: FieldFilter) => Fragment

function conditions(sql: Sql, sight: Sight, filter: RecordFilter, ofField: FieldCondition): Fragment {
  const { type, hubId, dataIds, updatedSince, built } = filter
  const parts = [
    ...(type ? [sql`data_records.data_type_id = ${type.id}`] : []),
    ...(hubId === undefined ? [] : [sql`data_records.hub_id = ${hubId}`]),
    ...(dataIds === undefined ? [] : [sql`data_records.data_id = any (${dataIds as string[]})`]),
    ...(updatedSince === undefined ? [] : [sql`data_records.updated_time >= ${updatedSince}`]),
    ...(type ? filter.fields.map((wanted) => ofField(sql, type, wanted)) : []),
    ...(built ? [builtCondition(sql, sight.caller, type, built.text, built.now)] : []),
  ]
  return parts.reduce((sofar, part) => sql`${sofar} and ${part}`, visibleRecords(sql, sight))
}

/** The condition of requests about fields of one type, for other readers of records, such as exports. */
export async function fieldConditions(
  sql: Sql,
  caller: Caller,
  type: DataTypeRow,
  fields: readonly FieldFilter[],
): Promise<(handle: Sql) => Fragment> {
  const filter = { type, hubId: undefined, dataIds: undefined, updatedSince: undefined, fields }
  const ofField = await bestIndexes(sql, caller, { ...filter, onlyMine: false })
  return (handle) =>
    fields
      .map((wanted) => ofField(handle, type, wanted))
      .reduce((sofar, part) => handle`${sofar} and ${part}`, handle``)
}

/** Only types that say so limit their records: without one in question the lists are not looked at. */
async function limitsSomething(sql: Sql, caller: Caller, { type }: RecordFilter): Promise<boolean> {
  if (caller.isOwner) return false
  if (type) return type.limitUser
  const rows = await sql`
    select from data_types where organization_id = ${caller.organizationId} and limit_user limit 1`
  return rows.length > 0
}

/** Filters that fewer records match than this go by their index, beside the one that fewest match. */
const fewMatches = 20_000
/**
 * Above so many, texts are read row by row, by several workers: each match of the index is a row looked up by itself. A
 * third of 1,000,000, counted at load 30: 23 s by the index, 6.5 s by the rows.
 */
const wideMatches = 50_000

/** Which filters go by an index: a filter that many records match is looked up row by row beside a narrow one. */
async function bestIndexes(
  sql: Sql,
  caller: Caller,
  { type, fields }: RecordFilter,
): Promise<FieldCondition> {
  const parts = new Map<FieldFilter, string>()
  const bounds = new Map<FieldFilter, FieldFilter[]>()
  const matches = new Map<FieldFilter, number>()
  for (const wanted of fields) {
    if (!type || !isIndexed(wanted)) continue
    if (wanted.operator === "contains") {
      const rarest = await rarestPart(sql, type, String(wanted.values[0]))
      parts.set(wanted, rarest.part)
      matches.set(wanted, rarest.matches)
      continue
    }
    const same = hasOrder(wanted.field)
      ? fields.filter(({ field, operator }) => field.id === wanted.field.id && operator !== "contains")
      : [wanted]
    // The first bound of a field stands for the whole range.
    if (same[0] !== wanted) continue
    bounds.set(wanted, same)
    matches.set(wanted, same.length === fields.length ? 0 : await estimate(sql, caller, type, same))
  }
  const fewest = Math.min(...matches.values())
  const isByIndex = (wanted: FieldFilter) => {
    const found = matches.get(wanted) ?? Infinity
    return found <= Math.max(fewest, fewMatches) && !(wanted.operator === "contains" && found > wideMatches)
  }
  return (handle, of, wanted) =>
    isByIndex(wanted) && matches.has(wanted)
      ? byIndex(handle, of, wanted, { part: parts.get(wanted), bounds: bounds.get(wanted) ?? [wanted] })
      : byRow(handle, wanted)
}

/** About how many records of the type match; 0 without a count. */
async function estimate(
  sql: Sql,
  caller: Caller,
  type: DataTypeRow,
  same: readonly FieldFilter[],
): Promise<number> {
  const all = { ...caller, hubs: "all" as const }
  const [first] = same
  if (first && hasOrder(first.field)) return (await countByRange(sql, all, type, undefined, same)) ?? 0
  const only = { type, hubId: undefined, dataIds: undefined, updatedSince: undefined, fields: same }
  const counts = countedBy(sql, { ...only, onlyMine: false })
  return counts ? countByGroups(sql, all, { ...only, onlyMine: false }, counts) : 0
}

async function countRecords(
  sql: Sql,
  sight: Sight,
  filter: RecordFilter,
  byBest: FieldCondition,
): Promise<number> {
  const counts = countedBy(sql, filter)
  if (counts && !sight.onlyMine) return countByGroups(sql, sight.caller, filter, counts)
  const [only] = filter.fields
  if (
    filter.type &&
    only &&
    filter.fields.every((wanted) => wanted.field.id === only.field.id) &&
    isOnlyRange(filter, sight)
  ) {
    const total = await countByRange(sql, sight.caller, filter.type, filter.hubId, filter.fields)
    if (total !== undefined) return total
  }
  const rows = await sql<{ total: number }[]>`
    select count(*) as total from data_records where ${conditions(sql, sight, filter, byBest)}`
  return rows[0]?.total ?? 0
}

/** The stored counts that match the filter; undefined when rows must be counted. */
function countedBy(sql: Sql, filter: RecordFilter): Fragment | undefined {
  const { type, dataIds, updatedSince, fields, built } = filter
  if (dataIds !== undefined || updatedSince !== undefined || fields.length > 1 || built) return undefined
  const [only] = fields
  if (!only) return sql`field_id = ''`
  if (!type || only.operator !== "equals" || !countedFields(type.fields).includes(only.field.id))
    return undefined
  const values = [...new Set(only.values.map(String))]
  // Longer values are not counted.
  if (values.some((value) => value.length > 255)) return undefined
  return sql`field_id = ${only.field.id} and value = any (${values})`
}

async function countByGroups(
  sql: Sql,
  caller: Caller,
  { type, hubId }: RecordFilter,
  counts: Fragment,
): Promise<number> {
  const where = sql`organization_id = ${caller.organizationId} ${type ? sql`and data_type_id = ${type.id}` : sql``}
    and ${counts} ${inHubs(sql, caller, hubId, sql`hub_id`, sql`hub_id = ''`)}`
  const rows = await sql<{ total: number }[]>`
    select coalesce(sum(count), 0)::bigint as total from (
      select count from data_counts where ${where}
      union all
      select change from data_count_changes where ${where}
    ) counted`
  return rows[0]?.total ?? 0
}

function inHubs(sql: Sql, caller: Caller, hubId: string | undefined, column: Fragment, common: Fragment) {
  if (hubId !== undefined) return sql`and ${column} = ${hubId}`
  return caller.hubs === "all" ? sql`` : sql`and (${common} or ${column} = any (${[...caller.hubs]}))`
}

function isOnlyRange({ dataIds, updatedSince, fields, built }: RecordFilter, sight: Sight): boolean {
  const isPlain = dataIds === undefined && updatedSince === undefined && !built && !sight.onlyMine
  return isPlain && fields.every(({ field, operator }) => hasOrder(field) && operator !== "contains")
}

/**
 * Whether to fetch all matches by index and sort them, or to walk the records in order until the page is
 * full. Walking looks at about `wanted * all / total` rows, fetching at `total`.
 */
async function isSelective(
  sql: Sql,
  sight: Sight,
  filter: RecordFilter,
  total: number,
  wanted: number,
): Promise<boolean> {
  const { type, fields } = filter
  if (!type || !fields.some(isIndexed)) return false
  const all = await countByGroups(sql, sight.caller, { ...filter, hubId: undefined }, sql`field_id = ''`)
  return total * total < wanted * all
}
