import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { commaList } from "#core/http/tolerance.ts"
import { pickFields, readDirection, readPage } from "#core/paging.ts"
import {
  relatedColumns,
  sortExpression,
  type TaskRow,
  taskColumns,
  toWireTask,
  visibleTasks,
} from "../tasks/index.ts"

interface ListOptions {
  page?: number
  pageSize?: number
  sort?: string
  order?: string
  status?: string
  hubId?: string
  workflowId?: string
  fields?: string
}

type WireActivity = Record<string, unknown> & { _id: string }

/** Older clients read `name` and `tasks`; an activity's hub has its address too. */
export async function toWireActivities(sql: Sql, rows: readonly TaskRow[]): Promise<WireActivity[]> {
  const hubs = await sql<{ id: string; address: string }[]>`
    select id, address from hubs where organization_id = ${rows[0]?.organizationId ?? ""}
      and id = any (${[...new Set(rows.map((row) => row.hubId as string))]})`
  const addresses = new Map(hubs.map(({ id, address }) => [id, address]))
  return rows.map((row) => {
    const task = toWireTask(row)
    return {
      ...task,
      hub: task.hub && { ...task.hub, address: addresses.get(row.hubId) ?? null },
      name: row.title,
      tasks: row.attributes.subId ?? [],
    }
  })
}

export function picked(activity: WireActivity, wanted: string | undefined) {
  return pickFields(activity, wanted, ["_id", "organizationId"])
}

export async function listActivities(sql: Sql, caller: Caller, query: ListOptions) {
  const { page: asked, pageSize } = query
  const options = {
    ...(asked === undefined ? {} : { page: asked }),
    ...(pageSize === undefined ? {} : { limit: pageSize }),
  }
  const page = readPage(options, "activ", { default: 15, limitName: "pageSize" })
  const way = readDirection(query.order) === "asc" ? sql`asc` : sql`desc`
  const condition = sql`${visibleTasks(sql, caller)} and task_type = 'activityMaster'
    ${query.status ? sql`and status = any (${commaList(query.status.toUpperCase())})` : sql``}
    ${query.hubId ? sql`and hub_id = any (${commaList(query.hubId.toLowerCase())})` : sql``}
    ${query.workflowId ? sql`and attributes->>'workflowId' = ${query.workflowId.toLowerCase()}` : sql``}`
  const [rows, counted] = await Promise.all([
    sql<TaskRow[]>`
      select ${taskColumns(sql)}, ${relatedColumns(sql)} from tasks where ${condition}
      order by ${sortExpression(sql, caller.organizationId, query.sort ?? "updatedTime")} ${way}, id ${way} limit ${page.limit} offset ${page.offset}`,
    sql<{ total: number }[]>`select count(*) as total from tasks where ${condition}`,
  ])
  const total = counted[0]?.total ?? 0
  const activities = await toWireActivities(sql, rows)
  return {
    status: true as const,
    code: 200 as const,
    data: {
      activities: activities.map((activity) => picked(activity, query.fields)),
      total,
      currentPage: page.page,
      lastPage: Math.max(1, Math.ceil(total / page.limit)),
      perPage: page.limit,
    },
  }
}

export async function findActivity(
  sql: Sql,
  caller: Caller,
  activityId: string,
): Promise<WireActivity | undefined> {
  const rows = await sql<TaskRow[]>`
    select ${taskColumns(sql)}, ${relatedColumns(sql)} from tasks
    where ${visibleTasks(sql, caller)} and task_type = 'activityMaster' and tasks.id = ${activityId.toLowerCase()}`
  return (await toWireActivities(sql, rows))[0]
}
