import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { taskErrors } from "../errors.ts"
import { lockTasks, relatedColumns, taskColumns, visibleTasks } from "../queries.ts"
import type { TaskRow } from "../wire.ts"
import { type ChangeContext, changeTask } from "./change-tasks.ts"

export interface Claimable {
  task: TaskRow
  distanceMeters: number | null
}

const maxListed = 50

/** A person who sees only their own tasks may take one of nobody's, in their hubs. */
function asClaimer(caller: Caller): Caller {
  const permissions = new Set([...caller.permissions].filter((name) => name !== "view/task/only-me"))
  return { ...caller, permissions: permissions.add("assign/task") }
}

/** Open tasks of nobody in the caller's hubs; the nearest first where the caller says where they are. */
export async function listClaimable(sql: Sql, caller: Caller, at: LngLat | undefined): Promise<Claimable[]> {
  const [longitude, latitude] = at ?? [0, 0]
  const width = Math.cos((latitude * Math.PI) / 180)
  const order = at
    ? sql`power(tasks.lat - ${latitude}, 2) + power((tasks.lng - ${longitude}) * ${width}, 2) nulls last, tasks.end_time`
    : sql`tasks.end_time`
  const rows = await sql<TaskRow[]>`
    select ${taskColumns(sql)}, ${relatedColumns(sql)} from tasks
    where ${visibleTasks(sql, asClaimer(caller))} and ${inCallersHubs(sql, caller, sql`tasks.hub_id`)}
      and tasks.status = 'UNASSIGNED' and tasks.task_type not in ('activityMaster', 'activityChild')
    order by ${order}, tasks.id limit ${maxListed}`
  return rows.map((task) => ({
    task,
    distanceMeters:
      at && task.lat !== null && task.lng !== null
        ? Math.round(distanceMeters(at, [task.lng, task.lat]))
        : null,
  }))
}

/** Assigns a task of nobody to the caller. Of several callers at once exactly one gets it. */
export async function claimTask(
  tx: Tx,
  caller: Caller,
  taskId: string,
  context: ChangeContext,
): Promise<TaskRow> {
  const claimer = asClaimer(caller)
  const [task] = await lockTasks(tx, claimer, [taskId])
  if (!task) throw taskErrors.notFound()
  // The response to an earlier call was lost on the way.
  if (task.status === "ONGOING" && task.assignee.length === 1 && task.assignee[0] === caller.email)
    return task
  if (task.status !== "UNASSIGNED") throw taskErrors.taken()
  const patch = { assignee: [caller.email] }
  return (await changeTask(tx, claimer, { taskId, kind: "assign", patch }, context)).task
}
