import type { Caller } from "#core/access/caller.ts"
import { systemCaller } from "#core/access/system-caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { AppError } from "#core/errors.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { typedValues } from "#shared/values.ts"
import { findAssignable } from "../../../people/users/index.ts"
import type { FlowConfiguration, FlowPage } from "../../flows/index.ts"
import { adjustmentHours, createTasks, type TaskBody } from "../../tasks/index.ts"
import { scheduleErrors } from "../errors.ts"
import type { ScheduleRow } from "../wire.ts"

export interface RunRequest {
  schedule: Pick<ScheduleRow, "organizationId" | "hubId" | "flowId" | "flow" | "task" | "assignee">
  /** The occurrence, or the moment of a run by hand. Milliseconds since the epoch. */
  at: number
  /** Who the task is signed by. */
  author: { email: string; name: string }
}

export type RunOutcome =
  | { taskId: string; message: string[] }
  | { taskId: null; failedCode: string; message: string[] }

interface Context {
  now: Temporal.Instant
  live: LiveEvents
}

interface FlowNow {
  organizationId: string
  id: string
  name: string
  pages: FlowPage[]
  configurations: FlowConfiguration[]
}

const hourMilliseconds = 3_600_000
/** What one bulk call may make too. */
const maxTasks = 2000

/**
 * Makes the task of every request, in the order given, by the flow as it is now (found by its id, so that a
 * renamed flow goes on). One that cannot be made says why and does not keep the others from being made.
 */
export async function makeTasks(
  tx: Tx,
  requests: readonly RunRequest[],
  context: Context,
): Promise<RunOutcome[]> {
  const flows = await readFlows(tx, requests)
  const outcomes = new Map<RunRequest, RunOutcome>()
  const groups = Map.groupBy(
    requests,
    ({ schedule, author }) => `${schedule.organizationId}/${author.email}/${author.name}`,
  )
  for (const group of groups.values()) {
    for (let start = 0; start < group.length; start += maxTasks)
      await makeGroup(tx, group.slice(start, start + maxTasks), flows, context, outcomes)
  }
  return requests.map((request) => outcomes.get(request) ?? failure(scheduleErrors.failed()))
}

async function readFlows(tx: Tx, requests: readonly RunRequest[]): Promise<Map<string, FlowNow>> {
  const keys = [...new Set(requests.map(({ schedule }) => `${schedule.organizationId}/${schedule.flowId}`))]
  const rows = await tx<FlowNow[]>`
    select flows.organization_id, flows.id, flows.name, flows.pages, flows.configurations
    from unnest(${keys.map((key) => key.split("/")[0] ?? "")}::text[], ${keys.map((key) => key.split("/")[1] ?? "")}::text[])
      as wanted (organization_id, id)
    join flows on flows.organization_id = wanted.organization_id and flows.id = wanted.id`
  return new Map(rows.map((flow) => [`${flow.organizationId}/${flow.id}`, flow]))
}

/** Requests of one organization and author. */
async function makeGroup(
  tx: Tx,
  group: readonly RunRequest[],
  flows: ReadonlyMap<string, FlowNow>,
  context: Context,
  outcomes: Map<RunRequest, RunOutcome>,
): Promise<void> {
  const first = group[0]
  if (!first) return
  const caller = systemCaller(first.schedule.organizationId, first.author)
  const wanted: Wanted[] = []
  for (const request of group) {
    const flow = flows.get(`${request.schedule.organizationId}/${request.schedule.flowId}`)
    if (flow) wanted.push({ request, body: bodyOf(request, flow), left: [] })
    else outcomes.set(request, failure(unknownFlow(request.schedule.flow)))
  }
  const refused = await attempt(tx, caller, wanted, context, outcomes)
  const again = await withoutLostPeople(tx, refused, outcomes)
  for (const { request, refusal } of await attempt(tx, caller, again, context, outcomes))
    outcomes.set(request, failure(refusal))
}

interface Wanted {
  request: RunRequest
  body: TaskBody
  /** Who was left out, for the log. */
  left: readonly string[]
}
type Refused = Wanted & { refusal: AppError }

async function attempt(
  tx: Tx,
  caller: Caller,
  wanted: readonly Wanted[],
  context: Context,
  outcomes: Map<RunRequest, RunOutcome>,
): Promise<Refused[]> {
  if (wanted.length === 0) return []
  const refused: Refused[] = []
  const created = await createTasks(
    tx,
    caller,
    wanted.map(({ body }) => body),
    context,
  )
  for (const [index, entry] of wanted.entries()) {
    const outcome = created[index]
    if (outcome && "task" in outcome) outcomes.set(entry.request, success(outcome.task.id, entry.left))
    else refused.push({ ...entry, refusal: outcome?.refusal ?? scheduleErrors.failed() })
  }
  return refused
}

/**
 * Distinguishes refusals because of a deleted hub, which are final, from those because of assignees who lost the
 * hub: those are left out, and the rest of the task is tried again.
 */
async function withoutLostPeople(
  tx: Tx,
  refused: readonly Refused[],
  outcomes: Map<RunRequest, RunOutcome>,
): Promise<Wanted[]> {
  const again: Wanted[] = []
  for (const [hubId, group] of Map.groupBy(refused, ({ body }) => body.hubId)) {
    const organizationId = group[0]?.request.schedule.organizationId ?? ""
    const hubs = await tx`select from hubs where organization_id = ${organizationId} and id = ${hubId}`
    const emails = [...new Set(group.flatMap(({ body }) => body.assignee ?? []))]
    const found = emails.length > 0 ? await findAssignable(tx, organizationId, emails, hubId) : []
    const present = new Set(found.filter((person) => person.hasHub).map((person) => person.email))
    for (const entry of group) {
      const assignee = entry.body.assignee ?? []
      const left = assignee.filter((email) => !present.has(email))
      if (hubs.length === 0) outcomes.set(entry.request, failure(goneHub()))
      else if (left.length === 0) outcomes.set(entry.request, failure(entry.refusal))
      else
        again.push({
          request: entry.request,
          body: { ...entry.body, assignee: assignee.filter((email) => present.has(email)) },
          left,
        })
    }
  }
  return again
}

/** What the schedule keeps of the task, with the times of this run instead of those it was saved with. */
function bodyOf({ schedule, at }: RunRequest, flow: FlowNow): TaskBody {
  const { startTime: _start, endTime: _end, refId, orderIndex, ...task } = schedule.task
  const start = at + adjustmentHours(flow.configurations, "startTime") * hourMilliseconds
  return {
    ...typedValues(
      flow.pages.flatMap(({ components }) => components),
      task,
    ),
    ...(typeof refId === "string" && refId.length <= 255 ? { refId } : {}),
    ...(typeof orderIndex === "number" && Number.isFinite(orderIndex) ? { orderIndex } : {}),
    flow: flow.name,
    hubId: schedule.hubId,
    assignee: schedule.assignee,
    startTime: new Date(start).toISOString(),
    createdFrom: "SCHEDULER",
  }
}

function success(taskId: string, left: readonly string[]): RunOutcome {
  const notes = left.map((email) => `${email} no longer has access to the hub and was not assigned.`)
  return { taskId, message: [`taskId: ${taskId}`, "Task has been created successfully.", ...notes] }
}

/** The codes of schedules: what tasks call a bad task is, for a schedule, a run that failed. */
export function failure(refusal: AppError): RunOutcome {
  const failedCode = refusal.failedCode.startsWith("sched-") ? refusal.failedCode : "sched-039"
  const details = Object.entries(refusal.fields ?? {}).flatMap(([field, texts]) =>
    texts.map((text) => `${field} ${text}`),
  )
  return { taskId: null, failedCode, message: [refusal.message, ...(details.length > 1 ? details : [])] }
}

function unknownFlow(name: string): AppError {
  const message = `The flow ${name} was deleted. Choose another flow in the schedule`
  return scheduleErrors.unknownFlow({ message })
}

function goneHub(): AppError {
  return scheduleErrors.badHub({
    message: "The hub of this schedule was deleted. Choose another hub in the schedule",
  })
}
