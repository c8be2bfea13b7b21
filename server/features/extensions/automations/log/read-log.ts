import type { Caller } from "#core/access/caller.ts"
import { hasCitus } from "#core/database/citus.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { type Listed, listRows, orderOf } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { readTraceparent } from "#core/telemetry/trace-context.ts"
import { toT3 } from "#shared/wire-time.ts"
import { builtCondition } from "./log-filter.ts"
import { masked } from "./mask.ts"
import { seesAllEvents, seesEntry } from "./visible-events.ts"

export interface LogRow {
  id: string
  automationId: string
  eventXid: string | null
  eventNumber: number | null
  attempt: number
  isSuccess: boolean
  statusCode: number
  name: string
  event: string
  automationType: string
  dataType: string
  details: Record<string, unknown>
  url: string
  request: string
  response: string
  referenceId: string
  traceparent: string | null
  requestId: string | null
  dispatchedTime: Temporal.Instant
  startedTime: Temporal.Instant
  finishedTime: Temporal.Instant
}

export interface LogFilter {
  startDate?: string
  endDate?: string
  taskId?: string
  automationId?: string
  isSuccess?: boolean
  /** Conditions over any field, and the moment that relative times refer to. */
  built?: { text: string; now: Temporal.Instant } | undefined
  sortBy?: string
  direction: "asc" | "desc"
}

const sortColumns: Record<string, string> = {
  "@timestamp": "finished_time",
  timestamp: "finished_time",
  automationName: "name",
  statusCode: "status_code",
  attempt: "attempt",
  isSuccess: "is_success",
  automationUrl: "url",
}

export async function listLog(
  sql: Sql,
  caller: Caller,
  filter: LogFilter,
  page: PageOptions,
): Promise<Listed<LogRow>> {
  const where = sql`organization_id = ${caller.organizationId}
    ${filter.startDate === undefined ? sql`` : sql`and finished_time >= ${filter.startDate}::date`}
    ${filter.endDate === undefined ? sql`` : sql`and finished_time < ${filter.endDate}::date + 1`}
    ${filter.taskId === undefined ? sql`` : sql`and reference_id = ${filter.taskId}`}
    ${filter.automationId === undefined ? sql`` : sql`and automation_id = ${filter.automationId.toLowerCase()}`}
    ${filter.built ? sql`and ${builtCondition(sql, caller, filter.built.text, filter.built.now)}` : sql``}
    ${filter.isSuccess === undefined ? sql`` : sql`and is_success = ${filter.isSuccess}`}`
  return listRows<LogRow>(sql, page, {
    columns: logColumns(sql),
    ...(await visibleEntries(sql, caller, where)),
    order: orderOf(sql, sortColumns, filter, "finished_time"),
  })
}

export async function findEntries(sql: Sql, caller: Caller, ids: readonly string[]): Promise<LogRow[]> {
  const where = sql`organization_id = ${caller.organizationId} and id = any (${[...ids]})`
  const { from } = await visibleEntries(sql, caller, where)
  return sql<LogRow[]>`select ${logColumns(sql)} ${from}`
}

/**
 * The entries that the caller may see. What they are about is looked up in tables of the coordinator: where the log is on
 * another machine, its entries are fetched first.
 */
async function visibleEntries(sql: Sql, caller: Caller, where: Fragment): Promise<{ from: Fragment }> {
  const sees = seesEntry(sql, caller)
  if (seesAllEvents(caller) || !(await hasCitus(sql)))
    return { from: sql`from automation_log where ${where} and ${sees}` }
  return {
    from: sql`from (
      with automation_log as materialized (select * from automation_log where ${where})
      select * from automation_log where ${sees}) automation_log`,
  }
}

function logColumns(sql: Sql) {
  return sql`id, automation_id, event_xid::text, event_number, attempt, is_success, status_code, name, event,
    automation_type, data_type, details, url, request, response, reference_id, traceparent, request_id, dispatched_time, started_time, finished_time`
}

/** An entry in the shape of a search engine's hit, as the wire has it. */
export function toWireEntry(row: LogRow, caller: Caller) {
  const finished = row.finishedTime.epochMilliseconds
  const iso = Temporal.Instant.fromEpochMilliseconds(finished).toString({ smallestUnit: "millisecond" })
  const started = row.startedTime.toString({ smallestUnit: "microsecond" })
  return {
    _index: `log-automation-${iso.slice(0, 10).replaceAll("-", ".")}`,
    _type: "_doc",
    _id: row.id,
    _score: null,
    _source: {
      organizationId: caller.organizationId,
      automationId: row.automationId,
      automationName: row.name,
      name: row.name,
      automationEvent: row.event,
      automationType: row.automationType,
      dataType: row.dataType,
      automationDetails: JSON.stringify(masked(row.details)),
      automationUrl: row.url,
      request: row.request,
      response: row.response,
      statusCode: String(row.statusCode),
      isSuccess: String(row.isSuccess),
      attempt: String(row.attempt),
      referenceId: row.referenceId,
      requestId: row.requestId,
      traceId: readTraceparent(row.traceparent ?? undefined)?.traceId ?? null,
      startRequestTime: `${started.slice(0, 10)} ${started.slice(11, 24)}`,
      finishRequestTime: toT3(row.finishedTime),
      timestamp: toT3(row.finishedTime),
      dispatchAt: toT3(row.dispatchedTime),
      delayTime: (row.dispatchedTime.epochMilliseconds / 1000).toFixed(4),
      responseTime: ((finished - row.startedTime.epochMilliseconds) / 1000).toFixed(4),
      severity: row.isSuccess ? "NOTICE" : "ERROR",
      env: "production",
      "@timestamp": iso,
      "@version": "1",
    },
    sort: [finished],
  }
}
