import type { Caller } from "#core/access/caller.ts"
import { type Sql, type Tx, withRollback } from "#core/database/database.ts"
import { emit } from "#core/domain-events.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import type { Permission } from "#core/permissions.ts"
import { type FlowRow, listEveryFlow } from "../../../work/flows/index.ts"
import {
  changeTasks,
  createTasks,
  findTasks,
  snapshotTasks,
  type TaskRow,
} from "../../../work/tasks/index.ts"
import { lockDone } from "../adjust/edit-result.ts"
import { type PlannedVisit, plannedAttributes, plannedVisits } from "../plan/planned-tasks.ts"
import { findInput, lockResult, type ResultRow } from "../queries.ts"
import { type MappingContext, mappedValues } from "../results/mapped-values.ts"
import { toWireResult } from "../results/wire.ts"
import { listGeotags } from "../roads/geotags.ts"
import { dispatchHandovers } from "./dispatch-handovers.ts"
import { type DispatchRecord, type MadeTask, readRecord, writeRecord } from "./dispatch-record.ts"

export interface DispatchedTask {
  _id: string
  title: string | null
  status: boolean
  message: string
  action: "update" | "create"
}

export interface DispatchContext {
  now: Temporal.Instant
  live: LiveEvents
}

export interface Dispatch {
  row: ResultRow
  caller: Caller
  flows: ReadonlyMap<string, FlowRow>
  /** What an earlier dispatch of the result wrote. */
  earlier: DispatchRecord
  context: DispatchContext
  /** Orders on the tasks grow along the routes. */
  orderIndexOf: (vehicleId: string, order: number) => number
}

/** Dispatches, rolls back and returns the outcome of each visit. */
export function previewDispatch(sql: Sql, caller: Caller, resultId: string, context: DispatchContext) {
  return withRollback(sql, (tx) => dispatchResult(tx, caller, resultId, context))
}

/**
 * Writes a plan into its tasks: who goes, in which order, when. All of it is one transaction under the lock of
 * the result, so each visit is dispatched once however often and from wherever it is asked for at the same
 * time; dispatching again overwrites. A task that refuses leaves the others.
 */
export async function dispatchResult(
  tx: Tx,
  caller: Caller,
  resultId: string,
  context: DispatchContext,
): Promise<DispatchedTask[]> {
  const row = await lockDone(tx, caller, resultId)
  const planner = asPlanner(caller)
  const flows = new Map((await listEveryFlow(tx, caller)).map((flow) => [flow.id as string, flow]))
  const base = Math.floor(context.now.epochMilliseconds / 1000) * 100_000
  const dispatch: Dispatch = {
    row,
    caller: planner,
    flows,
    earlier: await readRecord(tx, row),
    context,
    orderIndexOf: (_vehicleId, order) => base + order,
  }
  const visits = plannedVisits(row)
  const tasks = new Map(
    (await findTasks(tx, planner, [...new Set(visits.map(({ taskId }) => taskId))])).map((task) => [
      task.id as string,
      task,
    ]),
  )
  const mapping = await readMapping(tx, planner, row)
  const originals = visits.filter(({ part }) => part === 0)
  const changed = await changeOriginals(tx, dispatch, originals, tasks, mapping)
  const parts = await dispatchParts(
    tx,
    dispatch,
    visits.filter(({ part }) => part > 0),
    tasks,
    mapping,
  )
  const handovers = await dispatchHandovers(tx, dispatch, tasks)
  await writeRecord(tx, row, { changed: changed.kept, created: [...parts.made, ...handovers.made] })
  const report = [...changed.report, ...parts.report, ...handovers.report]
  await conclude(tx, caller, row, report, context)
  return report
}

/** Dispatching is a right of its own: it assigns, moves and makes tasks of any flow, in the caller's hubs. */
function asPlanner(caller: Caller): Caller {
  const granted: Permission[] = ["edit/task", "assign/task", "move/task", "add/task"]
  const permissions = new Set([...caller.permissions, ...granted])
  permissions.delete("view/task/only-me")
  return { ...caller, permissions, permissionDetails: [] }
}

async function readMapping(
  tx: Tx,
  caller: Caller,
  row: ResultRow,
): Promise<(visit: PlannedVisit) => MappingContext> {
  const input = await findInput(tx, row.organizationId, row.id)
  const given = new Map(input?.visits.map((visit) => [visit.id, visit]))
  const areaTags = new Set((await listGeotags(tx, caller, row.hubId)).map(({ name }) => name))
  return ({ node }) => ({
    areaTags,
    hasOwnVisitTime: input === null || (given.get(node.visitId)?.visitTime ?? null) !== null,
    dimensions: row.configuration.capacityConstraint,
  })
}

async function changeOriginals(
  tx: Tx,
  dispatch: Dispatch,
  visits: readonly PlannedVisit[],
  tasks: ReadonlyMap<string, TaskRow>,
  mapping: (visit: PlannedVisit) => MappingContext,
) {
  const { row, caller, flows, earlier, context } = dispatch
  const hubIds = new Set<string>([
    row.hubId,
    ...row.result.routing.flatMap(({ hubId }) => (typeof hubId === "string" ? hubId : [])),
  ])
  const isHere = ({ taskId }: PlannedVisit) => {
    const task = tasks.get(taskId)
    return task !== undefined && hubIds.has(task.hubId)
  }
  const present = visits.filter(isHere)
  const snapshots = new Map(
    (
      await snapshotTasks(
        tx,
        caller,
        present.map(({ taskId }) => taskId),
      )
    ).map(({ id, before }) => [id as string, before]),
  )
  const outcomes = await changeTasks(
    tx,
    caller,
    present.map((visit) => {
      const task = tasks.get(visit.taskId)
      const pages = flows.get(task?.flowId ?? "")?.pages ?? []
      return {
        taskId: visit.taskId,
        kind: "patch" as const,
        patch: {
          ...(task ? mappedValues(pages, task, visit.node, mapping(visit)) : {}),
          ...planPatch(dispatch, visit, task),
        },
        planned: { routingResultId: row.id, attributes: plannedAttributes(visit) },
      }
    }),
    context,
  )
  const outcomeOf = new Map(present.map((visit, index) => [visit, outcomes[index]]))
  const kept = [...earlier.changed.filter((entry) => !present.some(({ taskId }) => taskId === entry.id))]
  const report = visits.map((visit): DispatchedTask => {
    const task = tasks.get(visit.taskId)
    const outcome = outcomeOf.get(visit)
    const entry = {
      _id: visit.taskId,
      title: task?.title ?? visit.node.visitName ?? null,
      action: "update" as const,
    }
    if (outcome && "task" in outcome) {
      const known = earlier.changed.find(({ id }) => id === visit.taskId)
      // Untouched since the dispatch before: taking back goes to before that one.
      const isUntouched = known && task && known.writtenTime === task.updatedTime.toString()
      const before = isUntouched ? known.before : snapshots.get(visit.taskId)
      kept.push({ id: visit.taskId, before, writtenTime: outcome.task.updatedTime.toString() })
      return { ...entry, status: true, message: "Dispatched" }
    }
    const message = task
      ? (outcome?.refusal.message ?? "This task was moved to another hub")
      : "This task no longer exists"
    return { ...entry, status: false, message }
  })
  return { report, kept }
}

/** People, order and, over a sub-hub, the hub. */
function planPatch(
  { row, orderIndexOf }: Dispatch,
  { vehicle, node }: PlannedVisit,
  task: TaskRow | undefined,
) {
  const subHubId =
    typeof vehicle.hubId === "string" && vehicle.hubId !== row.hubId ? vehicle.hubId : undefined
  return {
    assignee: vehicle.assignee ? [vehicle.assignee] : [],
    orderIndex: orderIndexOf(vehicle.vehicleId, node.order ?? 0),
    ...(subHubId !== undefined && task?.hubId !== subHubId ? { hubId: subHubId as TaskRow["hubId"] } : {}),
  }
}

/** Further parts of split visits are tasks of their own, made once and then changed. */
async function dispatchParts(
  tx: Tx,
  dispatch: Dispatch,
  visits: readonly PlannedVisit[],
  tasks: ReadonlyMap<string, TaskRow>,
  mapping: (visit: PlannedVisit) => MappingContext,
): Promise<{ report: DispatchedTask[]; made: MadeTask[] }> {
  const { row, caller, flows, earlier, context } = dispatch
  const report: DispatchedTask[] = []
  const made: MadeTask[] = []
  for (const visit of visits) {
    const original = tasks.get(visit.taskId)
    const title = original?.title ?? visit.node.visitName ?? null
    const key = `${visit.taskId} ${visit.part + 1}`
    const flow = flows.get(original?.flowId ?? "")
    if (!original || !flow || original.status === "DONE") {
      const message = original
        ? "The task that this task belongs to is finished"
        : "This task no longer exists"
      report.push({ _id: visit.taskId, title, status: false, message, action: "create" })
      continue
    }
    const known = earlier.created.find((entry) => entry.key === key)
    const values = { ...original.values, ...mappedValues(flow.pages, original, visit.node, mapping(visit)) }
    const existing = known ? (await findTasks(tx, caller, [known.id]))[0] : undefined
    const id = existing?.id ?? (await makePart(tx, dispatch, original, values))
    if (typeof id !== "string") {
      report.push({ _id: visit.taskId, title, status: false, message: id.message, action: "create" })
      continue
    }
    const attributes = { ...plannedAttributes(visit), parentTaskId: original.id }
    const [outcome] = await changeTasks(
      tx,
      caller,
      [
        {
          taskId: id,
          kind: "patch",
          patch: {
            ...(existing ? mappedValues(flow.pages, existing, visit.node, mapping(visit)) : {}),
            ...planPatch(dispatch, visit, existing),
          },
          planned: { routingResultId: row.id, attributes },
        },
      ],
      context,
    )
    const isDone = outcome !== undefined && "task" in outcome
    if (isDone) made.push({ id, key, writtenTime: outcome.task.updatedTime.toString() })
    report.push({
      _id: id,
      title,
      status: isDone,
      message: isDone ? "Dispatched" : (outcome?.refusal.message ?? ""),
      action: existing ? "update" : "create",
    })
  }
  return { report, made }
}

async function makePart(
  tx: Tx,
  { caller, context }: Dispatch,
  original: TaskRow,
  values: Record<string, unknown>,
) {
  const [outcome] = await createTasks(
    tx,
    caller,
    [
      {
        ...values,
        flow: original.flow,
        hubId: original.hubId,
        startTime: original.startTime.toString(),
        endTime: original.endTime.toString(),
        createdFrom: "WEB",
      },
    ],
    context,
  )
  return outcome && "task" in outcome
    ? outcome.task.id
    : (outcome?.refusal ?? new Error("no task was created"))
}

/** The end of a dispatch: its outcome on the result, its event and its news. */
async function conclude(
  tx: Tx,
  caller: Caller,
  row: ResultRow,
  report: readonly DispatchedTask[],
  { now, live }: DispatchContext,
): Promise<void> {
  const { organizationId, hubId } = row
  const success = report.filter(({ status }) => status).length
  await tx`
    update routing_results set dispatch_status = ${success === 0 && report.length > 0 ? "failed" : "done"},
      dispatch_message = ${`${success}/${report.length}`}, updated_time = ${now}
    where organization_id = ${organizationId} and id = ${row.id}`
  const dispatched = await lockResult(tx, caller, row.id)
  if (!dispatched) return
  const record = toWireResult(dispatched)
  await emit(tx, live, organizationId, "onRoutingResultDispatched", [{ referenceId: row.id, hubId, record }])
  await publish(tx, live, "routing.changed", { organizationId, hubId, content: { resultIds: [row.id] } })
}
