import type { Static } from "typebox"
import type { Id } from "#core/ids.ts"
import { type Schedule, timeSchedules } from "#packages/recurrence/schedule.ts"
import { orNull, toT1, toT3 } from "#shared/wire-time.ts"
import { storedRecurrence } from "./runs/next-run.ts"
import type { RunSchema, ScheduleSchema } from "./schemas.ts"

export interface ScheduleRow {
  id: Id<"schedule">
  organizationId: Id<"organization">
  hubId: Id<"hub">
  flowId: Id<"flow">
  flow: string
  name: string
  recurrence: Schedule
  skippedDates: string[]
  task: Record<string, unknown>
  assignee: string[]
  createdBy: string | null
  updatedBy: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
  version: number
  pausedTime: Temporal.Instant | null
  handledUntil: Temporal.Instant
  nextRunAt: Temporal.Instant | null
  lastStatus: "SUCCESS" | "FAILED" | null
  lastTaskId: string | null
  lastMessage: string[] | null
  lastExecutedTime: Temporal.Instant | null
  executionCount: number
  failedCount: number
}

export interface RunRow {
  id: string
  occurrence: Temporal.Instant | null
  status: "SUCCESS" | "FAILED" | "SKIPPED"
  taskId: string | null
  failedCode: string | null
  message: string[]
  executedTime: Temporal.Instant
}

export type WireSchedule = Static<typeof ScheduleSchema>

export function toWireSchedule(row: ScheduleRow, now: Temporal.Instant): WireSchedule {
  const { periode, frequency, interval, schedules, startTime, endTime, timeZone } = row.recurrence
  return {
    _id: row.id,
    organizationId: row.organizationId,
    hubId: row.hubId,
    name: row.name,
    periode,
    frequency,
    interval,
    flow: row.flow,
    flowId: row.flowId,
    task: row.task,
    assignee: row.assignee,
    schedules: schedules.map((entry) => ({ ...entry, time: [...entry.time] })),
    startTime,
    endTime,
    timeZone,
    timeSchedules: timeSchedules(row.recurrence),
    logExecuted: toLogExecuted(row),
    state: stateOf(row, now),
    nextExecution: orNull(row.nextRunAt, toT1),
    pausedTime: orNull(row.pausedTime, toT1),
    skippedDates: row.skippedDates,
    executionCount: row.executionCount,
    failedCount: row.failedCount,
    createdBy: row.createdBy,
    updatedBy: row.updatedBy,
    createdTime: toT1(row.createdTime),
    updatedTime: toT1(row.updatedTime),
  }
}

/** How the last run went; before the first one there is nothing but PENDING to say. */
function toLogExecuted(row: ScheduleRow): WireSchedule["logExecuted"] {
  if (!row.lastStatus || !row.lastExecutedTime) return { status: "PENDING" }
  return {
    status: row.lastStatus,
    taskId: row.lastTaskId,
    message: row.lastMessage ?? [],
    lastExecute: toT3(row.lastExecutedTime),
  }
}

/** Waiting for its first day, active, paused, or expired when no run is left. */
function stateOf(row: ScheduleRow, now: Temporal.Instant): WireSchedule["state"] {
  if (row.pausedTime) return "paused"
  if (!row.nextRunAt) return "expired"
  const recurrence = storedRecurrence(row.recurrence)
  const start = recurrence?.clock.toInstant(recurrence.window.firstMinute) ?? 0
  return now.epochMilliseconds < start ? "waiting" : "active"
}

/** Changes with every change by people, not with runs. */
export function scheduleETag(row: ScheduleRow): string {
  return `"${row.id}-${row.version}"`
}

export function toWireRun(row: RunRow): Static<typeof RunSchema> {
  return {
    _id: row.id,
    occurrence: orNull(row.occurrence, toT1),
    status: row.status,
    taskId: row.taskId,
    message: row.message,
    ...(row.failedCode ? { failedCode: row.failedCode } : {}),
    executedTime: toT1(row.executedTime),
  }
}
