import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import type { TaskPriority } from "#shared/task-priorities.ts"
import { roadSupplyOf } from "../../../location/roads/index.ts"
import { findHub } from "../../../organization/hubs/index.ts"
import { listEveryFlow } from "../../../work/flows/index.ts"
import { findTasks } from "../../../work/tasks/index.ts"
import { bestOrder, writeOrder } from "../adjust/reorder-visits.ts"
import { greatCircleLegs, type NodeLeg, timeNodes } from "../adjust/time-nodes.ts"
import { parseClock } from "../clock-time.ts"
import { refusal } from "../read-entries.ts"
import { VisitInput } from "../request-schemas.ts"
import { NodeSchema, type RouteNode } from "../result-schemas.ts"
import { findTravel } from "../roads/travel.ts"
import { findCurrentConfiguration } from "../settings/configurations.ts"
import { defaultSettings, type Settings } from "../settings/settings.ts"
import { idsOf, linksOfTask } from "./links-of-task.ts"
import { visitOfTask } from "./visit-of-task.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const WorkingTime = Type.Object({
  startTime: Type.Optional(Type.String()),
  endTime: Type.Optional(Type.String()),
})

/** Times for an order that somebody chose, and an order for somebody on the way. */
export function calculateRoutes(app: App): void {
  app.post("/route-calculate", {
    config: { admission: "waiting", body: "bulk", permission: "edit/result", idempotent: false },
    schema: {
      operationId: "calculateRoute",
      summary: "Compute the times of a vehicle's nodes in the given order; stores nothing",
      body: Type.Object({
        trips: Type.Array(NodeSchema, { minItems: 1, maxItems: 2500 }),
        speed: Type.Optional(Type.Number({ minimum: 5, maximum: 1000, description: "km/h; default 25" })),
        workingTime: Type.Optional(WorkingTime),
        timeWindow: Type.Optional(WorkingTime),
      }),
      response: {
        200: Type.Object({
          workingTime: Type.Object({ startTime: Type.String(), endTime: Type.String() }),
          speed: Type.Number(),
          countryCode: NullableText,
          trips: Type.Array(NodeSchema),
          warnings: Type.Array(Type.String()),
        }),
      },
    },
    async handler({ sql, caller, body }) {
      const nodes = body.trips as RouteNode[]
      const hubNode = nodes.find((node) => node.isHub)
      const hubId = /([0-9a-f]{24})$/i.exec(hubNode?.visitId ?? "")?.[1]
      const hub = hubId === undefined ? undefined : await findHub(sql, caller, hubId)
      const profile = hub && (await findCurrentConfiguration(sql, caller, hub.id))
      const hours = body.workingTime ?? body.timeWindow
      const workingTime = { startTime: hours?.startTime ?? "08:00", endTime: hours?.endTime ?? "17:00" }
      const start = parseClock(workingTime.startTime)
      if (start === undefined) throw refusal("018", "workingTime.startTime", "must be a time such as 08:30")
      const speed = body.speed ?? profile?.settings.defaultSpeed ?? 25
      const { legs, warnings } = await legsOf(caller, nodes, speed, profile?.settings ?? defaultSettings)
      const trips = timeNodes(nodes, legs, { speed, start })
      return { workingTime, speed, countryCode: hub?.countryCode ?? null, trips, warnings }
    },
  })

  const suppliedTo = ({ organizationId }: Caller) =>
    roadSupplyOf({ config: app.settings, sql: app.sql, objects: app.objects }, organizationId)

  async function legsOf(
    caller: Caller,
    nodes: readonly RouteNode[],
    speed: number,
    { avoidToll, roadProfile }: Pick<Settings, "avoidToll" | "roadProfile">,
  ) {
    const positions = nodes.map((node) => parseLatLng(node.coordinate ?? ""))
    const placed = positions.flatMap((position) => (position ? [position] : []))
    if (placed.length < positions.length) return { legs: greatCircleLegs(nodes), warnings: [] }
    const settings = { autoSpeed: false, avoidToll, roadProfile, defaultSpeed: speed }
    const roads = suppliedTo(caller)
    const { matrices, warnings } = await findTravel(placed, settings, roads, AbortSignal.timeout(20_000))
    if (!matrices) return { legs: greatCircleLegs(nodes), warnings }
    const legs = nodes.map(
      (_, index): NodeLeg => ({
        meters: index === 0 ? 0 : (matrices.distances[(index - 1) * nodes.length + index] ?? 0),
      }),
    )
    return { legs, warnings }
  }

  app.post("/routing/visits", {
    config: { admission: "waiting", body: "bulk", permission: "route-optimization", idempotent: false },
    schema: {
      operationId: "listVisitsOfTasks",
      summary: "Convert open tasks to visits of a plan by the mapping of their flows",
      body: Type.Object({ taskIds: Type.Array(IdSchema("task"), { minItems: 1, maxItems: 2000 }) }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Array(
            Type.Object({
              id: Type.String(),
              hubId: Type.String(),
              name: Type.String(),
              address: Type.String(),
              coordinate: Type.String({ description: "Empty if the task has no location" }),
              timeWindow: Type.Object({ startTime: NullableText, endTime: NullableText }),
              visitTime: Type.Union([Type.Integer(), Type.Null()]),
              tags: Type.Array(Type.String()),
              capacity: Type.Record(Type.String(), Type.Number()),
              pickupVisitId: VisitInput.properties.pickupVisitId,
              after: VisitInput.properties.after,
              workers: VisitInput.properties.workers,
              days: VisitInput.properties.days,
              preferredVehicle: VisitInput.properties.preferredVehicle,
              preferredDays: VisitInput.properties.preferredDays,
              priority: VisitInput.properties.priority,
              visitGroup: Type.Optional(Type.String()),
              visitGroupPriority: Type.Optional(Type.Integer()),
            }),
          ),
        }),
      },
    },
    async handler({ sql, caller, body }) {
      const tasks = (await findTasks(sql, caller, body.taskIds)).filter(({ status }) => status !== "DONE")
      const flows = new Map((await listEveryFlow(sql, caller)).map((flow) => [flow.id, flow]))
      const ids = idsOf(tasks)
      const data = tasks.map((task) => {
        const { links, ...visit } = visitOfTask(task, flows.get(task.flowId)?.pages ?? [])
        return {
          ...visit,
          hubId: task.hubId as string,
          ...linksOfTask(links, ids),
          ...urgencyOf(task.attributes),
          ...groupOf(task.attributes),
        }
      })
      return { status: true as const, data }
    },
  })

  app.post("/reorder-visits", {
    config: {
      admission: "waiting",
      body: "bulk",
      anyOf: ["edit/task", "do/task", "task/reorder"],
      idempotent: false,
    },
    schema: {
      operationId: "reorderVisits",
      summary: "Order a person's visits from the current position and write the order to the tasks",
      body: Type.Object({
        currentCoordinate: Type.String({ description: '"lat,lng"' }),
        visits: Type.Array(
          Type.Object({
            id: Type.String({ minLength: 1 }),
            name: Type.Optional(Type.String()),
            address: Type.Optional(Type.String()),
            coordinate: Type.String(),
            timeWindow: Type.Optional(WorkingTime),
            visitTime: Type.Optional(Type.Number({ minimum: 0, maximum: 14_400 })),
          }),
          { minItems: 1, maxItems: 500 },
        ),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          statusCode: Type.Integer(),
          data: Type.Array(
            Type.Object({
              status: Type.Boolean(),
              message: Type.String(),
              _id: Type.String(),
              orderIndex: Type.Number(),
            }),
          ),
        }),
      },
    },
    async handler({ sql, caller, body }) {
      const from = parseLatLng(body.currentCoordinate)
      if (!from) throw refusal("003", "currentCoordinate", 'must be "latitude,longitude"')
      const visits = body.visits.map(({ id, coordinate, timeWindow, visitTime }, index) => {
        const position = parseLatLng(coordinate)
        if (!position) throw refusal("003", `visits.${index}.coordinate`, 'must be "latitude,longitude"')
        const { startTime, endTime } = timeWindow ?? {}
        return { id, position, startTime, endTime, visitTime: visitTime ?? 0 }
      })
      const now = app.clock.now()
      const order = await bestOrder(from, visits, {
        organizationId: caller.organizationId,
        now,
        timeZone: caller.timeZone,
        roads: suppliedTo(caller),
      })
      const data = await inTransaction(sql, (tx) =>
        writeOrder(tx, caller, visits, order, { now, live: app.live }),
      )
      return { status: true as const, statusCode: 200, data }
    },
  })
}

/** How many visits an urgent task counts for when not all fit. */
const countsFor: ReadonlyMap<unknown, number> = new Map<TaskPriority, number>([
  ["high", 5],
  ["urgent", 20],
])

function urgencyOf({ priority }: Readonly<Record<string, unknown>>) {
  const count = countsFor.get(priority)
  return count === undefined ? {} : { priority: count }
}

function groupOf({ visitGroup, visitGroupPriority }: Readonly<Record<string, unknown>>) {
  if (typeof visitGroup !== "string" || visitGroup === "") return {}
  const priority = Number(visitGroupPriority ?? 0)
  return { visitGroup, visitGroupPriority: Number.isInteger(priority) ? priority : 0 }
}
