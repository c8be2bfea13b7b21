import { type Static, Type } from "typebox"
import { type Caller, hasHub } from "#core/access/caller.ts"
import { CursorQuery } from "#core/cursor-paging.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { commaList } from "#core/http/tolerance.ts"
import { ListQuery } from "#core/paging.ts"
import { FilterParameter } from "#core/row-filter.ts"
import { isTaskOutcome, type TaskOutcome, taskOutcomes } from "#shared/task-outcomes.ts"
import { isTaskStatus, type TaskStatus } from "#shared/task-status.ts"
import { parseTimeBound } from "#shared/wire-time.ts"
import { taskErrors } from "../errors.ts"
import type { ResolvedFilter } from "./filter-names.ts"
import { builtCondition } from "./task-filter-fields.ts"

const TimeBound = Type.Optional(Type.String({ format: "wire-time-bound" }))

/** What narrows a list of tasks; the same for lists, galleries and exports. */
export const TaskFilterQuery = {
  flow: Type.Optional(Type.String({ description: "Comma-separated list of flow names" })),
  flowId: Type.Optional(Type.String({ description: "Comma-separated list of flow ids" })),
  doneBy: Type.Optional(Type.String({ description: "E-mail or name of the person who finished the task" })),
  assignee: Type.Optional(
    Type.String({ description: "Comma-separated list of e-mails, of which one must match" }),
  ),
  status: Type.Optional(Type.String({ description: "Comma-separated list of UNASSIGNED, ONGOING, DONE" })),
  hubId: Type.Optional(Type.String({ description: "Comma-separated list of hub ids" })),
  outcome: Type.Optional(
    Type.String({
      description:
        "Comma-separated list of done, partial, failed, returned, skipped. Tasks finished without one are done",
    }),
  ),
  priority: Type.Optional(
    Type.String({ description: "Comma-separated list of low, normal, high, urgent; of what was set" }),
  ),
  tags: Type.Optional(Type.String({ description: "Comma-separated list of tags, of which one must match" })),
  isLate: Type.Optional(Type.Boolean({ description: "true: finished after their end time" })),
  needsReview: Type.Optional(
    Type.Boolean({ description: "true: finished against a rule of the flow and not yet accepted" }),
  ),
  active: Type.Optional(Type.Boolean({ description: "Started, and not yet ended or not yet finished" })),
  isVisit: Type.Optional(Type.Boolean({ description: "Not yet ended, or late and not yet finished" })),
  routingResultId: Type.Optional(Type.String()),
  timeBy: Type.Optional(
    Type.Union([Type.Literal("createdTime"), Type.Literal("startTime"), Type.Literal("doneTime")], {
      description: "The time that timeFrom and timeTo filter; without it they are ignored",
    }),
  ),
  timeFrom: TimeBound,
  timeTo: TimeBound,
  taskType: Type.Optional(Type.String({ description: "Comma-separated list of task types" })),
  parentId: Type.Optional(Type.String()),
  refId: Type.Optional(
    Type.String({ description: "Comma-separated list of references, of which one must match" }),
  ),
  q: Type.Optional(Type.String({ maxLength: 200, description: "Part of title, content or label" })),
  bbox: Type.Optional(
    Type.String({ description: "west,south,east,north in degrees: only tasks with a location in this area" }),
  ),
  filter: FilterParameter,
}

export const TaskListQuery = Type.Object({
  ...ListQuery,
  ...TaskFilterQuery,
  sortBy: Type.Optional(
    Type.String({
      description:
        "createdTime (default), updatedTime, startTime, endTime, doneTime, orderIndex, or another field",
    }),
  ),
  ...CursorQuery,
})

const {
  flowId: _flowId,
  routingResultId: _result,
  taskType: _type,
  parentId: _parent,
  refId: _ref,
  ...galleryFilter
} = TaskFilterQuery

export const GalleryQuery = Type.Object({
  ...ListQuery,
  ...galleryFilter,
  sortBy: Type.Optional(Type.String({ description: "As for the list of tasks" })),
  batchId: Type.Optional(Type.String({ description: "Accepted and ignored" })),
})

const FilterObject = Type.Object(TaskFilterQuery)
export type TaskFilter = Static<typeof FilterObject>

export interface TaskConditions {
  where: Fragment
  /** Where the words of the filter are looked up in their index; what it finds must still meet `where`. */
  words: Fragment | undefined
  /** Set when stored counts exist for this filter. */
  counts: Fragment | undefined
  /** Set for work that is done, by hub, flow and type: finished tasks by the stored counts, less those that an index has. */
  doneCounts: { counts: Fragment; others: Fragment } | undefined
}

const timeColumns = { createdTime: "created_time", startTime: "start_time", doneTime: "done_time" } as const

/**
 * The filter as SQL, to be added to `visibleTasks`. Bad words in it are refused with 400. A filter from
 * `resolveFilter` has its names looked up and meets indexes better; the matches are the same.
 */
export function taskConditions(
  sql: Sql,
  caller: Caller,
  filter: ResolvedFilter,
  now: Temporal.Instant,
): TaskConditions {
  const groupConditions = conditionsOnGroups(sql, caller, filter)
  const rowConditions = conditionsOnRows(sql, caller, filter, now)
  const all = [...groupConditions, ...rowConditions]
  const allOf = (conditions: readonly Fragment[]) =>
    conditions.reduce((sofar, condition) => sql`${sofar} and ${condition}`, sql`true`)
  const isDoneOnly = rowConditions.length === 1 && filter.outcome?.trim().toLowerCase() === "done"
  return {
    words: filter.q === undefined ? undefined : wordIndexCondition(sql, caller, filter.q),
    where: allOf(all),
    counts: rowConditions.length > 0 ? undefined : allOf(groupConditions),
    doneCounts: isDoneOnly
      ? {
          counts: allOf([...groupConditions, sql`status = 'DONE'`]),
          others: allOf([...groupConditions, sql`status = 'DONE'`, sql`attributes ? 'outcome'`]),
        }
      : undefined,
  }
}

/** Conditions on what the stored counts are grouped by: hub, flow, status and type. */
function conditionsOnGroups(sql: Sql, caller: Caller, filter: ResolvedFilter): Fragment[] {
  const conditions: Fragment[] = []
  if (filter.hubId !== undefined) {
    const hubIds = commaList(filter.hubId.toLowerCase()).filter((hubId) => hasHub(caller, hubId))
    conditions.push(oneOf(sql, sql`hub_id`, hubIds))
  }
  if (filter.status !== undefined) conditions.push(oneOf(sql, sql`status`, readStatuses(filter.status)))
  if (filter.flowIdsOfNames !== undefined) conditions.push(oneOf(sql, sql`flow_id`, filter.flowIdsOfNames))
  else if (filter.flow !== undefined) conditions.push(oneOf(sql, sql`flow`, commaList(filter.flow)))
  if (filter.flowId !== undefined)
    conditions.push(oneOf(sql, sql`flow_id`, commaList(filter.flowId.toLowerCase())))
  if (filter.taskType !== undefined) conditions.push(oneOf(sql, sql`task_type`, commaList(filter.taskType)))
  return conditions
}

/** A single value as `=`, which every index on the column can serve in order. */
function oneOf(sql: Sql, column: Fragment, values: readonly string[]): Fragment {
  return values.length === 1
    ? sql`${column} = ${values[0] ?? ""}`
    : sql`${column} = any (${values as string[]})`
}

function readStatuses(text: string): TaskStatus[] {
  const words = commaList(text.toUpperCase())
  if (words.length === 0 || !words.every(isTaskStatus)) {
    const message = "status must be UNASSIGNED, ONGOING or DONE, or a comma-separated list of them"
    throw taskErrors.invalid({ message, fields: { status: [message] } })
  }
  return words.filter(isTaskStatus)
}

function conditionsOnRows(
  sql: Sql,
  caller: Caller,
  filter: ResolvedFilter,
  now: Temporal.Instant,
): Fragment[] {
  const conditions: Fragment[] = []
  if (filter.assignee !== undefined)
    conditions.push(sql`assignee && ${commaList(filter.assignee.toLowerCase())}::text[]`)
  if (filter.doneByEmails !== undefined) {
    conditions.push(oneOf(sql, sql`done_by`, filter.doneByEmails))
  } else if (filter.doneBy !== undefined) {
    conditions.push(sql`(done_by = ${filter.doneBy.toLowerCase()} or done_by in (
      select users.email from users where users.organization_id = tasks.organization_id and users.name = ${filter.doneBy}))`)
  }
  if (filter.outcome !== undefined) conditions.push(outcomeCondition(sql, filter.outcome))
  // The first part of each is the condition of an index.
  if (filter.priority !== undefined)
    conditions.push(
      sql`attributes ? 'priority' and attributes->>'priority' = any (${commaList(filter.priority.toLowerCase())})`,
    )
  if (filter.tags !== undefined)
    conditions.push(sql`attributes ? 'tags' and attributes->'tags' ?| ${commaList(filter.tags)}::text[]`)
  if (filter.isLate !== undefined)
    conditions.push(flagCondition(sql, sql`attributes->'isLate'`, filter.isLate))
  if (filter.needsReview !== undefined)
    conditions.push(flagCondition(sql, sql`attributes->'needsReview'`, filter.needsReview))
  if (filter.active)
    conditions.push(
      sql`(start_time <= ${now} and (end_time >= ${now} or status in ('UNASSIGNED', 'ONGOING')))`,
    )
  if (filter.isVisit) conditions.push(sql`(end_time >= ${now} or status = 'ONGOING')`)
  if (filter.routingResultId !== undefined)
    conditions.push(sql`routing_result_id = ${filter.routingResultId}`)
  if (filter.parentId !== undefined) conditions.push(sql`parent_id = ${filter.parentId}`)
  if (filter.refId !== undefined) conditions.push(oneOf(sql, sql`ref_id`, commaList(filter.refId)))
  if (filter.q !== undefined)
    conditions.push(sql`${wordsOfTask(sql)} like lower(${`%${filter.q.replace(/[\\%_]/g, "\\$&")}%`})`)
  if (filter.bbox !== undefined) conditions.push(boxCondition(sql, filter.bbox))
  if (filter.filter !== undefined) conditions.push(builtCondition(sql, caller, filter.filter, now))
  if (filter.timeBy !== undefined) {
    const column = sql(timeColumns[filter.timeBy])
    if (filter.timeFrom !== undefined)
      conditions.push(sql`${column} >= ${boundOf(filter.timeFrom, "from")}::timestamptz`)
    if (filter.timeTo !== undefined)
      conditions.push(sql`${column} <= ${boundOf(filter.timeTo, "to")}::timestamptz`)
  }
  return conditions
}

function flagCondition(sql: Sql, flag: Fragment, isSet: boolean): Fragment {
  return isSet ? sql`(${flag} = 'true')` : sql`(${flag} = 'true') is not true`
}

/** Outcomes other than done are stored, and have an index. */
function outcomeCondition(sql: Sql, text: string): Fragment {
  const words = commaList(text.toLowerCase())
  if (words.length === 0 || !words.every(isTaskOutcome)) {
    const message = `outcome must be ${taskOutcomes.join(", ")}, or a comma-separated list of them`
    throw taskErrors.invalid({ message, fields: { outcome: [message] } })
  }
  const stored = words.filter((word): word is TaskOutcome => isTaskOutcome(word) && word !== "done")
  const done = sql`(status = 'DONE' and not attributes ? 'outcome')`
  if (stored.length === 0) return done
  const others = sql`(attributes ? 'outcome' and attributes->>'outcome' = any (${stored as string[]}))`
  return words.includes("done") ? sql`(${done} or ${others})` : others
}

function wordsOfTask(sql: Sql): Fragment {
  return sql`lower(coalesce(title, '') || ' ' || coalesce(content, '') || ' ' || coalesce(label, ''))`
}

/** The index knows three characters and more. */
function wordIndexCondition(sql: Sql, caller: Caller, words: string): Fragment | undefined {
  if ([...words].length < 3) return undefined
  return sql`task_grams(organization_id, ${wordsOfTask(sql)}) @> task_grams(${caller.organizationId}, lower(${words}))`
}

function boundOf(text: string, end: "from" | "to"): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(parseTimeBound(text, end) ?? 0)
}

function boxCondition(sql: Sql, text: string): Fragment {
  const [west, south, east, north] = text.split(",").map(Number)
  const isBox = [west, south, east, north].every(
    (degrees) => degrees !== undefined && Number.isFinite(degrees),
  )
  if (!isBox) throw taskErrors.invalid({ message: "bbox must be west,south,east,north in degrees" })
  const longitudes =
    Number(west) <= Number(east)
      ? sql`lng between ${Number(west)} and ${Number(east)}`
      : sql`(lng >= ${Number(west)} or lng <= ${Number(east)})`
  return sql`(lat between ${Number(south)} and ${Number(north)} and ${longitudes})`
}
