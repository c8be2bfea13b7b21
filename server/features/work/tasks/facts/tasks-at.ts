import type { Caller } from "#core/access/caller.ts"
import { hasHub } from "#core/access/caller.ts"
import { earlierRows, objectsThatLeft } from "#core/audit-trail/earlier-rows.ts"
import type { Sql } from "#core/database/database.ts"

/** A task as it was at a moment. */
export interface TaskAt {
  id: string
  title: string | null
  hubId: string
  status: string
  assignee: readonly string[]
  orderIndex: number | null
  /** Milliseconds since 1970. */
  startTime: number
  endTime: number
  /** Where the task is; null for tasks that were deleted since. */
  lat: number | null
  lng: number | null
}

const columns = [
  "title",
  "hub_id",
  "status",
  "assignee",
  "order_index",
  "start_time",
  "end_time",
  "task_type",
] as const
/** The day around the moment. */
const aroundHours = 24

type Columns = Readonly<Partial<Record<(typeof columns)[number], unknown>>>
interface Candidate {
  id: string
  lat: number | null
  lng: number | null
  startTime: number
  endTime: number
  row: Columns
}

/**
 * The tasks of a moment's day as they were then, within the hubs that the caller has: the rows as they are, with every
 * change since taken back. `maxTasks` bounds what is read.
 */
export async function tasksAt(
  sql: Sql,
  caller: Caller,
  { at, hubIds, maxTasks }: { at: Temporal.Instant; hubIds: readonly string[] | undefined; maxTasks: number },
): Promise<{ tasks: TaskAt[]; isPart: boolean }> {
  const [from, to] = [at.subtract({ hours: aroundHours }), at.add({ hours: aroundHours })]
  const left = await objectsThatLeft(sql, caller.organizationId, at, maxTasks)
  const candidates = await sql<Candidate[]>`
    select id, lat, lng, (extract(epoch from start_time) * 1000)::float8 as start_time,
      (extract(epoch from end_time) * 1000)::float8 as end_time, jsonb_build_object('title', title, 'hub_id', hub_id,
      'status', status, 'assignee', assignee, 'order_index', order_index, 'task_type', task_type) as row
    from tasks where organization_id = ${caller.organizationId}
      and (id = any (${left}) or (start_time <= ${to} and end_time >= ${from}
        ${hubIds ? sql`and hub_id = any (${[...hubIds]})` : sql``}))
    order by start_time, id limit ${maxTasks + 1}`
  const found = new Map(candidates.slice(0, maxTasks).map((candidate) => [candidate.id, candidate]))
  const ids = [...new Set([...found.keys(), ...left])]
  const earlier = await earlierRows(sql, caller.organizationId, "task", ids, columns, at)
  const tasks = ids.flatMap((id) => {
    const [now, before] = [found.get(id), earlier.get(id)]
    if (before?.isNew || (!now && !before)) return []
    const row = { ...now?.row, ...before?.before }
    // Neither there now nor deleted since: it is beyond the limit.
    const [startTime, endTime] = [
      timeOf(row.start_time) ?? now?.startTime,
      timeOf(row.end_time) ?? now?.endTime,
    ]
    if (row.status === undefined || startTime === undefined || endTime === undefined) return []
    if (startTime > to.epochMilliseconds || endTime < from.epochMilliseconds) return []
    const task = toTask(id, row, { startTime, endTime, lat: now?.lat ?? null, lng: now?.lng ?? null })
    return isShown(task, row, caller, hubIds) ? [task] : []
  })
  return { tasks, isPart: candidates.length > maxTasks || left.length >= maxTasks }
}

/** Texts are parsed for changed tasks alone: an object for each time of thousands costs more than the statement. */
const timeOf = (text: unknown) => (typeof text === "string" ? Date.parse(text) : undefined)

function toTask(
  id: string,
  row: Columns,
  known: Pick<TaskAt, "startTime" | "endTime" | "lat" | "lng">,
): TaskAt {
  return {
    id,
    title: typeof row.title === "string" ? row.title : null,
    hubId: String(row.hub_id),
    status: String(row.status),
    assignee: Array.isArray(row.assignee) ? row.assignee.map(String) : [],
    orderIndex: typeof row.order_index === "number" ? row.order_index : null,
    ...known,
  }
}

function isShown(task: TaskAt, row: Columns, caller: Caller, hubIds: readonly string[] | undefined): boolean {
  if (row.task_type !== undefined && row.task_type !== "task") return false
  if (!hasHub(caller, task.hubId) || (hubIds && !hubIds.includes(task.hubId))) return false
  return !caller.permissions.has("view/task/only-me") || task.assignee.includes(caller.email)
}
