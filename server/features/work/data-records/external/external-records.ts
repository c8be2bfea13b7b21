import { createHash } from "node:crypto"
import { type Caller, hasHub } from "#core/access/caller.ts"
import { cutPage, type Place, readCursor } from "#core/cursor-paging.ts"
import type { App } from "#core/http/types.ts"
import type { Id } from "#core/ids.ts"
import { OutboundError, sendOutbound } from "#core/outbound/outbound-http.ts"
import type { PageOptions } from "#core/paging.ts"
import {
  type DataTypeRow,
  type Field,
  type FieldValue,
  hasOrder,
  isEmptyValue,
  orderKeyOf,
  primaryKeyId,
  providerKeyOf,
  readFields,
  readPrimaryKey,
} from "../../data-types/index.ts"
import { dataErrors } from "../errors.ts"
import type { FieldFilter } from "../find/dynamic-filter.ts"
import type { RecordFilter } from "../find/list-records.ts"
import type { RecordOrder } from "../find/record-order.ts"
import { type RecordRow, toWireRecord } from "../wire.ts"

const timeoutMilliseconds = 10_000
const maxBytes = 20 * 1024 ** 2

/**
 * The records that the service of an `external-api` type returns now, as far as the caller may see
 * them. They are not stored: an id follows from type and key. Values that are not of their field's kind
 * are left out, and so are rows without a key.
 */
export async function fetchExternalRecords(
  caller: Caller,
  type: DataTypeRow,
  { sql, settings, clock }: Pick<App, "sql" | "settings" | "clock">,
): Promise<RecordRow[]> {
  const now = clock.now()
  const key = await providerKeyOf({ sql, config: settings }, type).catch((error: unknown) => {
    throw unusable("cannot be called, as its key cannot be opened: enter it again", error)
  })
  const rows = await fetchRows(type, key, settings.webhookAllow)
  const seen = new Set<string>()
  return rows.flatMap((row) => {
    const record = toRecord(type, row, now)
    if (!record || seen.has(record.id) || !maySee(caller, type, record)) return []
    seen.add(record.id)
    return [record]
  })
}

async function fetchRows(
  type: DataTypeRow,
  key: string | undefined,
  allow: readonly string[],
): Promise<unknown[]> {
  const { url = "" } = type.providerConfig ?? {}
  const headers = { accept: "application/json", ...(key === undefined ? {} : { authorization: key }) }
  try {
    const response = await sendOutbound({ url, headers, timeoutMilliseconds, maxBytes }, allow)
    if (response.statusCode !== 200) throw unusable(`responded with status ${response.statusCode}`)
    const parsed: unknown = JSON.parse(response.body.toString("utf8"))
    const rows = Array.isArray(parsed) ? parsed : (parsed as { data?: unknown } | null)?.data
    if (!Array.isArray(rows)) throw unusable("did not respond with a list")
    return rows
  } catch (error) {
    if (error instanceof OutboundError) throw unusable(`cannot be read: ${error.message}`, error)
    if (error instanceof SyntaxError) throw unusable("did not respond with JSON", error)
    throw error
  }
}

function unusable(reason: string, cause?: unknown) {
  return dataErrors.unreachable({ message: `The external service of this data type ${reason}`, cause })
}

function toRecord(type: DataTypeRow, row: unknown, now: Temporal.Instant): RecordRow | undefined {
  if (typeof row !== "object" || row === null) return undefined
  const sent = row as Record<string, unknown>
  const key = readPrimaryKey(sent.dataId)
  if ("reason" in key) return undefined
  const id = createHash("sha256").update(`${type.id} ${key.value}`).digest("hex").slice(0, 24)
  const limitUser = Array.isArray(sent.limitUser) ? sent.limitUser.map(String) : null
  return {
    id: id as Id<"data-record">,
    organizationId: type.organizationId,
    dataTypeId: type.id,
    dataTypeName: type.name,
    hubId:
      !type.commonData && typeof sent.hubId === "string" ? (sent.hubId.toLowerCase() as Id<"hub">) : null,
    dataId: key.value,
    values: readFields(type.fields, sent, "change").values,
    limitUser,
    createdBy: null,
    updatedBy: null,
    createdTime: now,
    updatedTime: now,
  }
}

function maySee(caller: Caller, type: DataTypeRow, record: RecordRow): boolean {
  if (record.hubId !== null && !hasHub(caller, record.hubId)) return false
  const isLimited = type.limitUser && record.limitUser !== null && record.limitUser.length > 0
  return !isLimited || caller.isOwner || record.limitUser?.includes(caller.email) === true
}

/** Filters, sorts and pages what was fetched, by the rules of stored records. */
export function pageOfExternal(
  records: readonly RecordRow[],
  filter: Omit<RecordFilter, "onlyMine" | "updatedSince">,
  { order, page: { offset, limit } }: { order: RecordOrder; page: PageOptions },
): { rows: RecordRow[]; total: number } {
  const { ordered } = inOrder(records, filter, order)
  return { rows: ordered.slice(offset, offset + limit), total: ordered.length }
}

/** Cursor mode: equal records go by their id, so that a place is found again when its record is gone. */
export function externalAfter(
  records: readonly RecordRow[],
  filter: Omit<RecordFilter, "onlyMine" | "updatedSince">,
  { order, limit, cursor }: { order: RecordOrder; limit: number; cursor: string | undefined },
): { rows: RecordRow[]; nextCursor: string | null } {
  const byId = records.toSorted((one, other) => compare(one.id, other.id))
  const { ordered, keyOf, way } = inOrder(byId, filter, order)
  const placeOf = (record: RecordRow) => ({ ...record, ...placeOfKey(keyOf(record)), placeId: record.id })
  const named = byId.find(({ id }) => id === cursor?.toLowerCase())
  const place = named ? placeOf(named) : cursor === undefined ? undefined : readCursor(order, cursor)
  if (cursor !== undefined && !place) throw dataErrors.unknownCursor()
  const isAfter = (record: RecordRow) => {
    if (!place) return true
    const difference = compare(keyOf(record), keyOfPlace(place))
    return (difference || compare(record.id, place.placeId)) * way > 0
  }
  return cutPage(ordered.filter(isAfter).map(placeOf), order, limit)
}

function placeOfKey(key: unknown): Omit<Place, "placeId"> {
  if (typeof key === "number") return { placeValue: String(key), placeType: "double precision" }
  return { placeValue: String(key ?? ""), placeType: "text" }
}

function keyOfPlace({ placeValue, placeType }: Place): unknown {
  return placeType === "double precision" ? Number(placeValue) : placeValue
}

/** The matching records in an order; `way` is -1 where that is descending. */
function inOrder(
  records: readonly RecordRow[],
  filter: Omit<RecordFilter, "onlyMine" | "updatedSince">,
  { sortBy, direction }: RecordOrder,
) {
  const matching = records.filter(
    (record) =>
      (filter.hubId === undefined || record.hubId === filter.hubId) &&
      (filter.dataIds === undefined || filter.dataIds.includes(record.dataId)) &&
      filter.fields.every((wanted) => fits(record, wanted)),
  )
  const field = filter.type?.fields.find(({ id }) => id === sortBy)
  // Everything was fetched at one moment: the service's own order is the newest there is.
  const isByTime = sortBy === "createdTime" || sortBy === "updatedTime"
  const keyOf = (record: RecordRow) => (isByTime ? "" : sortKey(record, sortBy, field))
  const sorted = matching.toSorted((one, other) => compare(keyOf(one), keyOf(other)))
  const isAscending = isByTime || direction === "asc"
  return { ordered: isAscending ? sorted : sorted.toReversed(), keyOf, way: isAscending ? 1 : -1 }
}

function fits(record: RecordRow, { field, operator, values }: FieldFilter): boolean {
  const value: FieldValue | undefined = field.id === primaryKeyId ? record.dataId : record.values[field.id]
  if (isEmptyValue(value)) return false
  if (operator === "contains") return String(value).toLowerCase().includes(String(values[0]).toLowerCase())
  const comparable = orderKeyOf(field, value) ?? value
  if (operator === "gte") return comparable >= (values[0] ?? 0)
  if (operator === "lte") return comparable <= (values[0] ?? 0)
  return values.includes(comparable)
}

function sortKey(record: RecordRow, sortBy: string, field: Field | undefined): unknown {
  const value = (toWireRecord(record) as Record<string, unknown>)[sortBy]
  return field && hasOrder(field) ? orderKeyOf(field, value) : value
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === "number" && typeof other === "number") return one - other
  const [left, right] = [String(one ?? ""), String(other ?? "")]
  return left < right ? -1 : left > right ? 1 : 0
}
