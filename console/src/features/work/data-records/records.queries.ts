import type { operations } from "../../../api/schema.d.ts"
import { type RequestBody, server } from "../../../api/server.ts"
import { type RowPage, windowRows } from "../../../ui/tables/list-window.ts"
import { optionsOf, type RecordSearch } from "./record-search.ts"

/** A record: the values of its type's fields flat next to the keys that every record has. */
export type DataRecord = { _id: string; dataId: string; hubId?: string; limitUser: string[] | null } & Record<
  string,
  unknown
>
export type RecordQuery = NonNullable<operations["listRecords"]["parameters"]["query"]>
export type RecordBody = RequestBody<"createRecord">

/** The filters as the API takes them: `filter[<field>]` and `filter[<field>][gte]`. */
export function toRecordQuery(
  dataTypeId: string,
  search: Pick<RecordSearch, "where" | "filter" | "sort" | "order">,
  hub: string | undefined,
): RecordQuery {
  const filters = optionsOf(search.where).map(({ fieldId, operator, value }) => [
    operator === "equals" ? `filter[${fieldId}]` : `filter[${fieldId}][${operator}]`,
    value,
  ])
  return {
    dataTypeId,
    limitUser: false,
    sortBy: search.sort ?? "createdTime",
    sortOrder: search.order ?? "desc",
    ...(hub ? { hubId: hub } : {}),
    ...(search.filter ? { filter: JSON.stringify(search.filter) } : {}),
    ...Object.fromEntries(filters),
  }
}

export function recordPageQuery(query: RecordQuery, page: number, limit = windowRows) {
  const options = { ...query, page, limit }
  return {
    queryKey: ["data-records", options],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<RowPage<DataRecord>> => {
      const { data } = await server.get("/api/v3/data", { query: options, signal })
      return { rows: data.data as DataRecord[], total: data.total ?? 0 }
    },
  }
}

/** Most records that one selection takes in, and how many of them are read at once: the API's longest page. */
export const maxSelected = 100_000
const idsPerPage = 10_000

/** What bulk actions need of a record. */
export type SelectedRecord = Pick<DataRecord, "_id" | "dataId" | "hubId">

/** Every record that matches, by its keys, up to the most that are selected. */
export async function matchingRecords(query: RecordQuery): Promise<SelectedRecord[]> {
  const found = new Map<string, SelectedRecord>()
  for (let page = 1; page <= maxSelected / idsPerPage; page += 1) {
    // By creation time, which never changes: a list that is sorted by a changing field would move meanwhile.
    const order = { sortBy: "createdTime", sortOrder: "asc" as const }
    const options = { ...query, ...order, page, limit: idsPerPage, fields: "_id,dataId,hubId" }
    const { data } = await server.get("/api/v3/data", { query: options })
    for (const record of data.data as SelectedRecord[]) found.set(record._id, record)
    if (data.data.length < idsPerPage) break
  }
  return [...found.values()]
}

/** The API changes and deletes at most this many records in a call. */
const maxPerCall = 2_000

export interface RecordResults {
  done: number
  refused: { name: string; reason: string }[]
}

async function inParts<Entry>(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
  send: (part: Entry[]) => Promise<{ data: { status: boolean; message: string }[] }>,
  onProgress?: (sent: number) => void,
): Promise<RecordResults> {
  const results: RecordResults = { done: 0, refused: [] }
  for (let start = 0; start < entries.length; start += maxPerCall) {
    const part = entries.slice(start, start + maxPerCall)
    const { data } = await send(part)
    data.forEach((answer, index) => {
      const entry = part[index]
      if (answer.status) results.done += 1
      else if (entry) results.refused.push({ name: nameOf(entry), reason: answer.message })
    })
    onProgress?.(start + part.length)
  }
  return results
}

export function deleteRecords(
  records: readonly SelectedRecord[],
  onProgress?: (sent: number) => void,
): Promise<RecordResults> {
  return inParts(
    records,
    ({ dataId }) => dataId,
    (part) => server.delete("/api/v3/datas/bulk", { body: { data: part.map(({ _id }) => ({ _id })) } }),
    onProgress,
  )
}

/** One field of many records; they are found by their keys. */
export function setField(
  dataTypeId: string,
  records: readonly SelectedRecord[],
  fieldId: string,
  value: unknown,
  onProgress?: (sent: number) => void,
): Promise<RecordResults> {
  return inParts(
    records,
    ({ dataId }) => dataId,
    (part) => {
      const data = part.map(({ dataId, hubId }) => ({
        dataId,
        dataTypeId,
        ...(hubId ? { hubId } : {}),
        [fieldId]: value,
      }))
      return server.patch("/api/v3/datas/bulk", { body: { data } })
    },
    onProgress,
  )
}

export const changeRecord = (recordId: string, body: Record<string, unknown>) =>
  server.patch("/api/v3/data/{recordId}", { recordId, body })

export const createRecord = (body: RecordBody) => server.post("/api/v3/data", { body })

/** The records that the grid shows: its filters, its hub and its order go along. */
export function exportRecords(options: { query: RecordQuery; format: string; total: number }) {
  /** Above this the file is created in the background. */
  const maxAtOnce = 5_000
  const body = {
    ...options.query,
    download: options.format,
    limit: -1,
    background: options.total > maxAtOnce,
  }
  return server.post("/api/v3/data/export", { body })
}
