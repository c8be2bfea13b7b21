import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { commaList } from "#core/http/tolerance.ts"
import { readDirection } from "#core/paging.ts"
import { type ExportFormat, exportFormats } from "#shared/export-formats.ts"
import { findExportConfig } from "../export-configurations/index.ts"
import { taskExportErrors } from "./errors.ts"
import type { TaskExportBody } from "./schemas.ts"
import { readFieldList, type TaskExportOptions } from "./task-source.ts"

/** Rows of a direct export without a limit, as the wire has it. */
export const defaultRows = 30

export function readFormat(text: string | undefined): ExportFormat {
  const format = exportFormats.find((known) => known === text)
  if (format) return format
  const message = `download must be one of ${exportFormats.join(", ")}`
  throw taskExportErrors.badExport({
    message,
    fields: { download: [`must be one of ${exportFormats.join(", ")}`] },
  })
}

/** Page and limit of an export: without a limit 30 rows, or everything when it is asked for. */
export function readRange(
  asked: { page?: number; limit?: number },
  isWhole: boolean,
): { limit: number | undefined; offset: number } {
  if (asked.limit !== undefined && asked.limit < 1 && asked.limit !== -1)
    throw taskExportErrors.badExport({
      message: "limit must be 1 or more",
      fields: { limit: ["must be 1 or more"] },
    })
  const given = asked.limit === -1 ? undefined : (asked.limit ?? (isWhole ? undefined : defaultRows))
  const page = Math.max(1, asked.page ?? 1)
  return { limit: given, offset: given === undefined ? 0 : (page - 1) * given }
}

/** Saved filters are texts. */
function withFlags(filters: Readonly<Record<string, string>>): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.entries(filters).map(([key, text]) =>
      key === "isLate" || key === "needsReview" ? [key, text === "true"] : [key, text],
    ),
  )
}

/** A body as what is to be exported; what the body says wins over a saved configuration. */
export async function readTaskExport(
  sql: Sql,
  caller: Caller,
  body: TaskExportBody,
): Promise<TaskExportOptions> {
  const config =
    body.exportConfigId === undefined ? undefined : await findExportConfig(sql, caller, body.exportConfigId)
  if (body.exportConfigId !== undefined && !config) throw taskExportErrors.unknownConfig()
  if (config && config.collection !== "task")
    throw taskExportErrors.badExport({ message: "This export configuration is not for tasks" })
  const { doneBy, assignee, status, flow, hubId, q, timeBy, timeFrom, timeTo } = body
  const { flowId, outcome, isLate, needsReview, priority, tags, filter: built } = body
  const own = {
    ...{ doneBy, assignee, status, flow, hubId, q, timeBy, timeFrom, timeTo, flowId },
    ...{ outcome, isLate, needsReview, priority, tags, filter: built },
  }
  const filter = {
    ...(config
      ? {
          ...withFlags(config.filters ?? {}),
          ...(config.flowIds.length > 0 ? { flowId: config.flowIds.join(",") } : {}),
        }
      : {}),
    ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
  }
  const isWhole = body.background === true || body.limitTask === false
  return {
    filter,
    taskIds: body.taskIds === undefined ? undefined : commaList(body.taskIds),
    fields: readFieldList(body.fields),
    configFields: config?.fields,
    sortBy: body.sortBy ?? body.orderBy ?? "createdTime",
    direction: readDirection(body.sortOrder),
    ...readRange(body, isWhole),
  }
}
