import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import { type Fragment, json, type Sql, type Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { containing } from "#core/list-rows.ts"
import type { Direction, PageOptions } from "#core/paging.ts"
import type { RunInput } from "./plan/run-input.ts"
import type { Routing, Summary } from "./result-schemas.ts"
import type { Settings } from "./settings/settings.ts"

export interface ResultRow {
  id: Id<"result">
  organizationId: Id<"organization">
  hubId: Id<"hub">
  name: string
  resultCode: string
  routingDate: string
  hubCoordinate: string
  countryCode: string | null
  status: "ongoing" | "done" | "failed"
  message: string
  configurationId: string | null
  configuration: Settings & Record<string, unknown>
  result: Routing
  summary: Summary | Record<string, never>
  currentVersion: number
  warnings: string[]
  userName: string
  createdBy: string
  createdFrom: string
  finishTime: Temporal.Instant | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
  dispatchStatus: "ongoing" | "done" | "failed" | null
  dispatchMessage: string | null
  progress: { share: number; dropped: number; vehicles: number; distance: number } | null
  historyCount: number
  /** The result that it is compared with. */
  basedOn: string | null
}

/** Tenant and hubs, once. Every read of results starts from this condition. */
export function visibleResults(sql: Sql, caller: Caller): Fragment {
  return sql`routing_results.organization_id = ${caller.organizationId}
    and ${inCallersHubs(sql, caller, sql`routing_results.hub_id`)}`
}

/** Everything but the private input. Lists that do not show the routes leave out `result`, the bulk of a row. */
export function resultColumns(sql: Sql, withRoutes = true): Fragment {
  return sql`id, organization_id, hub_id, name, result_code, routing_date, hub_coordinate, country_code, status, message,
    configuration_id, configuration, ${withRoutes ? sql`result` : sql`'{"routing":[],"dropped":[]}'::jsonb as result`}, summary, ${withRoutes ? sql`input ->> 'basedOn'` : sql`null`} as based_on,
    current_version, warnings, user_name, created_by, created_from, finish_time, created_time, updated_time,
    dispatch_status, dispatch_message, progress, (
      select count(*)::int from routing_result_histories h
      where h.organization_id = routing_results.organization_id and h.result_id = routing_results.id) as history_count`
}

export async function findResult(sql: Sql, caller: Caller, resultId: string): Promise<ResultRow | undefined> {
  const rows = await sql<ResultRow[]>`
    select ${resultColumns(sql)} from routing_results
    where ${visibleResults(sql, caller)} and id = ${resultId.toLowerCase()}`
  return rows[0]
}

/** Without its routes, which are the bulk of a row. */
export async function findResultName(
  sql: Sql,
  caller: Caller,
  resultId: string,
): Promise<{ id: string; name: string; hubId: string } | undefined> {
  const rows = await sql<{ id: string; name: string; hubId: string }[]>`
    select id, name, hub_id from routing_results
    where ${visibleResults(sql, caller)} and id = ${resultId.toLowerCase()}`
  return rows[0]
}

export async function lockResult(tx: Tx, caller: Caller, resultId: string): Promise<ResultRow | undefined> {
  const rows = await tx<ResultRow[]>`
    select ${resultColumns(tx)} from routing_results
    where ${visibleResults(tx, caller)} and id = ${resultId.toLowerCase()} for update`
  return rows[0]
}

/** What the plan was made from; null for a result from a file. */
export async function findInput(
  sql: Sql,
  organizationId: string,
  resultId: string,
): Promise<RunInput | null> {
  const rows = await sql<{ input: RunInput | null }[]>`
    select input from routing_results where organization_id = ${organizationId} and id = ${resultId}`
  return rows[0]?.input ?? null
}

export interface ResultFilter {
  resultCode?: string | undefined
  hubIds?: readonly string[] | undefined
  text?: string | undefined
  from?: Temporal.Instant | undefined
  to?: Temporal.Instant | undefined
}

const sortColumns: Record<string, string> = {
  _id: "id",
  createdTime: "created_time",
  updatedTime: "updated_time",
  finishTime: "finish_time",
  name: "name",
  resultCode: "result_code",
  routingDate: "routing_date",
  hubId: "hub_id",
  status: "status",
  dispatchStatus: "dispatch_status",
  dispatchMessage: "dispatch_message",
  createdBy: "created_by",
  createdFrom: "created_from",
}

export async function listResults(
  sql: Sql,
  caller: Caller,
  filter: ResultFilter,
  options: { page: PageOptions; sortBy: string; direction: Direction; withRoutes: boolean },
): Promise<{ rows: ResultRow[]; total: number; lastChange: Temporal.Instant | null }> {
  const pattern = containing(filter.text ?? "")
  const condition = sql`${visibleResults(sql, caller)}
    ${filter.resultCode === undefined ? sql`` : sql`and result_code = ${filter.resultCode}`}
    ${filter.hubIds === undefined ? sql`` : sql`and hub_id = any (${[...filter.hubIds]})`}
    ${filter.text === undefined ? sql`` : sql`and (name ilike ${pattern} or exists (select from unnest(assignees) email where email ilike ${pattern}))`}
    ${filter.from === undefined ? sql`` : sql`and created_time >= ${filter.from}`}
    ${filter.to === undefined ? sql`` : sql`and created_time <= ${filter.to}`}`
  const column =
    (Object.hasOwn(sortColumns, options.sortBy) ? sortColumns[options.sortBy] : undefined) ?? "created_time"
  const way = options.direction === "asc" ? sql`asc` : sql`desc`
  const [rows, counted] = await Promise.all([
    sql<ResultRow[]>`
      select ${resultColumns(sql, options.withRoutes)} from routing_results where ${condition}
      order by ${sql(column)} ${way}, id ${way} limit ${options.page.limit} offset ${options.page.offset}`,
    sql<{ total: number; lastChange: Temporal.Instant | null }[]>`
      select count(*) as total, (select greatest(
        (select max(updated_time) from routing_results where organization_id = ${caller.organizationId}),
        (select max(deleted_time) from trash
          where organization_id = ${caller.organizationId} and type = 'Routing Result'))) as last_change
      from routing_results where ${condition}`,
  ])
  return { rows, total: counted[0]?.total ?? 0, lastChange: counted[0]?.lastChange ?? null }
}

export interface NewResult {
  id: Id<"result">
  hubId: string
  name: string
  resultCode: string
  routingDate: string
  hubCoordinate: string
  countryCode: string | null
  configurationId: string | null
  configuration: Record<string, unknown>
  input: RunInput | null
  warnings: string[]
  createdFrom: "WEB" | "API"
}

export async function insertResult(
  tx: Tx,
  caller: Caller,
  made: NewResult,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    insert into routing_results (organization_id, id, hub_id, name, result_code, routing_date, hub_coordinate, country_code,
      status, configuration_id, configuration, input, warnings, user_name, created_by, created_from, created_time, updated_time)
    values (${caller.organizationId}, ${made.id}, ${made.hubId}, ${made.name}, ${made.resultCode}, ${made.routingDate},
      ${made.hubCoordinate}, ${made.countryCode}, 'ongoing', ${made.configurationId}, ${json(tx, made.configuration)},
      ${made.input === null ? null : json(tx, made.input)}, ${made.warnings}, ${caller.name}, ${caller.userId},
      ${made.createdFrom}, ${now}, ${now})`
}

/** When a hub's results last changed within the last three days, deletes included; null when they did not. */
export async function lastResultChangeInHub(
  sql: Sql,
  organizationId: string,
  hubId: string,
): Promise<Temporal.Instant | null> {
  const rows = await sql<{ changed: Temporal.Instant | null }[]>`
    select greatest(
      (select updated_time from routing_results
        where organization_id = ${organizationId} and hub_id = ${hubId} and updated_time > now() - interval '3 days'
        order by updated_time desc limit 1),
      (select max(deleted_time) from trash
        where organization_id = ${organizationId} and type = 'Routing Result' and hub_id = ${hubId}
          and deleted_time > now() - interval '3 days')) as changed`
  return rows[0]?.changed ?? null
}

type ResultKey = Pick<ResultRow, "organizationId" | "id">

export async function updateInput(tx: Tx, { organizationId, id }: ResultKey, input: RunInput): Promise<void> {
  await tx`
    update routing_results set input = ${json(tx, input)} where organization_id = ${organizationId} and id = ${id}`
}

/** Starts a failed run again with its input. False when it has not failed. */
export async function restartResult(
  tx: Tx,
  { organizationId, id }: ResultKey,
  now: Temporal.Instant,
): Promise<boolean> {
  const restarted = await tx`
    update routing_results set status = 'ongoing', message = '', runner = null, run_count = 0, progress = null,
      is_cancelled = false, finish_time = null, updated_time = ${now}
    where organization_id = ${organizationId} and id = ${id} and status = 'failed' and input is not null
    returning id`
  return restarted.length > 0
}

/** The run ends with the best plan that it has. */
export async function cancelResult(tx: Tx, { organizationId, id }: ResultKey): Promise<void> {
  await tx`
    update routing_results set is_cancelled = true where organization_id = ${organizationId} and id = ${id}`
}
