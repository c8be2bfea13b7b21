import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query"
import type { TaskStatus } from "#shared/task-status.ts"
import { valueText } from "#shared/values.ts"
import { api, responseOf } from "../../../api/client.ts"
import type { operations } from "../../../api/schema.d.ts"
import { dataOf, type RequestBody, server } from "../../../api/server.ts"
import { dayBound } from "../../../i18n/day-bounds.ts"
import { type RowPage, windowRows } from "../../../ui/tables/list-window.ts"
import type { TaskSearch } from "./list/task-search.ts"

type TaskQuery = NonNullable<operations["listTasks"]["parameters"]["query"]>

/** A task in a list: the fields that the list requested. */
export interface ListedTask {
  _id: string
  title: string | null
  content: string | null
  label: string | null
  status: TaskStatus
  flow: string
  flowId: string
  hubId: string
  assignee: string[]
  startTime: string
  endTime: string
  createdTime: string
  updatedTime: string
  doneTime?: string
  doneBy?: string
  refId?: string
  expectedCoordinate?: string
  /** What came of the work. On flows that have components with these ids, those components' values. */
  outcome?: unknown
  outcomeReason?: unknown
  isLate?: unknown
  needsReview?: unknown
  /** When the worker is expected at an open stop of the day. */
  estimatedArrival?: unknown
  estimatedArrivalWindow?: unknown
  priority?: unknown
  tags?: unknown
}

export type Task = ListedTask & { histories?: TaskHistory[] } & Record<string, unknown>

/**
 * A task as a page shows it: `Shown` names the fields that the call requested. The API sends headings in the form of their
 * values, such as the list of a select; people read them as text.
 */
export function withHeadingText<Shown>(task: Readonly<Record<string, unknown>>): Shown {
  const shown: Record<string, unknown> = { ...task }
  for (const heading of ["title", "content", "label"])
    if (heading in shown) shown[heading] = valueText(shown[heading])
  // A flow may have no title, or an empty one; the task has a name in lists all the same.
  if ("title" in shown) shown.title ||= shown.flow ?? null
  return shown as Shown
}

export function withHeadingTexts<Shown>(tasks: readonly Readonly<Record<string, unknown>>[]): Shown[] {
  return tasks.map(withHeadingText<Shown>)
}

interface TaskHistory {
  _id: string
  action: string
  notes: string
  details?: unknown
  createdAt: string
}

const listedFields =
  "title,content,label,status,flow,flowId,hubId,assignee,startTime,endTime,createdTime,updatedTime,doneTime,doneBy,refId,expectedCoordinate,outcome,outcomeReason,isLate,needsReview,priority,tags,estimatedArrival,estimatedArrivalWindow"

/** The filter as the API takes it. A range of dates means whole days in the organization's zone. */
export function toTaskQuery(filters: TaskSearch, hub: string | undefined, timeZone: string): TaskQuery {
  const timeBy = filters.from || filters.to ? (filters.timeBy ?? "startTime") : undefined
  return {
    ...(hub ? { hubId: hub } : {}),
    ...(filters.status ? { status: filters.status } : {}),
    ...outcomeQuery(filters.outcome),
    ...(filters.priority ? { priority: filters.priority } : {}),
    ...(filters.tags ? { tags: filters.tags } : {}),
    ...(filters.flowId ? { flowId: filters.flowId } : {}),
    ...(filters.assignee ? { assignee: filters.assignee } : {}),
    ...(filters.q ? { q: filters.q } : {}),
    ...(filters.filter ? { filter: JSON.stringify(filters.filter) } : {}),
    ...(timeBy ? { timeBy } : {}),
    ...(timeBy && filters.from ? { timeFrom: dayBound(filters.from, "from", timeZone) } : {}),
    ...(timeBy && filters.to ? { timeTo: dayBound(filters.to, "to", timeZone) } : {}),
  }
}

function outcomeQuery(outcome: TaskSearch["outcome"]): TaskQuery {
  if (outcome === undefined) return {}
  if (outcome === "late") return { isLate: true }
  return outcome === "toReview" ? { needsReview: true } : { outcome }
}

export function taskPageQuery(
  query: TaskQuery,
  page: number,
  order: { sortBy: string; sortOrder: "asc" | "desc" },
  /** Ids of components that the list shows too. */
  extra: readonly string[] = [],
) {
  const fields = [listedFields, ...extra].join(",")
  const options: TaskQuery = { ...query, ...order, page, limit: windowRows, fields }
  return {
    queryKey: ["tasks", "page", options],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<RowPage<ListedTask>> => {
      const { tasks } = await server.get("/api/v3/tasks", { query: options, signal })
      return { rows: withHeadingTexts<ListedTask>(tasks.data), total: tasks.total ?? 0 }
    },
  }
}

/** The tasks of the pages that lists have read, by id. */
export function listedTasks(client: QueryClient): ReadonlyMap<string, ListedTask> {
  const pages = client.getQueriesData<RowPage<ListedTask>>({ queryKey: ["tasks", "page"] })
  return new Map(pages.flatMap(([, page]) => page?.rows.map((task) => [task._id, task] as const) ?? []))
}

/** Groups of the matching tasks, and sums of the numbers of components. */
export function taskSummaryQuery(query: TaskQuery, groupBy: string | undefined, sums: readonly string[]) {
  const options = {
    ...query,
    ...(groupBy ? { groupBy } : {}),
    ...(sums.length > 0 ? { sums: sums.join(",") } : {}),
  }
  return queryOptions({
    queryKey: ["tasks", "summary", options],
    queryFn: ({ signal }) => dataOf(server.get("/api/v3/tasks-summary", { query: options, signal })),
    placeholderData: keepPreviousData,
  })
}

/** Most tasks that one map takes in, and that the API returns in one response. */
export const maxAtOnce = 10_000
/** Most tasks that one selection of everything takes in. */
export const maxSelected = 100_000

/** What a map needs of every matching task. */
export function taskPlacesQuery(query: TaskQuery) {
  const options: TaskQuery = {
    ...query,
    limit: maxAtOnce,
    fields: "title,flow,status,expectedCoordinate,assignee",
  }
  return queryOptions({
    queryKey: ["tasks", "places", options],
    queryFn: async ({ signal }) => {
      const { tasks } = await server.get("/api/v3/tasks", { query: options, signal })
      return { tasks: withHeadingTexts<ListedTask>(tasks.data), total: tasks.total ?? 0 }
    },
    placeholderData: keepPreviousData,
  })
}

/** Most tasks that a calendar takes in at once. */
export const maxInCalendar = 2_000

/** The tasks of some days, earliest first. */
export function calendarTasksQuery(query: TaskQuery) {
  const options: TaskQuery = {
    ...query,
    sortBy: "startTime",
    sortOrder: "asc",
    limit: maxInCalendar,
    fields: "title,flow,status,startTime,endTime,assignee",
  }
  return queryOptions({
    queryKey: ["tasks", "calendar", options],
    queryFn: async ({ signal }) => {
      const { tasks } = await server.get("/api/v3/tasks", { query: options, signal })
      return { tasks: withHeadingTexts<ListedTask>(tasks.data), total: tasks.total ?? 0 }
    },
    placeholderData: keepPreviousData,
  })
}

/** Ids of every task that matches, up to the most that are selected. */
export async function matchingTaskIds(query: TaskQuery): Promise<string[]> {
  const found = new Set<string>()
  for (let page = 1; page <= maxSelected / maxAtOnce; page += 1) {
    // By creation time, which never changes: a list sorted by a changing field would move meanwhile.
    const order = { sortBy: "createdTime", sortOrder: "asc" as const }
    const options = { ...query, ...order, page, limit: maxAtOnce, fields: "_id" }
    const { tasks } = await server.get("/api/v3/tasks", { query: options })
    for (const { _id } of tasks.data) found.add(_id)
    if (tasks.data.length < maxAtOnce) break
  }
  return [...found]
}

export function taskCountQuery(query: TaskQuery) {
  const options = { ...query, limit: 1, fields: "_id" }
  return queryOptions({
    queryKey: ["tasks", "count", options],
    queryFn: async ({ signal }) => {
      const { tasks } = await server.get("/api/v3/tasks", { query: options, signal })
      return tasks.total ?? 0
    },
  })
}

export function taskQuery(taskId: string) {
  return queryOptions({
    queryKey: ["task", taskId],
    queryFn: async ({ signal }) => {
      const answer = await server.get("/api/v3/task/{taskId}", { taskId, signal })
      return withHeadingText<Task>(answer.task)
    },
  })
}

/** A task with its ETag, so that a concurrent modification is not overwritten. */
export function taskToEditQuery(taskId: string) {
  return queryOptions({
    queryKey: ["task", taskId, "edit"],
    queryFn: async ({ signal }) => {
      const call = api.GET("/api/v3/task/{taskId}", { params: { path: { taskId } }, signal })
      const { task } = await responseOf(call)
      return {
        task: withHeadingText<Task>(task),
        etag: (await call).response.headers.get("etag") ?? undefined,
      }
    },
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
}

export const createTask = (body: RequestBody<"createTask">) => server.post("/api/v3/task", { body })

/** Refused with 412 when the task changed since its mark was read. */
export function saveTask(taskId: string, body: Record<string, unknown>, etag: string | undefined) {
  const headers = etag ? { "If-Match": etag } : {}
  return server.patch("/api/v3/task/{taskId}", { taskId, body, headers })
}
