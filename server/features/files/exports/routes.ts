import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { dataExportRoutes } from "./data-routes.ts"
import { taskExportErrors } from "./errors.ts"
import { maxRows } from "./formats.ts"
import { exportLogRoutes } from "./log-routes.ts"
import { reportExportRoutes } from "./report-routes.ts"
import { requestExport } from "./request-export.ts"
import { ExportResponse, TaskExportBody } from "./schemas.ts"
import { readFormat, readTaskExport } from "./task-export-options.ts"
import { countTaskRows } from "./task-source.ts"
import { whileConnected } from "./while-connected.ts"
import { toWireResponse } from "./wire.ts"

export function exportRoutes(app: App): void {
  exportLogRoutes(app)
  dataExportRoutes(app)
  reportExportRoutes(app)
  const sign = (key: string) => app.links.sign(key, app.clock.now())

  app.post("/tasks/export", {
    config: { admission: "heavy", permission: "export/task", valueCode: "task-032" },
    schema: {
      operationId: "exportTasks",
      summary: "Export tasks to a file, now or in the background",
      body: TaskExportBody,
      response: { 200: ExportResponse },
    },
    async handler({ sql, caller, body }, reply) {
      const format = readFormat(body.download)
      const now = app.clock.now()
      const options = await readTaskExport(app.sql, caller, body)
      const expectedRows = await countTaskRows(app.sql, caller, options, now)
      const isBackground = body.background === true
      if (expectedRows > maxRows && !isBackground) throw taskExportErrors.tooMany()
      const request = { collection: "task" as const, format, options, body }
      const hubIds = options.filter.hubId === undefined ? undefined : commaList(options.filter.hubId)
      const context = { sql: app.sql, request: sql, objects: app.objects, now, signal: whileConnected(reply) }
      const exportConfigId = body.exportConfigId ?? null
      const finished = await requestExport(context, caller, {
        request,
        expectedRows,
        isBackground,
        hubIds,
        exportConfigId,
      })
      return toWireResponse(finished, sign)
    },
  })
}
