import { type Caller, hasHub, inCallersHubs } from "#core/access/caller.ts"
import { type Fragment, json, type Sql, type Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { commaList } from "#core/http/tolerance.ts"
import { containing, type Listed, listRows } from "#core/list-rows.ts"
import { type Direction, ownEntry, type PageOptions } from "#core/paging.ts"
import type { ScheduleListQuery } from "./schemas.ts"
import type { RunRow, ScheduleRow } from "./wire.ts"

export function scheduleColumns(sql: Sql): Fragment {
  return sql`s.id, s.organization_id, s.hub_id, s.flow_id, s.flow, s.name, s.recurrence, s.skipped_dates, s.task,
    s.assignee, s.created_by, s.updated_by, s.created_time, s.updated_time, s.version, s.paused_time,
    s.handled_until, s.next_run_at, s.last_status, s.last_task_id, s.last_message, s.last_executed_time,
    s.execution_count, s.failed_count`
}

/** Tenant and hubs, once. Every read of schedules by people starts from this condition. */
export function visibleSchedules(sql: Sql, caller: Caller): Fragment {
  return sql`s.organization_id = ${caller.organizationId} and ${inCallersHubs(sql, caller, sql`s.hub_id`)}`
}

export async function findSchedule(
  sql: Sql,
  caller: Caller,
  scheduleId: string,
): Promise<ScheduleRow | undefined> {
  const rows = await sql<ScheduleRow[]>`
    select ${scheduleColumns(sql)} from task_schedules s
    where ${visibleSchedules(sql, caller)} and s.id = ${scheduleId.toLowerCase()}`
  return rows[0]
}

/** For a change: a run of it waits until the change is done, and the other way round. */
export async function lockSchedule(
  tx: Tx,
  caller: Caller,
  scheduleId: string,
): Promise<ScheduleRow | undefined> {
  const rows = await tx<ScheduleRow[]>`
    select ${scheduleColumns(tx)} from task_schedules s
    where ${visibleSchedules(tx, caller)} and s.id = ${scheduleId.toLowerCase()} for update`
  return rows[0]
}

const sortExpressions: Record<string, (sql: Sql) => Fragment> = {
  _id: (sql) => sql`s.id`,
  name: (sql) => sql`lower(s.name)`,
  hubId: (sql) => sql`s.hub_id`,
  flow: (sql) => sql`s.flow`,
  flowId: (sql) => sql`s.flow_id`,
  periode: (sql) => sql`s.recurrence->>'periode'`,
  frequency: (sql) => sql`s.recurrence->>'frequency'`,
  interval: (sql) => sql`(s.recurrence->'interval')`,
  startTime: (sql) => sql`s.recurrence->>'startTime'`,
  endTime: (sql) => sql`s.recurrence->>'endTime'`,
  timeZone: (sql) => sql`s.recurrence->>'timeZone'`,
  schedules: (sql) => sql`s.recurrence->'schedules'`,
  task: (sql) => sql`s.task`,
  assignee: (sql) => sql`s.assignee`,
  logExecuted: (sql) => sql`s.last_executed_time`,
  nextExecution: (sql) => sql`s.next_run_at`,
  pausedTime: (sql) => sql`s.paused_time`,
  executionCount: (sql) => sql`s.execution_count`,
  failedCount: (sql) => sql`s.failed_count`,
  createdBy: (sql) => sql`s.created_by`,
  updatedBy: (sql) => sql`s.updated_by`,
  createdTime: (sql) => sql`s.created_time`,
  updatedTime: (sql) => sql`s.updated_time`,
}

export function listSchedules(
  sql: Sql,
  caller: Caller,
  query: ScheduleListQuery,
  { page, direction }: { page: PageOptions; direction: Direction },
): Promise<Listed<ScheduleRow>> {
  const sortBy = ownEntry(sortExpressions, query.sortBy ?? "createdTime")
  if (!sortBy) {
    const problem = `must be one of ${Object.keys(sortExpressions).join(", ")}`
    throw new AppError(400, "sched-017", `sortBy ${problem}`, { fields: { sortBy: [problem] } })
  }
  const order = direction === "asc" ? sql`asc` : sql`desc`
  const where = scheduleCondition(sql, caller, query)
  return listRows<ScheduleRow>(sql, page, {
    columns: scheduleColumns(sql),
    from: sql`from task_schedules s where ${where}`,
    order: sql`${sortBy(sql)} ${order}, s.id ${order}`,
  })
}

function scheduleCondition(sql: Sql, caller: Caller, query: ScheduleListQuery): Fragment {
  const conditions = [visibleSchedules(sql, caller)]
  if (query.hubId !== undefined) {
    const hubId = query.hubId.toLowerCase()
    conditions.push(hasHub(caller, hubId) ? sql`s.hub_id = ${hubId}` : sql`false`)
  }
  if (query.name !== undefined) conditions.push(sql`s.name ilike ${containing(query.name)}`)
  if (query.flow !== undefined) conditions.push(sql`s.flow = ${query.flow}`)
  if (query.flowId !== undefined) conditions.push(sql`s.flow_id = ${query.flowId.toLowerCase()}`)
  if (query.status !== undefined)
    conditions.push(sql`coalesce(s.last_status, 'PENDING') = ${query.status as string}`)
  if (query.assignee !== undefined)
    conditions.push(sql`s.assignee && ${commaList(query.assignee.toLowerCase())}::text[]`)
  return conditions.reduce((sofar, condition) => sql`${sofar} and ${condition}`)
}

export interface RunPage {
  rows: RunRow[]
  total: number
}

/** The log of a schedule's runs, the latest first. */
export async function listRuns(
  sql: Sql,
  schedule: Pick<ScheduleRow, "organizationId" | "id">,
  page: PageOptions,
): Promise<RunPage> {
  const where = sql`organization_id = ${schedule.organizationId} and schedule_id = ${schedule.id}`
  return listRows<RunRow>(sql, page, {
    columns: sql`id, occurrence, status, task_id, failed_code, message, executed_time`,
    from: sql`from task_schedule_runs where ${where}`,
    order: sql`executed_time desc, occurrence desc nulls first, id desc`,
  })
}

/** Inserts the row, or replaces everything of it but its log. */
export async function saveSchedule(tx: Tx, row: ScheduleRow): Promise<void> {
  await tx`
    insert into task_schedules (organization_id, id, hub_id, flow_id, flow, name, recurrence, skipped_dates, task, assignee,
      created_by, updated_by, created_time, updated_time, version, paused_time, handled_until, next_run_at)
    values (${row.organizationId}, ${row.id}, ${row.hubId}, ${row.flowId}, ${row.flow}, ${row.name},
      ${json(tx, row.recurrence)}, ${row.skippedDates}, ${json(tx, row.task)}, ${row.assignee}, ${row.createdBy},
      ${row.updatedBy}, ${row.createdTime}, ${row.updatedTime}, ${row.version}, ${row.pausedTime}, ${row.handledUntil},
      ${row.nextRunAt})
    on conflict (organization_id, id) do update set
      hub_id = excluded.hub_id, flow_id = excluded.flow_id, flow = excluded.flow, name = excluded.name,
      recurrence = excluded.recurrence, skipped_dates = excluded.skipped_dates, task = excluded.task,
      assignee = excluded.assignee, updated_by = excluded.updated_by, updated_time = excluded.updated_time,
      version = excluded.version, paused_time = excluded.paused_time, handled_until = excluded.handled_until,
      next_run_at = excluded.next_run_at`
}
