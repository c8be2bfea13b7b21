import { Type } from "typebox"
import type { Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { toT2 } from "#shared/wire-time.ts"
import { type FlowRow, findFlow } from "../../flows/index.ts"
import { taskErrors } from "../errors.ts"
import { findPublicTask } from "../queries.ts"
import type { TaskRow } from "../wire.ts"
import { listHistories } from "./histories.ts"

/** Where somebody was last seen, as the public view of a task shows it. */
export interface PublicPosition {
  email: string
  lat: string
  lon: string
  /** `Y-m-d H:i:s` in UTC. */
  createdTime: string
  user: { name: string; phoneNumber: string | null }
}

/** The newest positions of some members of an organization; who never sent one is left out. */
export type LatestPositions = (
  sql: Sql,
  organizationId: string,
  emails: readonly string[],
) => Promise<PublicPosition[]>

const daysAfterDone = 7

export function publicTaskRoutes(app: App, latestPositions: LatestPositions): void {
  app.get("/task/public/:taskId", {
    config: { public: true },
    schema: {
      operationId: "getPublicTask",
      summary: "Get what the receiver of a task may see, without a token",
      description: `Available until the end time, or ${daysAfterDone} days after the task was finished; then returns 401.`,
      params: Type.Object({ taskId: IdSchema("task") }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Object({
            task: Type.Object({}, { additionalProperties: true }),
            taskComponentDetail: Type.Array(
              Type.Object({ id: Type.String(), type: Type.Unknown(), component: Type.String() }),
            ),
            location: Type.Array(Type.Object({}, { additionalProperties: true })),
          }),
        }),
      },
    },
    async handler({ sql, params }) {
      const task = await findPublicTask(sql, params.taskId)
      if (!task) throw taskErrors.notFound()
      if (isExpired(task, app.clock.now())) throw taskErrors.linkExpired()
      const flow = await findFlow(sql, task, task.flowId)
      const isMoving = task.status === "ONGOING"
      return {
        status: true as const,
        message: "Success.",
        data: {
          ...(await publicView(sql, task, flow)),
          location: isMoving ? await latestPositions(sql, task.organizationId, task.assignee) : [],
        },
      }
    },
  })
}

function isExpired(task: TaskRow, now: Temporal.Instant): boolean {
  const end =
    task.status === "DONE" ? (task.doneTime ?? task.endTime).add({ hours: 24 * daysAfterDone }) : task.endTime
  return Temporal.Instant.compare(now, end) > 0
}

/** A closed list of what leaves without a token: no ids of organization or hub, no e-mails, no field but lists and bills. */
async function publicView(sql: Sql, task: TaskRow, flow: FlowRow | undefined) {
  const components = (flow?.pages ?? [])
    .flatMap((page) => page.components)
    .filter(({ component }) => component === "list" || component === "bill")
  const histories = await listHistories(sql, task.organizationId, [task.id])
  return {
    task: {
      ...Object.fromEntries(components.map(({ id }) => [id, publicItems(task.values[id])])),
      flow: task.flow,
      title: task.attributes.title ?? task.title,
      content: task.attributes.content ?? task.content,
      label: task.attributes.label ?? task.label,
      expectedCoordinate: task.attributes.expectedCoordinate ?? null,
      status: task.status,
      histories: histories.map(({ id, action, notes, createdAt }) => ({
        _id: id,
        action,
        notes,
        createdAt: toT2(createdAt),
      })),
    },
    taskComponentDetail: components.map(({ id, type, component }) => ({ id, type: type ?? null, component })),
  }
}

/** Keys of a linked data record in the order of the wire; what would identify the organization stays empty. */
const recordKeys = [
  "_id",
  "dataId",
  "dataTypeId",
  "hubId",
  "createdBy",
  "organizationId",
  "updatedTime",
  "createdTime",
  "value",
]
const withheld: ReadonlySet<string> = new Set(["hubId", "createdBy", "organizationId"])

function publicItems(items: unknown): unknown {
  if (!Array.isArray(items)) return null
  return items.map(({ title, content, data, qty, unitPrice, qtyProcessed }) => {
    const record = recordKeys.map((key) => [key, withheld.has(key) ? null : (data?.[key] ?? null)])
    return { title, content, data: Object.fromEntries(record), qty, unitPrice, qtyProcessed }
  })
}
