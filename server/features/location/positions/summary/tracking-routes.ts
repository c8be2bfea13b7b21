import { Type } from "typebox"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { parseTimeBound } from "#shared/wire-time.ts"
import { roadSupplyOf } from "../../roads/index.ts"
import type { ReadAudit } from "../sharing/read-audit.ts"
import { hubExists, summarizeHub } from "./tracking-summary.ts"

const Count = Type.Integer()
const PersonSummary = Type.Object({
  doneTask: Count,
  ongoingTask: Count,
  distance: Type.Number({ description: "Kilometres" }),
  duration: Type.Number({ description: "Minutes" }),
})

export function trackingRoutes(app: App, auditRead: ReadAudit): void {
  app.get("/tasks/tracking", {
    config: { permission: "view/tracking" },
    schema: {
      operationId: "summarizeTracking",
      summary: "Get tasks, distance and duration per person of a hub in a time range",
      querystring: Type.Object({
        hubId: Type.Optional(Type.String({ description: "Required" })),
        timeFrom: Type.Optional(Type.String({ description: "Required; UTC, inclusive" })),
        timeTo: Type.Optional(Type.String({ description: "Required; UTC, inclusive" })),
        timeBy: Type.Optional(Type.String({ description: "createdTime, startTime or doneTime" })),
        createdFrom: Type.Optional(Type.String()),
        email: Type.Optional(Type.String()),
        isSnapToRoute: Type.Optional(Type.Boolean({ description: "Distances along roads" })),
      }),
      response: {
        200: Type.Object({
          doneTotal: Count,
          ongoingTotal: Count,
          taskTotal: Count,
          totalDistance: Type.Number(),
          totalDuration: Type.Number(),
          counting: Type.Record(Type.String(), PersonSummary),
          createdFrom: Type.Array(Type.String()),
        }),
      },
    },
    async handler({ sql, caller, query, ip }) {
      const hubId = required("hubId", query.hubId).toLowerCase()
      const from = bound("timeFrom", query.timeFrom, "from")
      const to = bound("timeTo", query.timeTo, "to")
      const { timeBy } = query
      if (timeBy !== undefined && timeBy !== "createdTime" && timeBy !== "startTime" && timeBy !== "doneTime")
        throw refusal("timeBy must be createdTime, startTime or doneTime")
      if (!(await hubExists(sql, caller, hubId))) throw refusal("hubId is not one of your hubs")
      await auditRead(sql, caller, ip, {
        userId: null,
        email: query.email ?? null,
        how: `summary of hub ${hubId}`,
      })
      return summarizeHub(sql, caller, {
        hubId,
        from,
        to,
        timeBy,
        createdFrom: query.createdFrom,
        email: query.email?.toLowerCase(),
        snapWith: query.isSnapToRoute
          ? roadSupplyOf({ config: app.settings, sql: app.sql, objects: app.objects }, caller.organizationId)
          : undefined,
        now: app.clock.now(),
      })
    },
  })
}

/** This call belongs to the tasks on the wire, and has one code for every bad parameter. */
function refusal(message: string): AppError {
  return new AppError(400, "task-032", message)
}

function required(name: string, value: string | undefined): string {
  if (!value) throw refusal(`${name} is required`)
  return value
}

function bound(name: string, text: string | undefined, end: "from" | "to"): Temporal.Instant {
  const at = parseTimeBound(required(name, text), end)
  if (at === undefined) throw refusal(`${name} must be a date and time, for example 2031-05-04 03:02:01`)
  return Temporal.Instant.fromEpochMilliseconds(at)
}
