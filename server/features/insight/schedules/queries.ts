import { type Caller, may } from "#core/access/caller.ts"
import { type Fragment, json, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { findOrganization } from "../../organization/organizations/index.ts"
import { scheduleErrors } from "./errors.ts"
import { nextTime } from "./next-time.ts"
import type { ScheduleSettings } from "./schemas.ts"

const maxSchedules = 200

export interface ScheduleRow {
  organizationId: string
  id: Id<"report-schedule">
  ownerId: string
  name: string
  settings: ScheduleSettings
  isActive: boolean
  nextAt: Temporal.Instant | null
  sentFor: Temporal.Instant | null
  error: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
  updatedBy: string | null
}
export type ScheduleValues = Pick<ScheduleRow, "name" | "settings" | "isActive">

const columns = (sql: Sql) => sql`
  organization_id, id, owner_id, name, settings, is_active, next_at, sent_for, error, created_time, updated_time, updated_by`

/** One's own; all of them for administrators. */
function visibleSchedules(sql: Sql, caller: Caller): Fragment {
  const own = may(caller, "edit/organization") ? sql`` : sql`and owner_id = ${caller.userId}`
  return sql`organization_id = ${caller.organizationId} ${own}`
}

export function listSchedules(sql: Sql, caller: Caller): Promise<ScheduleRow[]> {
  return sql<ScheduleRow[]>`
    select ${columns(sql)} from report_schedules where ${visibleSchedules(sql, caller)}
    order by lower(name), id limit ${maxSchedules}`
}

export async function findSchedule(sql: Sql, caller: Caller, id: string): Promise<ScheduleRow> {
  const [row] = await sql<ScheduleRow[]>`
    select ${columns(sql)} from report_schedules where ${visibleSchedules(sql, caller)} and id = ${id.toLowerCase()}`
  if (!row) throw scheduleErrors.notFound()
  return row
}

export async function insertSchedule(
  tx: Tx,
  { organizationId, userId, email, timeZone }: Caller,
  { name, settings, isActive }: ScheduleValues,
  now: Temporal.Instant,
): Promise<ScheduleRow> {
  const [count] = await tx<{ count: number }[]>`
    select count(*)::int as count from report_schedules where organization_id = ${organizationId}`
  if ((count?.count ?? 0) >= maxSchedules) throw scheduleErrors.tooMany()
  const [row] = await tx<ScheduleRow[]>`
    insert into report_schedules (organization_id, id, owner_id, name, settings, is_active, next_at, created_time, updated_time,
      updated_by)
    values (${organizationId}, ${newId()}, ${userId}, ${name}, ${json(tx, settings)}, ${isActive},
      ${isActive ? nextTime(settings, timeZone, now) : null}, ${now}, ${now}, ${email}) returning ${columns(tx)}`
  if (!row) throw new Error("a report schedule was not written")
  return row
}

export async function updateSchedule(
  tx: Tx,
  caller: Caller,
  id: string,
  { name, settings, isActive }: ScheduleValues,
  now: Temporal.Instant,
): Promise<ScheduleRow> {
  const [row] = await tx<ScheduleRow[]>`
    update report_schedules set name = ${name}, settings = ${json(tx, settings)}, is_active = ${isActive},
      next_at = ${isActive ? nextTime(settings, caller.timeZone, now) : null}, error = null, updated_time = ${now},
      updated_by = ${caller.email}
    where ${visibleSchedules(tx, caller)} and id = ${id.toLowerCase()} returning ${columns(tx)}`
  if (!row) throw scheduleErrors.notFound()
  return row
}

export async function deleteSchedule(tx: Tx, { organizationId, id }: ScheduleRow): Promise<void> {
  await tx`delete from report_schedules where organization_id = ${organizationId} and id = ${id}`
}

export function findAnySchedule(
  sql: Sql,
  organizationId: string,
  id: string,
): Promise<ScheduleRow | undefined> {
  return sql<ScheduleRow[]>`
    select ${columns(sql)} from report_schedules where organization_id = ${organizationId} and id = ${id}`.then(
    (rows) => rows[0],
  )
}

/** Takes what is due and sets its next time; nobody else takes the same until the transaction ends. */
export async function takeDue(
  tx: Tx,
  now: Temporal.Instant,
  limit: number,
): Promise<{ organizationId: string; scheduleId: string; due: Temporal.Instant }[]> {
  const rows = await tx<ScheduleRow[]>`
    select ${columns(tx)} from report_schedules
    where next_at <= ${now} order by next_at limit ${limit} for update skip locked`
  for (const { organizationId, id, settings } of rows) {
    const { timeZone } = await findOrganization(tx, organizationId)
    await tx`
      update report_schedules set next_at = ${nextTime(settings, timeZone, now)}
      where organization_id = ${organizationId} and id = ${id}`
  }
  return rows.flatMap(({ organizationId, id, nextAt }) =>
    nextAt ? [{ organizationId, scheduleId: id, due: nextAt }] : [],
  )
}

/** Whether this time is to be sent now; in the transaction that queues the mails, so that each is sent once. */
export async function markSent(
  tx: Tx,
  { organizationId, id }: ScheduleRow,
  due: Temporal.Instant,
): Promise<boolean> {
  const rows = await tx`
    update report_schedules set sent_for = ${due}, error = null
    where organization_id = ${organizationId} and id = ${id} and (sent_for is null or sent_for < ${due}) returning 1`
  return rows.length > 0
}

export async function noteFailure(sql: Sql, { organizationId, id }: ScheduleRow, error: string) {
  await sql`
    update report_schedules set error = ${error.slice(0, 500)} where organization_id = ${organizationId} and id = ${id}`
}
