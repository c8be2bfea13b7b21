import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { readDirection } from "#core/paging.ts"
import { exportFormats } from "#shared/export-formats.ts"
import { hasFieldFilters } from "../../work/data-records/index.ts"
import { countDataRows } from "./data-source.ts"
import { dataExportErrors } from "./errors.ts"
import { maxRows } from "./formats.ts"
import { requestExport } from "./request-export.ts"
import { DataExportQuery, ExportResponse } from "./schemas.ts"
import { defaultRows } from "./task-export-options.ts"
import { readFieldList } from "./task-source.ts"
import { whileConnected } from "./while-connected.ts"
import { toWireResponse } from "./wire.ts"

export function dataExportRoutes(app: App): void {
  app.post("/data/export", {
    config: { admission: "heavy", permission: "view/data", module: "data", valueCode: "data-003" },
    schema: {
      operationId: "exportData",
      summary:
        "Export data records to a file, now or in the background; the query takes precedence over the body",
      querystring: DataExportQuery,
      body: Type.Optional(Type.Union([DataExportQuery, Type.Null()])),
      response: { 200: ExportResponse },
    },
    async handler({ sql, caller, query, body }, reply) {
      const asked = { ...body, ...query }
      const format = exportFormats.find((known) => known === asked.download)
      if (!format) {
        const reason = `must be one of ${exportFormats.join(", ")}`
        throw dataExportErrors.badExport({ message: `download ${reason}`, fields: { download: [reason] } })
      }
      const now = app.clock.now()
      const options = readDataExport(asked)
      const expectedRows = await countDataRows(app.sql, caller, options, now)
      const isBackground = asked.background === true
      if (expectedRows > maxRows && !isBackground) throw dataExportErrors.tooMany()
      const request = { collection: "data" as const, format, options, body: asked }
      const context = { sql: app.sql, request: sql, objects: app.objects, now, signal: whileConnected(reply) }
      const hubIds = options.hubId === undefined ? undefined : [options.hubId]
      const finished = await requestExport(context, caller, { request, expectedRows, isBackground, hubIds })
      return toWireResponse(finished, (key) => app.links.sign(key, now))
    },
  })
}

function readDataExport(asked: DataExportQuery) {
  if (asked.limit !== undefined && asked.limit < 1 && asked.limit !== -1)
    throw dataExportErrors.badExport({
      message: "limit must be 1 or more",
      fields: { limit: ["must be 1 or more"] },
    })
  const filters = Object.fromEntries(
    Object.entries(asked).filter(([key]) => hasFieldFilters({ [key]: true })),
  )
  if (Object.keys(filters).length > 0 && asked.dataTypeId === undefined) {
    const message = "dataTypeId is required to filter on the fields of a data type"
    throw dataExportErrors.badExport({ message, fields: { dataTypeId: [message] } })
  }
  const limit =
    asked.limit === -1 ? undefined : (asked.limit ?? (asked.background === true ? undefined : defaultRows))
  return {
    dataTypeId: asked.dataTypeId,
    hubId: asked.hubId,
    filters,
    built: asked.filter,
    includesLimited: asked.limitUser === false,
    fields: readFieldList(asked.fields),
    sortBy: asked.sortBy ?? "createdTime",
    direction: readDirection(asked.sortOrder),
    limit,
    offset: limit === undefined ? 0 : (Math.max(1, asked.page ?? 1) - 1) * limit,
  }
}
