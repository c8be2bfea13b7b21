import { Type } from "typebox"
import { type Caller, hasHub } from "#core/access/caller.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { findDataTypeByName } from "../data-types/index.ts"
import { changeRecord } from "./change-record.ts"
import { dataErrors } from "./errors.ts"
import { fetchExternalRecords } from "./external/external-records.ts"
import { findRecordByKey } from "./queries.ts"
import { deleteRecords } from "./remove/delete-records.ts"
import { recordReaders, reportKeys } from "./routes.ts"
import { NewRecordBody, RecordResponse } from "./schemas.ts"
import { type RecordRow, toWireRecord } from "./wire.ts"

const TypeAndKey = { dataTypeName: Type.String(), dataId: Type.String() }
const KeyParams = Type.Object(TypeAndKey)
const HubKeyParams = Type.Object({ hubId: IdSchema("hub"), ...TypeAndKey })
const notFoundInHub = () => dataErrors.notFound({ message: "data not found" })

/** Records by the name of their type and their primary key. */
export function recordKeyRoutes(app: App): void {
  const find = async (
    sql: Sql,
    caller: Caller,
    params: { hubId?: string; dataTypeName: string; dataId: string },
  ) => {
    const type = await findDataTypeByName(sql, caller, params.dataTypeName)
    if (!type || (params.hubId !== undefined && !hasHub(caller, params.hubId.toLowerCase()))) return undefined
    const dataId = params.dataId.trim()
    if (type.provider === "external-api") {
      const records = await fetchExternalRecords(caller, type, app)
      return records.find((record) => record.dataId === dataId)
    }
    const hubId = type.commonData ? null : params.hubId?.toLowerCase()
    return findRecordByKey(sql, caller, { dataTypeId: type.id, hubId, dataId })
  }
  const bodyOf = (record: RecordRow) => ({
    status: true as const,
    message: "Success",
    data: toWireRecord(record),
  })

  app.get("/data/type/:dataTypeName/:dataId", {
    config: { anyOf: recordReaders },
    schema: {
      operationId: "getRecordByKey",
      summary: "Get the record with this primary key; if several hubs have one, the record changed last",
      params: KeyParams,
      response: { 200: RecordResponse },
    },
    async handler({ sql, caller, params }) {
      const record = await find(sql, caller, params)
      if (!record) throw dataErrors.notFound()
      return bodyOf(record)
    },
  })

  app.get("/data/hub/:hubId/type/:dataTypeName/:dataId", {
    config: { anyOf: recordReaders },
    schema: {
      operationId: "getRecordOfHub",
      summary: "Get a hub's record with this primary key",
      params: HubKeyParams,
      response: { 200: RecordResponse },
    },
    async handler({ sql, caller, params }) {
      const record = await find(sql, caller, params)
      if (!record) throw notFoundInHub()
      return bodyOf(record)
    },
  })

  app.put("/data/hub/:hubId/type/:dataTypeName/:dataId", {
    config: { permission: "edit/data" },
    schema: {
      operationId: "replaceRecordOfHub",
      summary: "Replace the values of a hub's record with this primary key",
      params: HubKeyParams,
      body: NewRecordBody,
      response: { 200: RecordResponse },
    },
    async handler(request, reply) {
      const { sql, caller, params, body } = request
      const look = reportKeys(request, reply)
      const context = { stage: "replace" as const, now: app.clock.now(), live: app.live, look }
      const record = await inTransaction(sql, async (tx) => {
        const found = await findStoredRecord(tx, caller, params)
        return changeRecord(tx, caller, found.id, body, context)
      })
      return bodyOf(record)
    },
  })

  app.delete("/data/hub/:hubId/type/:dataTypeName/:dataId", {
    config: { permission: "delete/data" },
    schema: {
      operationId: "deleteRecordOfHub",
      summary: "Delete a hub's record with this primary key",
      params: HubKeyParams,
      response: { 200: RecordResponse },
    },
    async handler({ sql, caller, params }) {
      const record = await inTransaction(sql, async (tx) => {
        const found = await findStoredRecord(tx, caller, params)
        return (await deleteRecords(tx, caller, [found.id], app.live))[0]
      })
      if (!record) throw notFoundInHub()
      return bodyOf(record)
    },
  })

  async function findStoredRecord(
    sql: Sql,
    caller: Caller,
    params: { hubId: string; dataTypeName: string; dataId: string },
  ): Promise<RecordRow> {
    const type = await findDataTypeByName(sql, caller, params.dataTypeName)
    if (type?.provider === "external-api") throw dataErrors.external()
    const record = type && (await find(sql, caller, params))
    if (!record) throw notFoundInHub()
    return record
  }
}
