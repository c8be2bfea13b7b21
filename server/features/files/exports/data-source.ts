import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql, Tx } from "#core/database/database.ts"
import { ownEntry } from "#core/paging.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import type { SheetColumn } from "#packages/spreadsheets/sheet-values.ts"
import { valueNumber } from "#shared/values.ts"
import { toT3 } from "#shared/wire-time.ts"
import {
  builtRecordCondition,
  fieldConditions,
  type RecordRow,
  readFieldFilters,
  recordColumns,
  toWireRecord,
  visibleRecords,
} from "../../work/data-records/index.ts"
import { type DataTypeRow, type Field, findDataTypes, primaryKeyId } from "../../work/data-types/index.ts"
import { keyTitle } from "./columns/key-titles.ts"
import { localTimeOf, type ToLocal, wallClock } from "./columns/local-time.ts"
import { plainCell } from "./columns/task-columns.ts"
import { readAhead } from "./read-ahead.ts"
import type { ExportColumn, ExportSource } from "./source.ts"

/** What an export of data records asks for, as it is stored with its log entry. */
export interface DataExportOptions {
  dataTypeId: string | undefined
  hubId: string | undefined
  /** Requests about fields, as `filter[<fieldId>]` and `filter[<fieldId>][gte]` of a request name them. */
  filters?: Readonly<Record<string, unknown>>
  /** Conditions over any field, as the parameter `filter` has them. */
  built?: string | undefined
  /** Also records that are limited to other users. */
  includesLimited?: boolean
  fields: readonly string[] | undefined
  sortBy: string
  direction: "asc" | "desc"
  limit: number | undefined
  offset: number
}

const batchRows = 1_000

const sortColumns: Record<string, string> = {
  createdTime: "created_time",
  updatedTime: "updated_time",
  dataId: "data_id",
  _id: "id",
}

/** Records that the caller may see, of one type or of all, with the union of their fields as columns. */
export async function dataSource(
  tx: Tx,
  caller: Caller,
  options: DataExportOptions,
  now: Temporal.Instant,
): Promise<ExportSource<RecordRow>> {
  const types = await typesOf(tx, caller, options.dataTypeId)
  const columns = chooseColumns(types, options, localTimeOf(caller.timeZone), caller.language)
  const matching = await conditions(tx, caller, options, now)
  const places = types.flatMap(({ fields }) => fields).filter(({ type }) => type === "geolocation")
  return {
    sheetName: types.length === 1 ? (types[0]?.name ?? "Data") : "Data",
    columns,
    itemSheets: [],
    ...(options.fields ? {} : { objectOf: toWireRecord }),
    async *batches(snapshot) {
      const cursor = snapshot<RecordRow[]>`
        select ${recordColumns(snapshot)} from data_records
        where ${matching(snapshot)} ${orderOf(snapshot, options)}
        ${options.limit === undefined ? snapshot`` : snapshot`limit ${options.limit}`} offset ${options.offset}`.cursor(
        batchRows,
      )
      yield* readAhead(cursor)
    },
    idOf: ({ id }) => id,
    nameOf: ({ dataId }) => dataId,
    placeOf: ({ values }) => {
      for (const { id } of places) {
        const value = values[id]
        const place = typeof value === "string" ? parseLatLng(value) : undefined
        if (place) return [place[0], place[1]]
      }
      return undefined
    },
  }
}

export async function countDataRows(
  sql: Sql,
  caller: Caller,
  options: DataExportOptions,
  now: Temporal.Instant,
): Promise<number> {
  const matching = await conditions(sql, caller, options, now)
  const rows = await sql<{ total: number }[]>`
    select count(*) as total from data_records where ${matching(sql)}`
  return Math.max(
    0,
    Math.min((rows[0]?.total ?? 0) - options.offset, options.limit ?? Number.POSITIVE_INFINITY),
  )
}

async function typesOf(tx: Tx, caller: Caller, dataTypeId: string | undefined): Promise<DataTypeRow[]> {
  if (dataTypeId !== undefined) return findDataTypes(tx, caller, [dataTypeId])
  const all = await tx<{ id: string }[]>`
    select id from data_types where organization_id = ${caller.organizationId} order by name`
  return findDataTypes(
    tx,
    caller,
    all.map(({ id }) => id),
  )
}

/** Which records are wanted, for any handle: the file is read in a snapshot of its own. */
async function conditions(
  sql: Sql,
  caller: Caller,
  { dataTypeId, hubId, filters = {}, built, includesLimited = false }: DataExportOptions,
  now: Temporal.Instant,
): Promise<(handle: Sql) => Fragment> {
  const [type] = dataTypeId === undefined ? [] : await findDataTypes(sql, caller, [dataTypeId.toLowerCase()])
  const ofFields = type
    ? await fieldConditions(sql, caller, type, readFieldFilters(filters, type.fields))
    : undefined
  return (handle) => handle`${visibleRecords(handle, { caller, onlyMine: !includesLimited })}
    ${dataTypeId === undefined ? handle`` : handle`and data_records.data_type_id = ${dataTypeId.toLowerCase()}`}
    ${hubId === undefined ? handle`` : handle`and data_records.hub_id = ${hubId.toLowerCase()}`}
    ${ofFields ? ofFields(handle) : handle``}
    ${built === undefined ? handle`` : handle`and ${builtRecordCondition(handle, caller, type, built, now)}`}`
}

function orderOf(sql: Sql, { sortBy, direction }: DataExportOptions): Fragment {
  const column = ownEntry(sortColumns, sortBy)
  const key = column
    ? sql`data_records.${sql(column)}`
    : sql`coalesce(data_records.ordered->${sortBy}, data_records."values"->${sortBy})`
  const way = direction === "asc" ? sql`asc` : sql`desc`
  return sql`order by ${key} ${way}, data_records.id ${way}`
}

type Column = ExportColumn<RecordRow>

function chooseColumns(
  types: readonly DataTypeRow[],
  options: DataExportOptions,
  toLocal: ToLocal,
  language: string,
): Column[] {
  const own = (key: string, cell: Column["cell"], json?: Column["json"]) =>
    column(key, keyTitle(key, language), cell, json)
  const time = (key: string, read: (row: RecordRow) => Temporal.Instant) =>
    timeColumn(key, keyTitle(key, language), read, toLocal)
  const keys = new Set(types.flatMap(({ fields }) => fields.filter(isKey).map(({ title }) => title)))
  const titleOfKey = keys.size === 1 ? ([...keys][0] ?? primaryKeyId) : primaryKeyId
  const fields = types.flatMap((type) => type.fields).filter((field) => !isKey(field))
  const all: Column[] = [
    column(primaryKeyId, titleOfKey, (row) => row.dataId),
    ...fields.map((field) => fieldColumn(field, toLocal)),
    own("hubId", (row) => row.hubId),
    own(
      "limitUser",
      (row) => row.limitUser?.join(",") ?? null,
      (row) => row.limitUser,
    ),
    own("createdBy", (row) => row.createdBy),
    time("createdTime", (row) => row.createdTime),
    own("updatedBy", (row) => row.updatedBy),
    time("updatedTime", (row) => row.updatedTime),
    ...(types.length === 1 ? [] : [own("dataTypeName", (row) => row.dataTypeName)]),
  ]
  const once = all.filter(({ key }, index) => all.findIndex((other) => other.key === key) === index)
  const chosen = options.fields
    ? options.fields.flatMap((key) => once.filter((column) => column.key === key))
    : once
  return chosen.map((column, index) => {
    const isShared = chosen.some(
      (other, at) => at !== index && other.title.toLowerCase() === column.title.toLowerCase(),
    )
    return isShared ? { ...column, title: `${column.title} (${column.key})` } : column
  })
}

function isKey(field: Field): boolean {
  return field.primaryKey || field.id === primaryKeyId
}

function column(key: string, title: string, cell: Column["cell"], json: Column["json"] = cell): Column {
  return { key, title, cell, json }
}

function timeColumn(
  key: string,
  title: string,
  read: (row: RecordRow) => Temporal.Instant,
  toLocal: ToLocal,
): Column {
  return {
    ...{ key, title, kind: "dateTime" as const },
    cell: (row) => toLocal(read(row).epochMilliseconds),
    json: (row) => toT3(read(row)),
  }
}

function fieldColumn(field: Field, toLocal: ToLocal): Column {
  const { id, title } = field
  const json = (row: RecordRow) => row.values[id]
  const kind = sheetKinds[field.type]
  if (field.type === "number")
    return column(id, title, (row) => valueNumber(json(row)) ?? plainCell(json(row)), json)
  if (!kind) return column(id, title, (row) => plainCell(json(row)), json)
  return {
    ...{ key: id, title, kind, json },
    cell: (row) => {
      const value = json(row)
      return typeof value === "string" ? (wallClock(value, kind, toLocal) ?? value) : plainCell(value)
    },
  }
}

const sheetKinds: Readonly<Record<string, NonNullable<SheetColumn["kind"]>>> = {
  date: "date",
  dateTime: "dateTime",
  time: "time",
}
