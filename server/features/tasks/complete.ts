import { type Caller, may } from "#core/access/caller.ts"
import type { Tx } from "#core/database.ts"
import { distanceMeters } from "#shared/geodesy.ts"
import { parseLatLng } from "#shared/lng-lat-text.ts"
import { parseDateTime } from "#shared/wire-time.ts"
import type { FlowPage } from "../flows/index.ts"
import { type ComponentValues, readValues } from "./component-values.ts"
import { instantOf, refuseProblems } from "./create-tasks.ts"
import { taskErrors } from "./errors.ts"
import type { TaskRow } from "./wire.ts"

export interface Finishing {
  task: TaskRow
  /** As sent: base fields and whatever else a phone knows. */
  patch: Readonly<Record<string, unknown>>
  /** The component values after the change. */
  values: ComponentValues
  pages: readonly FlowPage[]
  now: Temporal.Instant
}

/** Refuses a task that cannot be finished now, else returns what finishing stamps on it. */
export async function completion(
  tx: Tx,
  caller: Caller,
  finishing: Finishing,
): Promise<{ doneTime: Temporal.Instant; attributes: Record<string, unknown> }> {
  const { task, patch, pages, values, now } = finishing
  checkMoment(caller, task, now)
  refuseProblems(readValues(pages, values, "complete").problems)
  const doneTime = Temporal.Instant.fromEpochMilliseconds(
    instantOf(typeof patch.doneTime === "string" ? patch.doneTime : undefined) ?? now.epochMilliseconds,
  )
  const previous = await takeDoneOrder(tx, caller, doneTime)
  const doneCoordinate = typeof patch.doneCoordinate === "string" ? patch.doneCoordinate : undefined
  const firstPageDone =
    typeof patch.page1DoneTime === "string" ? patch.page1DoneTime : task.attributes.page1DoneTime
  const startedAt = typeof firstPageDone === "string" ? parseDateTime(firstPageDone) : undefined
  const isFromPhone = patch.doneFrom === "MOBILE" || patch.doneCoordinate !== undefined
  return {
    doneTime,
    attributes: {
      doneFrom: patch.doneFrom ?? (isFromPhone ? "MOBILE" : "WEB"),
      doneOrder: previous.count + 1,
      isLastDoneOrder: true,
      ...(doneCoordinate ? { doneCoordinate } : {}),
      ...(startedAt === undefined
        ? {}
        : { duration: Math.max(0, Math.round((doneTime.epochMilliseconds - startedAt) / 60_000)) }),
      ...(previous.doneTime
        ? { travelDuration: roundMinutes(doneTime.epochMilliseconds - previous.doneTime.epochMilliseconds) }
        : {}),
      ...travelDistance(
        doneCoordinate ?? task.attributes.expectedCoordinate,
        previous.coordinate ?? hubCoordinate(task),
      ),
    },
  }
}

function checkMoment(caller: Caller, task: TaskRow, now: Temporal.Instant): void {
  if (task.status === "UNASSIGNED")
    throw taskErrors.notDoable({ message: "Assign this task to somebody before it is finished" })
  if (!task.assignee.includes(caller.email) && !may(caller, "edit/task"))
    throw taskErrors.forbidden({ message: "This task is assigned to somebody else" })
  if (Temporal.Instant.compare(now, task.startTime) < 0)
    throw taskErrors.notDoable({ message: "This task has not started yet" })
  if (Temporal.Instant.compare(now, task.endTime) > 0)
    throw taskErrors.notDoable({ message: "The end time of this task has passed: move the end time first" })
}

interface Previous {
  count: number
  doneTime: Temporal.Instant | null
  coordinate: string | null
}

/** How many tasks this person finished on that day (UTC), and the last of them, which stops being the last. */
async function takeDoneOrder(tx: Tx, caller: Caller, doneTime: Temporal.Instant): Promise<Previous> {
  const day = doneTime.toString().slice(0, 10)
  const rows = await tx<Previous[]>`
    with own as (
      select id, done_time, coalesce(attributes->>'doneCoordinate', attributes->>'expectedCoordinate') as coordinate
      from tasks
      where organization_id = ${caller.organizationId} and done_by = ${caller.email}
        and done_time >= ${`${day}T00:00:00Z`}::timestamptz and done_time < ${`${day}T00:00:00Z`}::timestamptz + interval '1 day'
    ), flipped as (
      update tasks set attributes = attributes || '{"isLastDoneOrder": false}'
      where organization_id = ${caller.organizationId} and id in (select id from own) and attributes->'isLastDoneOrder' = 'true'
    )
    select (select count(*) from own) as count, last.done_time, last.coordinate
    from (select 1) one left join lateral (select * from own order by done_time desc limit 1) last on true`
  return rows[0] ?? { count: 0, doneTime: null, coordinate: null }
}

function travelDistance(to: unknown, from: string | null): { travelDistance?: number } {
  const target = typeof to === "string" ? parseLatLng(to) : undefined
  const origin = from === null ? undefined : parseLatLng(from)
  return target && origin ? { travelDistance: Math.round(distanceMeters(origin, target)) } : {}
}

function hubCoordinate(task: TaskRow): string | null {
  return task.hub ? `${task.hub.lat},${task.hub.lng}` : null
}

function roundMinutes(milliseconds: number): number {
  return Math.max(0, Math.round(milliseconds / 600) / 100)
}
