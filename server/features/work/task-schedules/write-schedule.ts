import { isDeepStrictEqual } from "node:util"
import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { newId } from "#core/ids.ts"
import { moveToTrash } from "#core/trash.ts"
import { assigneesOf } from "../tasks/index.ts"
import { checkFlow, checkHub, checkPeople, checkTask, readRecurrence } from "./check-schedule.ts"
import { scheduleErrors } from "./errors.ts"
import { publishSchedules } from "./events.ts"
import { lockSchedule, saveSchedule } from "./queries.ts"
import { replanned } from "./runs/next-run.ts"
import type { ScheduleBody, SchedulePatch } from "./schemas.ts"
import { type ScheduleRow, scheduleETag } from "./wire.ts"

export interface WriteContext {
  now: Temporal.Instant
  live: LiveEvents
  ifMatch?: string | undefined
}

export async function createSchedule(
  tx: Tx,
  caller: Caller,
  body: ScheduleBody,
  context: WriteContext,
): Promise<ScheduleRow> {
  const { now, live } = context
  const content = await readContent(tx, caller, body)
  const row = replanned<ScheduleRow>(
    {
      ...content,
      id: newId<"schedule">(now.epochMilliseconds),
      organizationId: caller.organizationId,
      skippedDates: [],
      createdBy: caller.email,
      updatedBy: null,
      createdTime: now,
      updatedTime: now,
      version: 1,
      pausedTime: null,
      handledUntil: now,
      nextRunAt: null,
      lastStatus: null,
      lastTaskId: null,
      lastMessage: null,
      lastExecutedTime: null,
      executionCount: 0,
      failedCount: 0,
    },
    now,
  )
  await saveSchedule(tx, row)
  await publishSchedules(tx, live, "schedule.changed", [row])
  return row
}

type Content = Pick<ScheduleRow, "hubId" | "flowId" | "flow" | "name" | "recurrence" | "task" | "assignee">

async function readContent(tx: Tx, caller: Caller, body: ScheduleBody): Promise<Content> {
  const name = readName(body.name)
  const recurrence = readRecurrence(body)
  const hubId = await checkHub(tx, caller, body.hubId)
  const flow = await checkFlow(tx, caller, body)
  checkTask(flow, body.task)
  const assignee = assigneesOf(body)
  await checkPeople(tx, caller, assignee, hubId)
  return { hubId, flowId: flow.id, flow: flow.name, name, recurrence, task: body.task, assignee }
}

function readName(name: string): string {
  const trimmed = name.trim()
  const message = "The name field is required."
  if (trimmed === "") throw scheduleErrors.missing({ message, fields: { name: [message] } })
  return trimmed
}

/** Replaces everything that a caller may set. */
export async function replaceSchedule(
  tx: Tx,
  caller: Caller,
  scheduleId: string,
  body: ScheduleBody,
  context: WriteContext,
): Promise<ScheduleRow> {
  readRecurrence(body)
  const before = await lockUnchanged(tx, caller, scheduleId, context.ifMatch)
  return saveChanged(tx, caller, before, { ...before, ...(await readContent(tx, caller, body)) }, context)
}

/** Changes what is sent; the result must be valid as a whole, and what a change touches is checked again. */
export async function patchSchedule(
  tx: Tx,
  caller: Caller,
  scheduleId: string,
  patch: SchedulePatch,
  context: WriteContext,
): Promise<ScheduleRow> {
  const before = await lockUnchanged(tx, caller, scheduleId, context.ifMatch)
  const after: ScheduleRow = {
    ...before,
    recurrence: readRecurrence({ ...before.recurrence, ...patch }),
    ...(patch.name === undefined ? {} : { name: readName(patch.name) }),
    ...(patch.hubId === undefined ? {} : { hubId: await checkHub(tx, caller, patch.hubId) }),
    ...(patch.assignee === undefined ? {} : { assignee: assigneesOf({ assignee: patch.assignee }) }),
    task: patch.task ?? before.task,
  }
  if (patch.flow !== undefined || patch.flowId !== undefined || patch.task !== undefined) {
    const options = patch.flow === undefined && patch.flowId === undefined ? { flowId: before.flowId } : patch
    const flow = await checkFlow(tx, caller, options)
    checkTask(flow, after.task)
    Object.assign(after, { flowId: flow.id, flow: patch.flow || patch.flowId ? flow.name : before.flow })
  }
  if (patch.assignee !== undefined || patch.hubId !== undefined)
    await checkPeople(tx, caller, after.assignee, after.hubId)
  return saveChanged(tx, caller, before, after, context)
}

/** The schedule, locked; refused when it is not there or not the one that the caller has read. */
export async function lockUnchanged(
  tx: Tx,
  caller: Caller,
  scheduleId: string,
  ifMatch: string | undefined,
): Promise<ScheduleRow> {
  const row = await lockSchedule(tx, caller, scheduleId)
  if (!row) throw scheduleErrors.notFound()
  if (ifMatch === undefined || ifMatch.trim() === "*") return row
  const tags = ifMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""))
  if (!tags.includes(scheduleETag(row))) throw scheduleErrors.changedMeanwhile()
  return row
}

/** Runs are only replanned when the change affects their times. */
async function saveChanged(
  tx: Tx,
  caller: Caller,
  before: ScheduleRow,
  after: ScheduleRow,
  context: WriteContext,
): Promise<ScheduleRow> {
  const isSameRecurrence = isDeepStrictEqual(before.recurrence, after.recurrence)
  return saveEdit(tx, caller, isSameRecurrence ? after : replanned(after, context.now), context)
}

/** Stamps who changed the schedule and when, stores it and says so. */
export async function saveEdit(
  tx: Tx,
  caller: Caller,
  row: ScheduleRow,
  { now, live }: WriteContext,
): Promise<ScheduleRow> {
  const edited = { ...row, version: row.version + 1, updatedBy: caller.email, updatedTime: now }
  await saveSchedule(tx, edited)
  await publishSchedules(tx, live, "schedule.changed", [edited])
  return edited
}

/** Moves the schedule to the trash. The tasks that it made stay. */
export async function deleteSchedule(
  tx: Tx,
  caller: Caller,
  scheduleId: string,
  context: WriteContext,
): Promise<void> {
  const row = await lockUnchanged(tx, caller, scheduleId, context.ifMatch)
  const kept = await tx<{ content: unknown }[]>`
    select to_jsonb(s) as content from task_schedules s
    where s.organization_id = ${row.organizationId} and s.id = ${row.id}`
  const discarded = { name: row.name, sourceId: row.id, hubId: row.hubId, content: kept[0]?.content }
  await moveToTrash(tx, caller, [{ type: "Schedule", ...discarded }])
  await tx`delete from task_schedules where organization_id = ${row.organizationId} and id = ${row.id}`
  await publishSchedules(tx, context.live, "schedule.changed", [row])
}

export type Outcome = { row: ScheduleRow } | { refusal: AppError }

/** Makes schedules one by one; one that is refused does not keep the others from being made. */
export async function createSchedules(
  tx: Tx,
  caller: Caller,
  bodies: readonly (() => ScheduleBody)[],
  context: WriteContext,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const readBody of bodies) {
    try {
      outcomes.push({ row: await createSchedule(tx, caller, readBody(), context) })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      outcomes.push({ refusal: error })
    }
  }
  return outcomes
}
