import ical, { ICalCalendarMethod, ICalEventStatus } from "ical-generator"
import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { findHub } from "../../organization/hubs/index.ts"
import { findSchedule, upcomingRuns } from "../task-schedules/index.ts"
import { listTasksBetween, type TaskRow } from "../tasks/index.ts"
import type { FeedTarget } from "./feeds.ts"
import { timeZoneComponent } from "./time-zone.ts"

const daysBack = 30
const daysAhead = 180
const maxEvents = 2_000
/** How often programs that respect it read a feed again. */
const refreshSeconds = 900

interface Entry {
  uid: string
  start: Temporal.Instant
  end: Temporal.Instant
  timeZone: string
  title: string
  details: string
  changed: Temporal.Instant
  place?: { lat: number; lng: number }
  path: string
}

/** What a feed shows as an iCalendar object (RFC 5545): tasks or runs of the last 30 and the next 180 days. */
export async function calendarOf(
  sql: Sql,
  caller: Caller,
  target: FeedTarget,
  { now, publicUrl }: { now: Temporal.Instant; publicUrl: string },
): Promise<string> {
  const span = { from: now.subtract({ hours: daysBack * 24 }), to: now.add({ hours: daysAhead * 24 }) }
  const entries =
    target.kind === "schedule"
      ? await runsOf(sql, caller, target.id, span)
      : await tasksOf(sql, caller, target, span)
  const calendar = ical({
    name: target.name,
    prodId: { company: "Fieldway", product: "Fieldway" },
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshSeconds,
    timezone: {
      name: entries[0]?.timeZone ?? caller.timeZone,
      generator: (timeZone) => timeZoneComponent(timeZone, span.from, span.to.add({ hours: 24 * 366 })),
    },
  })
  for (const entry of entries)
    calendar.createEvent({
      id: entry.uid,
      start: entry.start.toZonedDateTimeISO(entry.timeZone),
      end: entry.end.toZonedDateTimeISO(entry.timeZone),
      timezone: entry.timeZone,
      stamp: entry.changed,
      lastModified: entry.changed,
      summary: entry.title,
      description: entry.details,
      status: ICalEventStatus.CONFIRMED,
      url: `${publicUrl}${entry.path}`,
      ...(entry.place && { location: placeOf(entry.place) }),
    })
  return calendar.toString()
}

type Span = { from: Temporal.Instant; to: Temporal.Instant }

async function tasksOf(
  sql: Sql,
  caller: Caller,
  target: Exclude<FeedTarget, { kind: "schedule" }>,
  span: Span,
): Promise<Entry[]> {
  const filter = target.kind === "hub" ? { hubId: target.id } : { assignee: target.email }
  const tasks = await listTasksBetween(sql, caller, { ...span, ...filter, limit: maxEvents })
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
    path: `/tasks?task=${task.id}`,
  }))
}

function detailsOf(task: TaskRow): string {
  const lines = [task.content, `${task.flow} · ${task.status}`, task.hub?.name, task.assignee.join(", ")]
  return lines.filter(Boolean).join("\n")
}

async function runsOf(sql: Sql, caller: Caller, scheduleId: string, span: Span): Promise<Entry[]> {
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
      path: "/schedules",
    }
  })
}

/** Programs show the text and navigate to the coordinates. */
function placeOf({ lat, lng }: { lat: number; lng: number }) {
  return { title: `${lat.toFixed(5)},${lng.toFixed(5)}`, geo: { lat, lon: lng } }
}
