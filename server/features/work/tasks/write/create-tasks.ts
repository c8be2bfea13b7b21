import { type Caller, hasHub, may } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { AppError, textsByField } from "#core/errors.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { type Id, newId, newIds } from "#core/ids.ts"
import { openStatus } from "#shared/task-status.ts"
import { earliestInstant, latestInstant, parseDateTime } from "#shared/wire-time.ts"
import { type Assignable, findAssignable } from "../../../people/users/index.ts"
import { allowedFlowIds, type FlowRow, findFlowsByName, subFlowsOf } from "../../flows/index.ts"
import { readClientAttributes, workAttributes } from "../complete/client-attributes.ts"
import { type Problem, readValues, titleOf } from "../complete/component-values.ts"
import { adjustmentHours, derive } from "../complete/derive.ts"
import { readSubFlows, subTaskBody } from "../complete/sub-tasks.ts"
import { taskErrors } from "../errors.ts"
import { emitTasks, publishTasks } from "../events.ts"
import { hubAndOrganization } from "../queries.ts"
import type { TaskHub, TaskRow, Written } from "../wire.ts"
import { assigneesOf, checkAssignees, nameTeamMembers } from "./assignees.ts"
import { insertTasks } from "./insert-tasks.ts"
import { notifyAssignees } from "./notify-assignees.ts"
import { createdFromWords, type TaskBody } from "./task-body.ts"
import { readUniqueRefs } from "./unique-refs.ts"

export interface CreateContext {
  now: Temporal.Instant
  live: LiveEvents
  /** Set for tasks that are steps of something else. */
  parent?: { taskType: "taskChild" | "activityChild"; parentId: string }
  /** Set for the next attempt of a failed task, which its worker may make. */
  attempt?: { previousTaskId: string; attempt: number }
  /** Dispatching alone makes tasks of the reserved flow Handover. */
  allowsHandover?: true
}

export type Created = Written | { refusal: AppError }

/**
 * Makes tasks, each by the rules of its flow, in the order given. One that is refused does not keep the
 * others from being made. Single calls, bulk calls and imports all come through here.
 */
export async function createTasks(
  tx: Tx,
  caller: Caller,
  requests: readonly TaskBody[],
  context: CreateContext,
): Promise<Created[]> {
  const bodies = await nameTeamMembers(tx, caller, requests)
  const [read, refs] = await Promise.all([
    readReferences(tx, caller, bodies),
    readUniqueRefs(
      tx,
      caller,
      bodies.map(({ refId }) => refId),
    ),
  ])
  // What belongs to another task makes no further ones: a flow may name itself, and no chain is endless.
  const subFlows = context.parent ? new Map() : await readSubFlows(tx, caller, read.flows.values())
  const known = { ...read, flows: withSubFlows(read.flows, subFlows) }
  const tasks: TaskRow[] = []
  // Tasks made at one moment are so listed in the order given.
  const ids = newIds<"task">(bodies.length, context.now.epochMilliseconds)
  const outcomes = bodies.map(
    (body, index): { task: TaskRow; warnings: string[] } | { refusal: AppError } => {
      try {
        const { task, warnings } = prepareTask(caller, body, known, context, {
          id: ids[index],
          position: index,
        })
        if (task.refId) refs.claim(task.refId)
        const subTasks = context.parent ? [] : prepareSubTasks(caller, task, { known, subFlows }, context)
        tasks.push(task, ...subTasks)
        return { task, warnings }
      } catch (error) {
        if (error instanceof AppError) return { refusal: error }
        throw error
      }
    },
  )
  const assigned = tasks.filter((task) => task.assignee.length > 0)
  // Sent together: none of them needs what another one returns.
  const [histories] = await Promise.all([
    insertTasks(tx, caller, tasks),
    publishTasks(tx, context.live, "task.created", tasks),
    publishTasks(tx, context.live, "task.assigned", assigned),
    emitTasks(tx, context.live, "onTaskCreated", tasks),
    emitTasks(tx, context.live, "onTaskAssigned", assigned),
    notifyAssignees(
      tx,
      caller,
      assigned.map((after) => ({ after })),
      context,
    ),
  ])
  const byTask = new Map(histories.map((entry) => [entry.taskId, entry]))
  return outcomes.map((outcome) => {
    if ("refusal" in outcome) return outcome
    const entry = byTask.get(outcome.task.id)
    return { ...outcome, histories: entry ? [entry] : [] }
  })
}

interface References {
  flows: ReadonlyMap<string, FlowRow>
  hubs: ReadonlyMap<string, Pick<TaskRow, "organizationName"> & { hub: TaskHub }>
  /** Members by hub, then e-mail. */
  people: ReadonlyMap<string, ReadonlyMap<string, Assignable>>
}

/** What the bodies refer to, read with one statement a kind however many bodies there are. */
async function readReferences(tx: Tx, caller: Caller, bodies: readonly TaskBody[]): Promise<References> {
  const flowNames = [...new Set(bodies.map((body) => body.flow))]
  const hubIds = [...new Set(bodies.map((body) => body.hubId.toLowerCase()))]
  const [flows, hubs, ...people] = await Promise.all([
    findFlowsByName(tx, caller, flowNames),
    tx<{ hub: TaskHub; organizationName: string }[]>`
      select ${hubAndOrganization(tx)} from (
        select organization_id, id as hub_id from hubs
        where organization_id = ${caller.organizationId} and id = any (${hubIds}) for key share
      ) tasks`.reusePlan(),
    ...hubIds.map((hubId) => readPeople(tx, caller, bodies, hubId)),
  ])
  return {
    flows: new Map(flows.map((flow) => [flow.name, flow])),
    hubs: new Map(hubs.map((row) => [row.hub._id, row])),
    people: new Map(people),
  }
}

async function readPeople(tx: Tx, caller: Caller, bodies: readonly TaskBody[], hubId: string) {
  const ofHub = bodies.filter((body) => body.hubId.toLowerCase() === hubId)
  const emails = [...new Set(ofHub.flatMap(assigneesOf))]
  const found = emails.length > 0 ? await findAssignable(tx, caller.organizationId, emails, hubId) : []
  return [hubId, new Map(found.map((person) => [person.email, person]))] as const
}

function withSubFlows(
  flows: ReadonlyMap<string, FlowRow>,
  subFlows: ReadonlyMap<string, FlowRow>,
): ReadonlyMap<string, FlowRow> {
  if (subFlows.size === 0) return flows
  return new Map([...flows, ...[...subFlows.values()].map((flow) => [flow.name, flow] as const)])
}

/** The tasks that come with a task by the sub-flows of its flow, linked on both sides. Throws when one cannot be made. */
function prepareSubTasks(
  caller: Caller,
  master: TaskRow,
  { known, subFlows }: { known: References; subFlows: ReadonlyMap<string, FlowRow> },
  { attempt: _attempt, ...others }: CreateContext,
): TaskRow[] {
  const wanted = subFlowsOf(known.flows.get(master.flow)?.pages ?? [])
  if (wanted.length === 0) return []
  const parent = { taskType: "taskChild", parentId: master.id } as const
  const { startTime, endTime } = master
  const subTasks = wanted.map((subFlow, index): TaskRow => {
    const title = titleOf(subFlow.component)
    const flow = subFlows.get(subFlow.flowId)
    if (!flow) throw taskErrors.invalid({ message: `The flow of the sub-task ${title} no longer exists` })
    try {
      const body = subTaskBody(master, flow, subFlow)
      const orderIndex = master.orderIndex + 1 + index
      return {
        ...prepareTask(caller, body, known, { ...others, parent }, { position: 0 }).task,
        startTime,
        endTime,
        orderIndex,
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const reason = `the sub-task of ${flow.name} cannot be created: ${error.message}`
      throw taskErrors.invalid({
        message: `${title}: ${reason}`,
        fields: { [subFlow.component.id]: [reason] },
        cause: error,
      })
    }
  })
  master.taskType = "taskMaster"
  master.attributes.subId = subTasks.map(({ id }) => id)
  return subTasks
}

function prepareTask(
  caller: Caller,
  body: TaskBody,
  known: References,
  { now, parent, attempt, allowsHandover }: CreateContext,
  { id, position }: { id?: Id<"task"> | undefined; position: number },
): { task: TaskRow; warnings: string[] } {
  const flow = known.flows.get(body.flow)
  if ((body.flow === "Handover" && !allowsHandover) || !flow)
    throw taskErrors.invalid({
      message: `The flow ${body.flow} does not exist`,
      fields: { flow: ["does not exist"] },
    })
  // The permission to create a task includes its sub-tasks, and a flow that allows next attempts is permission enough.
  const allowed = parent?.taskType === "taskChild" || attempt ? undefined : allowedFlowIds(caller)
  if (allowed && !allowed.includes(flow.id))
    throw taskErrors.forbidden({
      message: `Your role does not allow creating tasks of the flow ${flow.name}`,
    })
  const hubId = body.hubId.toLowerCase() as Id<"hub">
  const found = known.hubs.get(hubId)
  if (!found || !hasHub(caller, hubId)) throw taskErrors.badHub()
  const assignee = assigneesOf(body)
  const isOwnTask = assignee.length === 1 && assignee[0] === caller.email
  if (assignee.length > 0 && !isOwnTask && !may(caller, "assign/task"))
    throw taskErrors.forbidden({ message: "Your role lacks the permission assign/task" })
  const people = checkAssignees(caller, assignee, known.people.get(hubId))
  const { values, problems } = readValues(flow.pages, body, "create")
  refuseProblems(problems)
  const { startTime, endTime } = readWindow(flow, body, now)
  const { forms, expectedCoordinate, useGeoLock, geoLock, geoLockTrigger, ...shown } = derive(
    flow.pages,
    values,
  )
  const sent = readClientAttributes(body, flow.pages)
  // Work is reported on existing tasks.
  const attributes = Object.fromEntries(
    Object.entries(sent.attributes).filter(([field, value]) => value !== null && !workAttributes.has(field)),
  )
  const origin = body.createdFrom?.toLowerCase()
  const createdFrom = createdFromWords.find((word) => word.toLowerCase() === origin) ?? "API"
  const task: TaskRow = {
    id: id ?? newId<"task">(now.epochMilliseconds),
    organizationId: caller.organizationId,
    organizationName: found.organizationName,
    flowId: flow.id,
    flow: flow.name,
    hubId,
    hub: found.hub,
    ...shown,
    status: openStatus(assignee),
    assignee,
    assignedTo: people[0] ?? null,
    assignedBy: assignee.length > 0 ? caller.email : null,
    assignedTime: assignee.length > 0 ? now : null,
    startTime,
    endTime,
    createdTime: now,
    updatedTime: now,
    createdBy: caller.email,
    updatedBy: null,
    createdFrom,
    taskType: parent?.taskType ?? "task",
    doneBy: null,
    doneTime: null,
    isLastDoneOrder: null,
    parentId: parent?.parentId ?? null,
    routingResultId: null,
    flowVersion: flow.version,
    orderIndex: body.orderIndex ?? Math.floor(now.epochMilliseconds / 1000) * 100_000 + (position % 100_000),
    refId: body.refId ?? null,
    values,
    attributes: {
      ...{ expectedCoordinate, useGeoLock, geoLock, geoLockTrigger },
      ...attributes,
      ...attempt,
      ...forms,
    },
  }
  return { task, warnings: sent.warnings }
}

export function refuseProblems(problems: readonly Problem[]): void {
  const first = problems[0]
  if (!first) return
  const fields = textsByField(
    problems.map(({ component, reason }) => ({ field: component.id, text: reason })),
  )
  throw taskErrors.invalid({ message: `${titleOf(first.component)} ${first.reason}`, fields })
}

const hourMilliseconds = 3_600_000

function readWindow(
  flow: FlowRow,
  body: TaskBody,
  now: Temporal.Instant,
): { startTime: Temporal.Instant; endTime: Temporal.Instant } {
  const start =
    instantOf(body.startTime) ??
    now.epochMilliseconds + adjustmentHours(flow.configurations, "startTime") * hourMilliseconds
  const end =
    instantOf(body.endTime) ?? start + adjustmentHours(flow.configurations, "endTime") * hourMilliseconds
  if (end <= start)
    throw taskErrors.invalid({
      message: "The end time must be after the start time",
      fields: { endTime: ["must be after startTime"] },
    })
  if (start < earliestInstant || end > latestInstant)
    throw taskErrors.invalid({
      message: "The task would end after the year 9999. Send an earlier endTime",
      fields: { endTime: ["must not be after the year 9999"] },
    })
  return {
    startTime: Temporal.Instant.fromEpochMilliseconds(Math.floor(start)),
    endTime: Temporal.Instant.fromEpochMilliseconds(Math.floor(end)),
  }
}

export function instantOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseDateTime(text)
}
