import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { findHub } from "../../organization/hubs/index.ts"
import { findSchedule, upcomingRuns } from "../task-schedules/index.ts"
import { listTasksBetween, type TaskRow } from "../tasks/index.ts"
import type { FeedTarget } from "./feeds.ts"
import { type CalendarEvent, writeCalendar } from "./write-calendar.ts"

const daysBack = 30
const daysAhead = 180
const maxEvents = 2_000
const refreshMinutes = 15

/** What a feed shows as an iCalendar object (RFC 5545): tasks or runs of the last 30 and the next 180 days. */
export async function calendarOf(
  sql: Sql,
  caller: Caller,
  target: FeedTarget,
  { now, publicUrl }: { now: Temporal.Instant; publicUrl: string },
): Promise<string> {
  const span = { from: now.subtract({ hours: daysBack * 24 }), to: now.add({ hours: daysAhead * 24 }) }
  const options = { ...span, publicUrl }
  const events =
    target.kind === "schedule"
      ? await runsOf(sql, caller, target.id, options)
      : await tasksOf(sql, caller, target, options)
  return writeCalendar({
    name: target.name,
    timeZone: events[0]?.timeZone ?? caller.timeZone,
    refreshMinutes,
    events,
    // Programs repeat the last rule of a zone: a year more keeps it right for events that are moved.
    span: { from: span.from, to: span.to.add({ hours: 24 * 366 }) },
  })
}

type Span = { from: Temporal.Instant; to: Temporal.Instant; publicUrl: string }

async function tasksOf(
  sql: Sql,
  caller: Caller,
  target: Exclude<FeedTarget, { kind: "schedule" }>,
  span: Span,
): Promise<CalendarEvent[]> {
  const filter = target.kind === "hub" ? { hubId: target.id } : { assignee: target.email }
  const { from, to, publicUrl } = span
  const tasks = await listTasksBetween(sql, caller, { from, to, ...filter, limit: maxEvents })
  const hubIds = [...new Set(tasks.map(({ hubId }) => hubId))]
  const hubs = await Promise.all(hubIds.map((id) => findHub(sql, caller, id)))
  const zones = new Map(hubs.flatMap((hub) => (hub?.timeZone ? [[hub.id, hub.timeZone] as const] : [])))
  return tasks.map((task) => ({
    uid: task.id,
    start: task.startTime,
    end: task.endTime,
    timeZone: zones.get(task.hubId) ?? caller.timeZone,
    title: task.title || task.flow,
    details: detailsOf(task),
    changed: task.updatedTime,
    ...(task.lat !== null && task.lng !== null && { place: { lat: task.lat, lng: task.lng } }),
    url: `${publicUrl}/tasks?task=${task.id}`,
  }))
}

function detailsOf(task: TaskRow): string {
  const lines = [task.content, `${task.flow} · ${task.status}`, task.hub?.name, task.assignee.join(", ")]
  return lines.filter(Boolean).join("\n")
}

async function runsOf(sql: Sql, caller: Caller, scheduleId: string, span: Span): Promise<CalendarEvent[]> {
  const schedule = await findSchedule(sql, caller, scheduleId)
  if (!schedule) return []
  const [after, until] = [span.from.epochMilliseconds, span.to.epochMilliseconds]
  return upcomingRuns(schedule, after, until, maxEvents).map((run) => {
    const start = Temporal.Instant.fromEpochMilliseconds(run)
    return {
      uid: `${schedule.id}-${run}`,
      start,
      end: start.add({ minutes: 30 }),
      timeZone: schedule.recurrence.timeZone,
      title: schedule.name,
      details: [schedule.flow, schedule.assignee.join(", ")].filter(Boolean).join("\n"),
      changed: schedule.updatedTime,
      url: `${span.publicUrl}/schedules`,
    }
  })
}
