import type { Tx } from "#core/database/database.ts"
import { ensureHandoverFlow, handoverFlowName } from "../../../work/flows/index.ts"
import {
  changeTasks,
  createTasks,
  findTasks,
  removeUntouchedTasks,
  type TaskRow,
} from "../../../work/tasks/index.ts"
import { plannedHandovers } from "../plan/planned-tasks.ts"
import type { Dispatch, DispatchedTask } from "./dispatch.ts"
import type { MadeTask } from "./dispatch-record.ts"

/**
 * Goods that change hands at a sub-hub are tasks of the main hub, on a flow of their own. They are made once;
 * one that the plan no longer has goes again, unless somebody worked on it.
 */
export async function dispatchHandovers(
  tx: Tx,
  { row, caller, earlier, context, orderIndexOf }: Dispatch,
  tasks: ReadonlyMap<string, TaskRow>,
): Promise<{ report: DispatchedTask[]; made: MadeTask[] }> {
  const handovers = plannedHandovers(row).filter(({ taskIds }) => taskIds.length > 0)
  const known = earlier.created.filter(({ key }) => key.startsWith("handover-"))
  for (const stale of known.filter(({ key }) => !handovers.some((handover) => handover.key === key)))
    await removeUntouchedTasks(tx, caller, [stale.id], Temporal.Instant.from(stale.writtenTime), context.live)
  if (handovers.length > 0) await ensureHandoverFlow(tx, caller)
  const report: DispatchedTask[] = []
  const made: MadeTask[] = []
  for (const { key, vehicle, node, taskIds } of handovers) {
    const title = vehicle.assignee || vehicle.vehicleName || null
    const values = {
      handoverFrom: title ?? "",
      handoverPoint: node.coordinate ?? "",
      listOrder: taskIds.map((taskId) => ({ title: tasks.get(taskId)?.title ?? taskId, qty: 1 })),
    }
    const before = known.find((entry) => entry.key === key)
    const existing = before ? (await findTasks(tx, caller, [before.id]))[0] : undefined
    let id: string | undefined = existing?.id
    let action: DispatchedTask["action"] = "update"
    if (id === undefined) {
      action = "create"
      const [outcome] = await createTasks(
        tx,
        caller,
        [{ ...values, flow: handoverFlowName, hubId: row.hubId, createdFrom: "WEB" }],
        { ...context, allowsHandover: true },
      )
      if (!outcome || "refusal" in outcome) {
        const message = outcome?.refusal.message ?? "no task was created"
        report.push({ _id: row.id, title, status: false, message, action })
        continue
      }
      id = outcome.task.id
    }
    const [changed] = await changeTasks(
      tx,
      caller,
      [
        {
          taskId: id,
          kind: "patch",
          patch: {
            ...(existing ? values : {}),
            assignee: vehicle.assignee ? [vehicle.assignee] : [],
            orderIndex: orderIndexOf(vehicle.vehicleId, node.order ?? 0),
          },
          planned: {
            routingResultId: row.id,
            attributes: {
              Handover: true,
              eta: node.eta ?? null,
              etd: node.etd ?? null,
              distance: node.distance ?? 0,
              routePlannedOrder: node.order ?? null,
            },
          },
        },
      ],
      context,
    )
    const isDone = changed !== undefined && "task" in changed
    if (isDone) made.push({ id, key, writtenTime: changed.task.updatedTime.toString() })
    const message = isDone ? "Dispatched" : (changed?.refusal.message ?? "")
    report.push({ _id: id, title, status: isDone, message, action })
  }
  return { report, made }
}
