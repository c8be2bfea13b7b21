import { Type } from "typebox"
import { may } from "#core/access/caller.ts"
import { CursorQuery, paginateAfter } from "#core/cursor-paging.ts"
import { inTransaction } from "#core/database/database.ts"
import { type ReplyHeaders, reportIgnored } from "#core/http/ignored-parameters.ts"
import { mapInSlices } from "#core/http/limits/large-lists.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, paginate, pickFields, readDirection, readPage } from "#core/paging.ts"
import { FilterParameter } from "#core/row-filter.ts"
import { parseDateTime } from "#shared/wire-time.ts"
import { type DataTypeRow, findDataType, findDataTypeByName } from "../data-types/index.ts"
import { changeRecord, readWritten } from "./change-record.ts"
import { dataErrors, refusedValues } from "./errors.ts"
import { externalAfter, fetchExternalRecords, pageOfExternal } from "./external/external-records.ts"
import { hasFieldFilters, readFieldFilters } from "./find/dynamic-filter.ts"
import { listRecords, listRecordsAfter } from "./find/list-records.ts"
import { ignoredKeys } from "./ignored-keys.ts"
import { findRecord } from "./queries.ts"
import { deleteRecords } from "./remove/delete-records.ts"
import { NewRecordBody, RecordListResponse, RecordPatch, RecordResponse } from "./schemas.ts"
import { type RecordRow, toWireRecord } from "./wire.ts"
import { writeOfType } from "./write-of-types.ts"

export const recordReaders = ["view/data", "add/task", "do/task"] as const
const Params = Type.Object({ recordId: IdSchema("data-record") })

const RecordListQuery = Type.Object(
  {
    ...ListQuery,
    ...CursorQuery,
    sortBy: Type.Optional(
      Type.String({
        description:
          "createdTime (default) or updatedTime; another key, hub.name or a field id for up to 20,000 matches",
      }),
    ),
    hubId: Type.Optional(Type.String()),
    dataId: Type.Optional(Type.String({ description: "Comma-separated list of primary keys" })),
    dataTypeId: Type.Optional(Type.String()),
    dataTypeName: Type.Optional(Type.String({ description: "Exact name" })),
    filter: FilterParameter,
    updatedTime: Type.Optional(
      Type.String({ format: "wire-date-time", description: "Only records written at or after this moment" }),
    ),
    limitUser: Type.Optional(
      Type.Boolean({
        description: "false: include records that are restricted to other users; requires view/data",
      }),
    ),
  },
  {
    description:
      "filter[<fieldId>]=value or filter[<fieldId>][gte|lte|contains]=value filters by a field; requires dataTypeId or dataTypeName",
  },
)

export function recordRoutes(app: App): void {
  app.get("/data", {
    config: { anyOf: recordReaders, valueCode: "data-003", knownQuery: /^filter\[/, reads: "replica" },
    schema: {
      operationId: "listRecords",
      summary: "List common data records and those of the caller's hubs",
      description:
        "filter[<fieldId>]=value or filter[<fieldId>][gte|lte|contains]=value filters by a field of the data type.",
      querystring: RecordListQuery,
      response: { 200: RecordListResponse },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "data")
      const type = await typeOfQuery(sql, caller, query)
      const dynamic = query as Record<string, unknown>
      if (hasFieldFilters(dynamic) && type === "any")
        throw dataErrors.badQuery({
          message: "dataTypeId or dataTypeName is required to filter by the fields of a data type",
        })
      const order = { sortBy: query.sortBy ?? "createdTime", direction: readDirection(query.sortOrder) }
      const bodyOf = async (found: { rows: RecordRow[]; total: number } | AfterCursor) => {
        const records = await mapInSlices(found.rows, (row) => pickFields(toWireRecord(row), query.fields))
        const data =
          "total" in found
            ? paginate(records, found.total, page, address)
            : paginateAfter(records, found.nextCursor, page.limit, address)
        return { status: true as const, message: "Success", data }
      }
      const isByCursor = query.lazyLoad === 1
      if (type === undefined)
        return bodyOf({ rows: [], ...(isByCursor ? { nextCursor: null } : { total: 0 }) })
      const filter = {
        type: type === "any" ? undefined : type,
        hubId: query.hubId?.toLowerCase(),
        dataIds: query.dataId === undefined ? undefined : commaList(query.dataId),
        updatedSince: instantOf(query.updatedTime),
        fields: type === "any" ? [] : readFieldFilters(dynamic, type.fields),
        built: query.filter === undefined ? undefined : { text: query.filter, now: app.clock.now() },
        onlyMine: query.limitUser !== false || !may(caller, "view/data"),
      }
      const after = { order, limit: page.limit, cursor: query.cursor }
      if (type !== "any" && type.provider === "external-api") {
        if (query.filter !== undefined)
          throw dataErrors.badQuery({
            message: "filter is not available for data types of an external service; use filter[<fieldId>]",
          })
        const fetched = await fetchExternalRecords(caller, type, app)
        return bodyOf(
          isByCursor
            ? externalAfter(fetched, filter, after)
            : pageOfExternal(fetched, filter, { order, page }),
        )
      }
      return bodyOf(
        isByCursor
          ? await listRecordsAfter(sql, caller, filter, after)
          : await listRecords(sql, caller, filter, { order, page }),
      )
    },
  })

  app.get("/data/:recordId", {
    config: { anyOf: recordReaders, quick: true },
    schema: {
      operationId: "getRecord",
      summary: "Get a data record",
      params: Params,
      response: { 200: RecordResponse },
    },
    async handler({ sql, caller, params }) {
      const record = await findRecord(sql, caller, params.recordId)
      if (!record) throw dataErrors.notFound()
      return { status: true as const, message: "Success", data: toWireRecord(record) }
    },
  })

  app.post("/data", {
    config: { permission: "add/data" },
    schema: {
      operationId: "createRecord",
      summary: "Create a data record",
      body: NewRecordBody,
      response: { 201: RecordResponse },
    },
    async handler(request, reply) {
      const { sql, caller, body } = request
      const look = reportKeys(request, reply)
      const options = { mode: "create" as const, live: app.live, now: app.clock.now(), look }
      const record = await inTransaction(sql, async (tx) => {
        const [outcome] = await writeOfType(tx, caller, body.dataTypeId, [body], options)
        if (!outcome || "problems" in outcome) throw refusedValues(outcome?.problems ?? [])
        return readWritten(tx, caller, outcome.id)
      })
      reply.code(201)
      return { status: true as const, message: "Success", data: toWireRecord(record) }
    },
  })

  for (const method of ["put", "patch"] as const) {
    app[method]("/data/:recordId", {
      config: { permission: "edit/data" },
      schema: {
        operationId: method === "put" ? "replaceRecord" : "changeRecord",
        summary: method === "put" ? "Replace a data record's values" : "Change some values of a data record",
        params: Params,
        body: method === "put" ? NewRecordBody : RecordPatch,
        response: { 200: RecordResponse },
      },
      async handler(request, reply) {
        const { sql, caller, params, body } = request
        const context = {
          look: reportKeys(request, reply),
          stage: method === "put" ? ("replace" as const) : ("change" as const),
          now: app.clock.now(),
          live: app.live,
        }
        const record = await inTransaction(sql, (tx) =>
          changeRecord(tx, caller, params.recordId, body, context),
        )
        return { status: true as const, message: "Success", data: toWireRecord(record) }
      },
    })
  }

  app.delete("/data/:recordId", {
    config: { permission: "delete/data" },
    schema: {
      operationId: "deleteRecord",
      summary: "Delete a data record",
      params: Params,
      response: { 200: RecordResponse },
    },
    async handler({ sql, caller, params }) {
      const [record] = await inTransaction(sql, (tx) =>
        deleteRecords(tx, caller, [params.recordId], app.live),
      )
      if (!record) throw dataErrors.notFound()
      return { status: true as const, message: "Success", data: toWireRecord(record) }
    },
  })
}

/** Lists the keys of a body that its record's type does not know; throws where the caller wants to be strict. */
export function reportKeys(
  request: Parameters<typeof reportIgnored>[0] & { body: Readonly<Record<string, unknown>> },
  reply: ReplyHeaders,
): (type: DataTypeRow) => void {
  return (type) => reportIgnored(request, reply, ignoredKeys(type, request.body))
}

type AfterCursor = { rows: RecordRow[]; nextCursor: string | null }
type Sql = Parameters<typeof findDataType>[0]
type Tenant = Parameters<typeof findDataType>[1]

/** The type that a list is about; "any" when it names none, undefined when what it names is not there. */
async function typeOfQuery(
  sql: Sql,
  caller: Tenant,
  query: { dataTypeId?: string; dataTypeName?: string },
): Promise<DataTypeRow | "any" | undefined> {
  const { dataTypeId, dataTypeName } = query
  if (dataTypeId === undefined && dataTypeName === undefined) return "any"
  const type =
    dataTypeId === undefined
      ? await findDataTypeByName(sql, caller, dataTypeName ?? "")
      : await findDataType(sql, caller, dataTypeId)
  return dataTypeName === undefined || type?.name === dataTypeName ? type : undefined
}

function instantOf(text: string | undefined): Temporal.Instant | undefined {
  const at = text === undefined ? undefined : parseDateTime(text)
  return at === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(at)
}
