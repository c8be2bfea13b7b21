import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { toT1 } from "#shared/wire-time.ts"
import { taskErrors } from "../errors.ts"
import { TaskResponse } from "../schemas.ts"
import { toWireTask } from "../wire.ts"
import { claimTask, listClaimable } from "./claim-task.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

const ClaimableResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Array(
    Type.Object(
      {
        _id: IdSchema("task"),
        title: Type.String(),
        content: NullableText,
        flow: Type.String(),
        startTime: Type.String(),
        endTime: Type.String(),
        coordinate: Type.Union([Type.String(), Type.Null()], { description: "lat,lng" }),
        distance: Type.Union([Type.Integer(), Type.Null()], { description: "Metres from `near`" }),
      },
      { title: "ClaimableTask" },
    ),
  ),
})

/** Tasks of nobody, which people in the field take themselves. */
export function taskClaimRoutes(app: App): void {
  app.get("/claimable-tasks", {
    config: { permission: "task/claim" },
    schema: {
      operationId: "listClaimableTasks",
      summary: "List up to 50 unassigned tasks in the caller's hubs, the nearest first",
      querystring: Type.Object({
        near: Type.Optional(
          Type.String({ maxLength: 60, examples: ["38.7071,-9.1355"], description: "lat,lng of the caller" }),
        ),
      }),
      response: { 200: ClaimableResponse },
    },
    async handler({ sql, caller, query }) {
      const at = query.near === undefined ? undefined : parseLatLng(query.near)
      if (query.near !== undefined && !at)
        throw taskErrors.invalid({
          message: "near must be a latitude and a longitude such as 38.7071,-9.1355",
        })
      const data = (await listClaimable(sql, caller, at)).map(({ task, distanceMeters }) => ({
        _id: task.id,
        title: task.title ?? task.flow,
        content: task.content,
        flow: task.flow,
        startTime: toT1(task.startTime),
        endTime: toT1(task.endTime),
        coordinate: task.lat === null || task.lng === null ? null : `${task.lat},${task.lng}`,
        distance: distanceMeters,
      }))
      return { status: true as const, message: "Success", data }
    },
  })

  app.post("/task-claims/:taskId", {
    config: { permission: "task/claim", idempotent: false },
    schema: {
      operationId: "claimTask",
      summary: "Take an unassigned task",
      description: "Of several people at once exactly one gets it; the others receive 409.",
      params: Type.Object({ taskId: IdSchema("task") }),
      response: { 200: TaskResponse },
    },
    async handler({ sql, caller, params }) {
      const context = { now: app.clock.now(), live: app.live }
      const task = await inTransaction(sql, (tx) => claimTask(tx, caller, params.taskId, context))
      return { status: true as const, message: "Success", task: toWireTask(task) }
    },
  })
}
