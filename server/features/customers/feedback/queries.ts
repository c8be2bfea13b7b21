import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { inSightOf } from "../../work/tasks/index.ts"

export interface FeedbackRow {
  id: Id<"feedback">
  taskId: string
  hubId: string
  flowId: string
  taskTitle: string | null
  driver: string | null
  kind: "rating" | "reply"
  stars: number | null
  comment: string | null
  sender: string | null
  createdTime: Temporal.Instant
  readTime: Temporal.Instant | null
  readBy: string | null
}

export interface FeedbackFilter {
  kind?: string | undefined
  hubId?: string | undefined
  flowId?: string | undefined
  driver?: string | undefined
  taskId?: string | undefined
  unread?: boolean | undefined
  maxStars?: number | undefined
  from?: Temporal.Instant | undefined
  to?: Temporal.Instant | undefined
}

/** Feedback on work that the caller sees, by its hub and driver. */
function visibleFeedback(sql: Sql, caller: Caller): Fragment {
  return sql`organization_id = ${caller.organizationId} and exists (
    select from (select hub_id, array_remove(array[driver], null) as assignee) as work
    where ${inSightOf(sql, caller, sql`work`)})`
}

function conditionOf(sql: Sql, caller: Caller, filter: FeedbackFilter): Fragment {
  const { kind, hubId, flowId, driver, taskId, unread, maxStars, from, to } = filter
  return sql`${visibleFeedback(sql, caller)}
    ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
    ${hubId === undefined ? sql`` : sql`and hub_id = ${hubId.toLowerCase()}`}
    ${flowId === undefined ? sql`` : sql`and flow_id = ${flowId.toLowerCase()}`}
    ${driver === undefined ? sql`` : sql`and driver = ${driver.toLowerCase()}`}
    ${taskId === undefined ? sql`` : sql`and task_id = ${taskId.toLowerCase()}`}
    ${unread === true ? sql`and read_time is null` : sql``}
    ${maxStars === undefined ? sql`` : sql`and stars <= ${maxStars}`}
    ${from === undefined ? sql`` : sql`and created_time >= ${from}`}
    ${to === undefined ? sql`` : sql`and created_time <= ${to}`}`
}

export function listFeedback(
  sql: Sql,
  caller: Caller,
  filter: FeedbackFilter,
  page: PageOptions,
): Promise<Listed<FeedbackRow>> {
  return listRows<FeedbackRow>(sql, page, {
    columns: sql`id, task_id, hub_id, flow_id, task_title, driver, kind, stars, comment, sender, created_time, read_time,
      read_by`,
    from: sql`from customer_feedback where ${conditionOf(sql, caller, filter)}`,
    order: sql`created_time desc, id`,
  })
}

export interface RatingSummary {
  key: string | null
  count: number
  average: number
  /** Ratings with one or two stars. */
  poor: number
}

const groupColumns = { driver: "driver", hub: "hub_id", flow: "flow_id" } as const
export type RatingGroup = keyof typeof groupColumns

const maxGroups = 1000

/** The ratings per driver, hub or flow, the most rated first. */
export function summarizeRatings(
  sql: Sql,
  caller: Caller,
  group: RatingGroup,
  filter: FeedbackFilter,
): Promise<RatingSummary[]> {
  const key = sql(groupColumns[group])
  return sql<RatingSummary[]>`
    select ${key} as key, count(*)::int as count, avg(stars)::float8 as average,
      (count(*) filter (where stars <= 2))::int as poor
    from customer_feedback where ${conditionOf(sql, caller, { ...filter, kind: "rating" })}
    group by 1 order by 2 desc, 1 limit ${maxGroups}`
}

export async function markRead(
  sql: Sql,
  caller: Caller,
  feedbackId: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const rows = await sql`
    update customer_feedback set read_time = coalesce(read_time, ${now}), read_by = coalesce(read_by, ${caller.email})
    where ${visibleFeedback(sql, caller)} and id = ${feedbackId.toLowerCase()} returning 1`
  return rows.length > 0
}

/** Rows of `task_id` and `stars` of an organization, to be joined; a task has at most one rating. */
export function ratedTasks(sql: Sql, organizationId: string): Fragment {
  return sql`(select task_id, stars from customer_feedback where organization_id = ${organizationId} and kind = 'rating')`
}
