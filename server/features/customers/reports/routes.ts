import { Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import { BinaryFile } from "#core/http/openapi/openapi.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import type { FileOwner } from "#core/objects/file-owners.ts"
import { findFlow } from "../../work/flows/index.ts"
import { findTasks, taskErrors } from "../../work/tasks/index.ts"
import { reportErrors } from "./errors.ts"
import { evidenceOf } from "./evidence.ts"
import { makeReport } from "./make-report.ts"
import {
  defaultReportSettings,
  ReportSettingsSchema,
  readReportSettings,
  writeReportSettings,
} from "./settings.ts"

const FlowParams = Type.Object({ flowId: IdSchema("flow") })
const SettingsResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: ReportSettingsSchema,
})

/** Service reports as PDF, evidence of tasks, and what reports contain per flow. */
export function reportRoutes(app: App, fileOwners: readonly FileOwner[]): void {
  app.get("/task/:taskId/report", {
    config: { permission: "view/task", produces: "other" },
    schema: {
      operationId: "getServiceReport",
      summary: "The service report of a task as a PDF",
      params: Type.Object({ taskId: IdSchema("task") }),
      querystring: Type.Object({
        language: Type.Optional(
          Type.String({
            maxLength: 10,
            description: "en, id, es, pt, fr, de or ar; default: the customer's",
          }),
        ),
      }),
      response: { 200: BinaryFile },
    },
    async handler({ sql, caller, params, query }, reply) {
      const [task] = await findTasks(sql, caller, [params.taskId])
      if (!task) throw taskErrors.notFound()
      const context = {
        sql: app.sql,
        objects: app.objects,
        links: app.links,
        config: app.settings,
        now: app.clock.now(),
      }
      const report = await makeReport(context, task, query.language)
      return reply
        .type("application/pdf")
        .header("content-disposition", `attachment; filename="report-${task.id}.pdf"`)
        .header("cache-control", "no-store")
        .send(report)
    },
  })

  app.get("/task/:taskId/evidence", {
    config: { permission: "view/task", produces: "other" },
    schema: {
      operationId: "getTaskEvidence",
      summary: "Everything about a task as a ZIP archive, for disputes",
      description:
        "The task, its changes, messages and files, positions of its assignees around the work for callers with view/tracking, and a manifest with the SHA-256 of each file.",
      params: Type.Object({ taskId: IdSchema("task") }),
      response: { 200: BinaryFile },
    },
    async handler({ sql, caller, params, ip }, reply) {
      const [task] = await findTasks(sql, caller, [params.taskId])
      if (!task) throw taskErrors.notFound()
      await audit(sql, actorOf(caller, ip), {
        action: "task.evidence",
        targetType: "task",
        targetId: task.id,
      })
      const context = {
        sql: app.sql,
        objects: app.objects,
        links: app.links,
        fileOwners,
        now: app.clock.now(),
      }
      return reply
        .type("application/zip")
        .header("content-disposition", `attachment; filename="evidence-${task.id}.zip"`)
        .header("cache-control", "no-store")
        .send(evidenceOf(context, caller, task))
    },
  })

  app.get("/flow/:flowId/report-settings", {
    config: { permission: "view/flow" },
    schema: {
      operationId: "getReportSettings",
      summary: "Get what the service reports of a flow contain",
      params: FlowParams,
      response: { 200: SettingsResponse },
    },
    async handler({ sql, caller, params }) {
      const flow = await findFlow(sql, caller, params.flowId)
      if (!flow) throw reportErrors.notFound()
      const data = await readReportSettings(sql, caller.organizationId, flow.id)
      return { status: true as const, message: "Success", data }
    },
  })

  app.put("/flow/:flowId/report-settings", {
    config: { permission: "edit/flow" },
    schema: {
      operationId: "replaceReportSettings",
      summary: "Replace what the service reports of a flow contain",
      params: FlowParams,
      body: Type.Partial(ReportSettingsSchema),
      response: { 200: SettingsResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const data = { ...defaultReportSettings, ...body }
      await inTransaction(sql, async (tx) => {
        const flow = await findFlow(tx, caller, params.flowId)
        if (!flow) throw reportErrors.notFound()
        await writeReportSettings(tx, caller, flow.id, data)
        await audit(tx, actorOf(caller, ip), {
          action: "report-settings.update",
          targetType: "flow",
          targetId: flow.id,
          targetName: flow.name,
          after: data,
        })
      })
      return { status: true as const, message: "Saved", data }
    },
  })
}
