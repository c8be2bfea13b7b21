import { Type } from "typebox"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { languages } from "#shared/languages.ts"
import { taskExportErrors } from "./errors.ts"
import { maxReports } from "./formats.ts"
import { leaveToJob, newExport } from "./request-export.ts"
import { ExportResponse, TaskExportBody } from "./schemas.ts"
import { readTaskExport } from "./task-export-options.ts"
import { countTaskRows } from "./task-source.ts"
import { toWireResponse } from "./wire.ts"

const ReportExportBody = Type.Object(
  {
    ...Type.Omit(TaskExportBody, [
      "download",
      "fields",
      "background",
      "exportConfigId",
      "page",
      "limit",
      "limitTask",
    ]).properties,
    download: Type.Optional(
      Type.Unsafe<"zip" | "pdf">(
        Type.String({
          enum: ["zip", "pdf"],
          default: "zip",
          description: "An archive with one PDF for each task, or one PDF of them all with bookmarks",
        }),
      ),
    ),
    language: Type.Optional(
      Type.String({ enum: [...languages], description: "By default the language of each customer" }),
    ),
  },
  { title: "ReportExportInput" },
)

/** Service reports of many tasks, as one archive or one document. */
export function reportExportRoutes(app: App): void {
  app.post("/tasks/reports", {
    config: { admission: "heavy", permission: "export/task", valueCode: "task-032" },
    schema: {
      operationId: "exportServiceReports",
      summary: "Export the service reports of tasks as a ZIP archive or one PDF, in the background",
      description: `The selected tasks (taskIds) or those that match the filters, ${maxReports} at most. The file appears in the export log with the data type report.`,
      body: ReportExportBody,
      response: { 200: ExportResponse },
    },
    async handler({ sql, caller, body }) {
      const now = app.clock.now()
      const { language, download = "zip", ...filters } = body
      const options = await readTaskExport(app.sql, caller, { ...filters, limitTask: false })
      const expectedRows = await countTaskRows(app.sql, caller, options, now)
      if (expectedRows > maxReports) throw taskExportErrors.tooManyReports()
      const request = { collection: "report" as const, format: download, options, language, body }
      const hubIds = options.filter.hubId === undefined ? undefined : commaList(options.filter.hubId)
      const asked = { request, expectedRows, isBackground: true, hubIds }
      const row = await newExport({ sql: app.sql, now }, caller, asked)
      return toWireResponse(await leaveToJob(sql, row), (key) => app.links.sign(key, now))
    },
  })
}
