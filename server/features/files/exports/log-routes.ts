import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import type { App } from "#core/http/types.ts"
import { readDirection } from "#core/paging.ts"
import { taskErrors } from "../../work/tasks/index.ts"
import { taskExportErrors } from "./errors.ts"
import { exportSorts, exportStatuses, listExports } from "./queries.ts"
import { ExportLogResponse } from "./schemas.ts"
import { toWireHit } from "./wire.ts"

const windowDays = 30
const maxHits = 100
const dataTypes = ["task", "data", "vehicle", "driver", "route", "report"]

export function exportLogRoutes(app: App): void {
  app.get("/tasks/export-log", {
    config: { anyOf: ["export/task", "view/data"], valueCode: "task-032", errorData: "values" },
    schema: {
      operationId: "listExports",
      summary: "List exports of the last 30 days; your own unless email is set",
      querystring: Type.Object({
        page: Type.Optional(Type.Integer()),
        limit: Type.Optional(Type.Integer({ description: "1 to 100, default 10; -1 means 100" })),
        sortBy: Type.Optional(
          Type.String({ description: "requestAt (default), status, dataType or dataName" }),
        ),
        sortOrder: Type.Optional(Type.String({ pattern: "^([aA][sS][cC]|[dD][eE][sS][cC])$" })),
        dataName: Type.Optional(Type.String({ description: "Part of the name" })),
        dataType: Type.Optional(Type.String({ description: `One of ${dataTypes.join(", ")}` })),
        status: Type.Optional(Type.String({ description: "Processing, Done (also Available) or Failed" })),
        email: Type.Optional(
          Type.String({
            description:
              "E-mail of the user whose exports to list; only administrators can list the exports of others",
          }),
        ),
      }),
      response: { 200: ExportLogResponse },
    },
    async handler({ sql, caller, query }) {
      const page = readLogPage(query)
      const email = readEmail(caller, query.email)
      const now = app.clock.now()
      const since = now.subtract({ hours: 24 * windowDays })
      const { dataName, sortBy } = query
      const filter = {
        ...{ email, dataName, sortBy, since },
        dataType: readWord(query.dataType, dataTypes, "dataType"),
        status: readWord(query.status === "Available" ? "Done" : query.status, exportStatuses, "status"),
        direction: readDirection(query.sortOrder),
      }
      const { rows, total } = await listExports(sql, caller.organizationId, filter, page)
      const field = sortBy !== undefined && Object.hasOwn(exportSorts, sortBy) ? sortBy : "requestAt"
      return {
        status: true as const,
        message: "Success",
        total,
        data: rows.map((row) => toWireHit(row, (key) => app.links.sign(key, now))),
        params: {
          from: page.offset,
          size: page.limit,
          query: {
            bool: {
              must: [
                { term: { "organizationId.keyword": caller.organizationId } },
                { range: { requestAt: { gte: since.toString(), lte: now.toString() } } },
              ],
            },
          },
          sort: [{ [field]: { order: filter.direction } }],
        },
      }
    },
  })
}

function refuse(message: string, field: string) {
  return taskExportErrors.badExport({ message, fields: { [field]: [message] } })
}

function readLogPage(query: { page?: number; limit?: number }) {
  const limit = query.limit === -1 ? maxHits : (query.limit ?? 10)
  if (limit < 1 || limit > maxHits) throw refuse(`limit must be 1 to ${maxHits}`, "limit")
  if ((query.page ?? 1) < 0) throw refuse("page must be 1 or more", "page")
  const page = Math.max(1, query.page ?? 1)
  return { page, limit, offset: (page - 1) * limit }
}

function readWord(text: string | undefined, known: readonly string[], field: string): string | undefined {
  if (text === undefined || known.includes(text)) return text
  throw refuse(`${field} must be one of ${known.join(", ")}`, field)
}

function readEmail(caller: Caller, email: string | undefined): string {
  const wanted = email?.toLowerCase() ?? caller.email
  if (wanted === caller.email || caller.isOwner || caller.roleName === "admin") return wanted
  throw taskErrors.forbidden({ message: "Only administrators can see the exports of others" })
}
