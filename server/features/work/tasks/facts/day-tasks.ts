import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import type { TaskStatus } from "#shared/task-status.ts"
import { visibleTasks } from "../queries.ts"

/** A task of a day, with only what a plan of the day needs. Times are epoch seconds. */
export interface DayTask {
  id: Id<"task">
  title: string | null
  content: string | null
  hubId: string
  flowId: string
  flow: string
  status: TaskStatus
  assignee: string[]
  startTime: number
  endTime: number
  doneTime: number | null
  orderIndex: number
  lng: number | null
  lat: number | null
  refId: string | null
  outcome: string | null
  priority: string | null
  tags: string[] | null
  /** The values of the asked components; null without any. */
  values: Record<string, unknown> | null
}

export interface DayOptions {
  from: Temporal.Instant
  until: Temporal.Instant
  /** Open tasks from before the day are listed as far back as this. */
  openSince: Temporal.Instant
  hubId: string | undefined
  /** Ids of components whose values are needed. */
  componentIds: readonly string[]
  limit: number
}

/**
 * The tasks that start within a day, and open ones from before that were due within the days before it or are due later.
 * Both are ranges of an index that has status and hub. More than `limit`: the open and the earliest of them.
 */
export async function findDayTasks(
  sql: Sql,
  caller: Caller,
  { from, until, openSince, hubId, componentIds, limit }: DayOptions,
): Promise<{ tasks: DayTask[]; total: number }> {
  const seen = sql`${visibleTasks(sql, caller)} and task_type <> 'activityMaster'
    ${hubId === undefined ? sql`` : sql`and tasks.hub_id = ${hubId.toLowerCase()}`}`
  const lastEnd = until.add({ hours: 7 * 24 })
  const seconds = (column: string) => sql`extract(epoch from tasks.${sql(column)})::float8`
  const rows = await sql<(DayTask & { total: number })[]>`
    with found as (
      select id, status, start_time from tasks
      where ${seen} and start_time >= ${from} and start_time < ${until}
      union all
      select id, status, start_time from tasks
      where ${seen} and start_time < ${from} and status in ('UNASSIGNED', 'ONGOING')
        and end_time >= ${openSince} and end_time < ${lastEnd}
    ), page as (
      select id, count(*) over () as total from found order by status = 'DONE', start_time, id limit ${limit}
    )
    select tasks.id, tasks.title, tasks.content, tasks.hub_id, tasks.flow_id, tasks.flow, tasks.status, tasks.assignee,
      ${seconds("start_time")} as start_time, ${seconds("end_time")} as end_time, ${seconds("done_time")} as done_time,
      tasks.order_index, tasks.lng, tasks.lat, tasks.ref_id, tasks.attributes ->> 'outcome' as outcome,
      tasks.attributes ->> 'priority' as priority, tasks.attributes -> 'tags' as tags,
      ${
        componentIds.length === 0
          ? sql`null`
          : sql`(select jsonb_object_agg(id, tasks."values" -> id)
              from unnest(${componentIds as string[]}::text[]) id where tasks."values" ? id)`
      } as "values", page.total
    from page join tasks on tasks.organization_id = ${caller.organizationId} and tasks.id = page.id
    order by tasks.start_time, tasks.id`
  return { tasks: rows, total: rows[0]?.total ?? 0 }
}
