import type { Caller } from "#core/access/caller.ts"
import { type Fragment, json, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newIds } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { toT1 } from "#shared/wire-time.ts"
import { isEmailInCallersTeams } from "../../people/users/index.ts"
import type { Cause } from "./causes.ts"
import type { AlertKind } from "./schemas.ts"

export interface AlertRow {
  id: Id<"alert">
  ruleId: string
  ruleName: string
  cause: string
  kind: AlertKind
  hubIds: string[]
  userId: string | null
  email: string | null
  taskId: string | null
  geofenceId: string | null
  details: Cause["details"]
  startedAt: Temporal.Instant
  endedAt: Temporal.Instant | null
  acknowledgedAt: Temporal.Instant | null
  acknowledgedBy: string | null
}

const columns = (sql: Sql) => sql`
  alerts.id, alerts.rule_id, rules.name as rule_name, alerts.cause, alerts.kind, alerts.hub_ids, alerts.user_id, alerts.email,
  alerts.task_id, alerts.geofence_id, alerts.details, alerts.started_at, alerts.ended_at, alerts.acknowledged_at,
  alerts.acknowledged_by`
const fromAlerts = (sql: Sql) => sql`
  from alerts join alert_rules rules on rules.organization_id = alerts.organization_id and rules.id = alerts.rule_id`

/** Alerts about people and tasks of the caller's hubs and teams, or of none; about themselves where they only see their own. */
export function visibleAlerts(sql: Sql, caller: Caller): Fragment {
  const isOwn = caller.permissions.has("view/task/only-me") ? sql`and alerts.email = ${caller.email}` : sql``
  const inHubs =
    caller.hubs === "all"
      ? sql``
      : sql`and (alerts.hub_ids && ${[...caller.hubs]}::text[] or alerts.hub_ids = '{}' or alerts.email = ${caller.email})`
  return sql`alerts.organization_id = ${caller.organizationId} ${inHubs} ${isOwn}
    and ${isEmailInCallersTeams(sql, caller, sql`alerts.email`)}`
}

export interface AlertFilter {
  state?: "open" | "unacknowledged" | "ended" | undefined
  kind?: string | undefined
  ruleId?: string | undefined
  userId?: string | undefined
  taskId?: string | undefined
  hubId?: string | undefined
  from?: Temporal.Instant | undefined
  to?: Temporal.Instant | undefined
}

function conditions(sql: Sql, caller: Caller, filter: AlertFilter): Fragment {
  const states = {
    open: sql`and alerts.ended_at is null`,
    ended: sql`and alerts.ended_at is not null`,
    unacknowledged: sql`and alerts.acknowledged_at is null`,
  }
  const equal = (column: Fragment, value: string | undefined) =>
    value === undefined ? sql`` : sql`and ${column} = ${value}`
  return sql`${visibleAlerts(sql, caller)} ${filter.state ? states[filter.state] : sql``}
    ${equal(sql`alerts.kind`, filter.kind)} ${equal(sql`alerts.rule_id`, filter.ruleId?.toLowerCase())}
    ${equal(sql`alerts.user_id`, filter.userId?.toLowerCase())} ${equal(sql`alerts.task_id`, filter.taskId?.toLowerCase())}
    ${filter.hubId === undefined ? sql`` : sql`and alerts.hub_ids @> array[${filter.hubId.toLowerCase()}]`}
    ${filter.from ? sql`and alerts.started_at >= ${filter.from}` : sql``}
    ${filter.to ? sql`and alerts.started_at <= ${filter.to}` : sql``}`
}

export function listAlerts(
  sql: Sql,
  caller: Caller,
  filter: AlertFilter,
  page: PageOptions,
): Promise<Listed<AlertRow>> {
  return listRows<AlertRow>(sql, page, {
    columns: columns(sql),
    from: sql`${fromAlerts(sql)} where ${conditions(sql, caller, filter)}`,
    order: sql`alerts.started_at desc, alerts.id desc`,
  })
}

/** Alerts that nobody has acknowledged and that are still so. */
export async function countOpen(sql: Sql, caller: Caller): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from alerts where ${visibleAlerts(sql, caller)} and ended_at is null and acknowledged_at is null limit 1000
    ) as open`
  return row?.count ?? 0
}

/** Acknowledges those that the caller sees and nobody has acknowledged. Returns their ids. */
export async function acknowledge(
  tx: Tx,
  caller: Caller,
  ids: readonly string[],
  now: Temporal.Instant,
): Promise<{ id: string; hubIds: string[] }[]> {
  const lowered = ids.map((id) => id.toLowerCase())
  return tx<{ id: string; hubIds: string[] }[]>`
    update alerts set acknowledged_at = ${now}, acknowledged_by = ${caller.email}, notify_at = null
    where ${visibleAlerts(tx, caller)} and id = any (${lowered}) and acknowledged_at is null
    returning id, hub_ids`
}

/** Whether the caller sees the alert with an id. */
export function seesAlert(sql: Sql, caller: Caller, id: Fragment): Fragment {
  return sql`exists (select from alerts where alerts.id = ${id} and ${visibleAlerts(sql, caller)})`
}

export async function isVisibleAlert(sql: Sql, caller: Caller, id: string): Promise<boolean> {
  const [row] = await sql<{ isSeen: boolean }[]>`
    select ${seesAlert(sql, caller, sql`${id.toLowerCase()}::text`)} as is_seen`
  return row?.isSeen ?? false
}

/** Alerts of a rule that have not ended. */
export function openAlerts(sql: Sql, organizationId: string, ruleId: string): Promise<AlertRow[]> {
  return sql<AlertRow[]>`
    select ${columns(sql)} ${fromAlerts(sql)}
    where alerts.organization_id = ${organizationId} and alerts.rule_id = ${ruleId} and alerts.ended_at is null`
}

/** Writes alerts that are not there yet; returns those. */
export async function insertAlerts(
  tx: Tx,
  organizationId: string,
  rule: { id: string; kind: AlertKind },
  causes: readonly (Cause & { notifyAt: Temporal.Instant | null })[],
  now: Temporal.Instant,
): Promise<AlertRow[]> {
  if (causes.length === 0) return []
  const ids = newIds<"alert">(causes.length, now.epochMilliseconds)
  const rows = causes.map(({ startedAt, endedAt, notifyAt, ...cause }, index) => ({
    ...cause,
    id: ids[index],
    startedAt: startedAt.toString(),
    endedAt: endedAt?.toString() ?? null,
    notifyAt: notifyAt?.toString() ?? null,
  }))
  return tx<AlertRow[]>`
    with fresh as (
      insert into alerts (organization_id, id, rule_id, cause, kind, hub_ids, user_id, email, task_id, geofence_id, details,
        started_at, ended_at, notify_at)
      select ${organizationId}, id, ${rule.id}, key, ${rule.kind}, "hubIds", "userId", email, "taskId", "geofenceId", details,
        "startedAt", "endedAt", "notifyAt"
      from jsonb_to_recordset(${json(tx, rows)}) as row (id text, key text, "hubIds" text[], "userId" text, email text,
        "taskId" text, "geofenceId" text, details jsonb, "startedAt" timestamptz, "endedAt" timestamptz,
        "notifyAt" timestamptz)
      on conflict (organization_id, rule_id, cause, started_at) do nothing returning *
    )
    select ${columns(tx)} from fresh as alerts
    join alert_rules rules on rules.organization_id = alerts.organization_id and rules.id = alerts.rule_id`
}

/** Ends alerts; those that nobody was notified of yet, because of quiet hours, are not sent afterwards. */
export async function endAlerts(
  tx: Tx,
  organizationId: string,
  ended: readonly { id: string; at: Temporal.Instant }[],
): Promise<AlertRow[]> {
  if (ended.length === 0) return []
  return tx<AlertRow[]>`
    with gone as (
      update alerts set ended_at = greatest(alerts.started_at, row.at), notify_at = null
      from unnest(${ended.map(({ id }) => id)}::text[], ${ended.map(({ at }) => at.toString())}::timestamptz[]) as row (id, at)
      where alerts.organization_id = ${organizationId} and alerts.id = row.id and alerts.ended_at is null
      returning alerts.*
    )
    select ${columns(tx)} from gone as alerts
    join alert_rules rules on rules.organization_id = alerts.organization_id and rules.id = alerts.rule_id`
}

/** Alerts whose quiet hours are over; nobody else takes them until the transaction ends. */
export async function takeDue(tx: Tx, organizationId: string, now: Temporal.Instant): Promise<AlertRow[]> {
  return tx<AlertRow[]>`
    with due as (
      update alerts set notify_at = null where (organization_id, id) in (
        select organization_id, id from alerts where organization_id = ${organizationId} and notify_at <= ${now}
        order by notify_at limit 500 for update skip locked)
      returning *
    )
    select ${columns(tx)} from due as alerts
    join alert_rules rules on rules.organization_id = alerts.organization_id and rules.id = alerts.rule_id`
}

export function toWireAlert(row: AlertRow) {
  const { details } = row
  return {
    _id: row.id,
    ruleId: row.ruleId,
    ruleName: row.ruleName,
    kind: row.kind,
    hubIds: row.hubIds,
    userId: row.userId,
    email: row.email,
    name: details.name,
    taskId: row.taskId,
    geofenceId: row.geofenceId,
    placeName: details.placeName ?? null,
    value: details.value ?? null,
    text: details.text ?? null,
    state: details.state ?? null,
    lat: details.lat ?? null,
    lon: details.lon ?? null,
    startedTime: toT1(row.startedAt),
    endedTime: row.endedAt ? toT1(row.endedAt) : null,
    acknowledgedTime: row.acknowledgedAt ? toT1(row.acknowledgedAt) : null,
    acknowledgedBy: row.acknowledgedBy,
  }
}
