import { type Caller, may } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { domainEvents } from "#core/domain-events.ts"
import type { Permission } from "#core/permissions.ts"
import { isInSight } from "../../../location/positions/index.ts"
import { visibleRecords } from "../../../work/data-records/index.ts"
import { visibleTasks } from "../../../work/tasks/index.ts"
import { seesAlert, visibleAlerts } from "../../alerts/index.ts"

type DataType = (typeof domainEvents)[keyof typeof domainEvents]

/** What seeing the objects of events needs. */
export const viewPermissions = {
  task: "view/task",
  data: "view/data",
  routingResult: "view/result",
  locationHistory: "view/tracking",
  visit: "view/tracking",
  person: "view/tracking",
  alert: "view/tracking",
} as const satisfies Record<DataType, Permission>

const eventsOf = (dataType: DataType) =>
  Object.entries(domainEvents).flatMap(([name, type]) => (type === dataType ? [name] : []))

/** The elements of a list in the record; null where there is none. */
const textsOf = (sql: Sql, key: string) => sql`
  case when jsonb_typeof(domain_event.record -> ${key}::text) = 'array'
    then array(select jsonb_array_elements_text(domain_event.record -> ${key}::text)) end`

/**
 * Whether the caller sees what an event is about, as it was then: a condition on `eachEvent(…) domain_event`, made of the base
 * conditions of tasks, records and people. The object itself may be gone or changed since.
 */
export function seesEvent(sql: Sql, caller: Caller): Fragment {
  const aboutPerson = sql`exists (select from users where users.organization_id = domain_event.organization_id
      and users.email = domain_event.record ->> 'email' and ${isInSight(sql, caller)})`
  const rules: Record<DataType, Fragment> = {
    task: sql`exists (select from (
      select domain_event.organization_id, domain_event.hub_id, coalesce(${textsOf(sql, "assignee")}, '{}') as assignee
    ) as tasks where ${visibleTasks(sql, caller)})`,
    data: sql`exists (select from (
      select domain_event.organization_id, domain_event.hub_id, domain_event.record ->> 'dataTypeId' as data_type_id,
        ${textsOf(sql, "limitUser")} as limit_user
    ) as data_records where ${visibleRecords(sql, { caller, onlyMine: true })})`,
    routingResult: caller.hubs === "all" ? sql`true` : sql`domain_event.hub_id = any (${[...caller.hubs]})`,
    locationHistory: aboutPerson,
    visit: aboutPerson,
    person: aboutPerson,
    alert: sql`exists (select from (select domain_event.organization_id, ${textsOf(sql, "hubIds")} as hub_ids,
      domain_event.record ->> 'email' as email) as alerts where ${visibleAlerts(sql, caller)})`,
  }
  const cases = (Object.keys(rules) as DataType[])
    .filter((dataType) => may(caller, viewPermissions[dataType]))
    .map((dataType) => sql`when domain_event.event = any (${eventsOf(dataType)}) then ${rules[dataType]}`)
  if (cases.length === 0) return sql`false`
  return sql`case ${cases.reduce((all, one) => sql`${all} ${one}`)} else false end`
}

/** Whether nothing that `seesEvent` asks could hide an event of a kind that the caller may see. */
export function seesAllEvents(caller: Caller): boolean {
  return caller.isOwner && !caller.permissions.has("view/task/only-me")
}

/**
 * Whether the caller sees what an entry of the log is about, as it is now: a condition on automation_log. What is
 * deleted is shown to those who see everything.
 */
export function seesEntry(sql: Sql, caller: Caller): Fragment {
  const aboutPerson = sql`substring(automation_log.request from '"email": ?"([^"]+)"') = any (array(
      select users.email from users
      where users.organization_id = ${caller.organizationId} and ${isInSight(sql, caller)}))`
  const rules: Record<DataType, Fragment> = {
    task: sql`exists (select from tasks where tasks.id = automation_log.reference_id and ${visibleTasks(sql, caller)})`,
    data: sql`exists (select from data_records where data_records.id = automation_log.reference_id
      and ${visibleRecords(sql, { caller, onlyMine: true })})`,
    routingResult: sql`exists (select from routing_results where routing_results.id = automation_log.reference_id
      and routing_results.organization_id = automation_log.organization_id
      ${caller.hubs === "all" ? sql`` : sql`and routing_results.hub_id = any (${[...caller.hubs]})`})`,
    locationHistory: aboutPerson,
    visit: aboutPerson,
    person: aboutPerson,
    alert: seesAlert(sql, caller, sql`automation_log.reference_id`),
  }
  const seen = (Object.keys(rules) as DataType[]).filter((dataType) => may(caller, viewPermissions[dataType]))
  if (seen.length === 0) return sql`false`
  if (seesAllEvents(caller)) return sql`automation_log.data_type = any (${seen})`
  const cases = seen.map(
    (dataType) => sql`when automation_log.data_type = ${dataType} then ${rules[dataType]}`,
  )
  return sql`(case ${cases.reduce((all, one) => sql`${all} ${one}`)} else false end and ${madeInSight(sql, caller)})`
}

/** The request of an action names the hub of what it made or moved. */
function madeInSight(sql: Sql, caller: Caller): Fragment {
  if (caller.hubs === "all") return sql`true`
  return sql`case when automation_log.automation_type = 'webhook' then true
    else coalesce(automation_log.request::jsonb ->> 'hubId' = any (${[...caller.hubs]}), true) end`
}
