import { type Caller, may } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { AppError } from "#core/errors.ts"
import { taskKey } from "#shared/task-fields.ts"
import { isTaskOutcome, outcomeRule } from "#shared/task-outcomes.ts"
import { toT1 } from "#shared/wire-time.ts"
import type { FlowRow } from "../../flows/index.ts"
import { isEmpty } from "../complete/component-values.ts"
import { taskErrors } from "../errors.ts"
import type { TaskRow } from "../wire.ts"
import { assigneesOf } from "./assignees.ts"
import { type CreateContext, createTasks, instantOf } from "./create-tasks.ts"
import type { TaskBody } from "./task-body.ts"

/** What may be chosen about the next attempt; the rest follows from the task and its flow. */
export interface AttemptOptions {
  startTime?: string
  endTime?: string
  assignee?: string[]
}

/**
 * Whether a task that has just been finished gets a next attempt, and with which choices. Workers get one where the flow
 * lets them ask or always makes one; people who may create tasks get one for the asking.
 */
export function attemptOptions(
  caller: Caller,
  task: TaskRow,
  sent: unknown,
  flow: FlowRow | undefined,
  warnings: string[],
): AttemptOptions | undefined {
  const { outcome } = task.attributes
  const isWanted = sent === true || sent === "true" || (typeof sent === "object" && sent !== null)
  if (!isTaskOutcome(outcome) || outcome === "done") {
    if (isWanted) warnings.push("nextAttempt was ignored: the work is done")
    return undefined
  }
  const { nextAttempt } = outcomeRule(flow?.configurations ?? [], outcome)
  if (!isWanted && nextAttempt !== "always") return undefined
  if (nextAttempt === "never" && !may(caller, "add/task")) {
    warnings.push("nextAttempt was ignored: the flow lets no worker schedule one")
    return undefined
  }
  return readAttemptOptions(sent)
}

/** Choices of the wrong form are left out: the attempt is what matters. */
export function readAttemptOptions(sent: unknown): AttemptOptions {
  const { startTime, endTime, assignee } = (typeof sent === "object" && sent !== null ? sent : {}) as Record<
    string,
    unknown
  >
  const time = (value: unknown) =>
    typeof value === "string" && instantOf(value) !== undefined ? value : undefined
  const [start, end] = [time(startTime), time(endTime)]
  const people = Array.isArray(assignee) ? assignee.filter((email) => typeof email === "string") : undefined
  return {
    ...(start === undefined ? {} : { startTime: start }),
    ...(end === undefined ? {} : { endTime: end }),
    ...(people === undefined ? {} : { assignee: people }),
  }
}

/**
 * Makes the next attempt of a finished task: a new task with what was planned for this one, at the same time of day, for
 * nobody yet. Returns its id, or why it cannot be made.
 */
export async function createAttempt(
  tx: Tx,
  caller: Caller,
  task: TaskRow,
  { options, flow }: { options: AttemptOptions; flow: FlowRow | undefined },
  context: CreateContext,
): Promise<{ taskId: string } | { refusal: AppError }> {
  if (!flow || task.parentId !== null)
    return {
      refusal: taskErrors.invalid({
        message: flow
          ? "A part of another task gets no next attempt"
          : "The flow of this task no longer exists",
      }),
    }
  const [created] = await createTasks(tx, caller, [bodyOf(caller, task, options, flow, context.now)], {
    ...context,
    attempt: { previousTaskId: task.id, attempt: Number(task.attributes.attempt ?? 1) + 1 },
  })
  if (!created) throw new Error("a task was neither created nor refused")
  return "refusal" in created ? created : { taskId: created.task.id }
}

function bodyOf(
  caller: Caller,
  task: TaskRow,
  options: AttemptOptions,
  flow: FlowRow,
  now: Temporal.Instant,
): TaskBody {
  const ids = (flow.pages[0]?.components ?? []).map(({ id }) => id)
  const isPlanned = (key: string) =>
    ids.some((id) => key === id || key.startsWith(`${id}_`) || key.startsWith(`${id}.`))
  const planned = Object.entries(task.values).filter(([key, value]) => isPlanned(key) && !isEmpty(value))
  const { visitGroup, visitGroupPriority, priority, tags } = task.attributes
  const mayAssign = may(caller, "assign/task")
  const assignee = assigneesOf({ assignee: options.assignee ?? [] }).filter(
    (email) => mayAssign || email === caller.email,
  )
  return {
    ...Object.fromEntries(planned),
    ...(isEmpty(visitGroup) ? {} : { visitGroup }),
    ...(isEmpty(visitGroupPriority) ? {} : { visitGroupPriority }),
    ...(isEmpty(priority) ? {} : { [taskKey("priority", task.values)]: priority }),
    ...(isEmpty(tags) ? {} : { [taskKey("tags", task.values)]: tags }),
    ...timesOf(task, options, flow, now),
    flow: flow.name,
    hubId: task.hubId,
    assignee,
    createdFrom: "API",
  }
}

/** The same window some hours later, as often as it takes to end in the future. */
function timesOf(
  task: TaskRow,
  options: AttemptOptions,
  flow: FlowRow,
  now: Temporal.Instant,
): Pick<TaskBody, "startTime" | "endTime"> {
  const { outcome } = task.attributes
  const hours = outcomeRule(flow.configurations, isTaskOutcome(outcome) ? outcome : "failed").nextAttemptHours
  const step = hours * 3_600_000
  const [start, end] = [task.startTime.epochMilliseconds, task.endTime.epochMilliseconds]
  const steps = Math.max(1, Math.floor((now.epochMilliseconds - end) / step) + 1)
  const length = end - start
  const wanted = { start: instantOf(options.startTime), end: instantOf(options.endTime) }
  const from = wanted.start ?? Math.min(start + steps * step, (wanted.end ?? Number.POSITIVE_INFINITY) - 1000)
  const until = wanted.end ?? from + length
  return { startTime: toT1({ epochMilliseconds: from }), endTime: toT1({ epochMilliseconds: until }) }
}
