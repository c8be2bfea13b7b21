import { type RowFilter, rowFilterOf } from "#shared/row-filter.ts"
import { taskOutcomes } from "#shared/task-outcomes.ts"
import { type TaskPriority, taskPriorities } from "#shared/task-priorities.ts"
import { isTaskStatus, type TaskStatus } from "#shared/task-status.ts"

/** What the task list shows, as encoded in the address, so that a link shows the same. */
export interface TaskSearch {
  view?: TaskView
  status?: TaskStatus
  outcome?: OutcomeFilter
  priority?: TaskPriority
  /** Tags with commas between them, of which one must match. */
  tags?: string
  flowId?: string
  /** An e-mail. */
  assignee?: string
  q?: string
  /** Conditions over any field. */
  filter?: RowFilter
  timeBy?: "createdTime" | "startTime" | "doneTime"
  /** Calendar dates, both included. */
  from?: string
  to?: string
  sort?: TaskSort
  order?: "asc"
  /** What the rows of the table are grouped by: a field of tasks or the id of a component. */
  group?: string
  /** What the calendar shows: a date, and whether it is the day alone. */
  day?: string
  span?: "day"
  /** The task whose panel is open. */
  task?: string
  /** The form for a new task is open. */
  create?: true
}

export const taskViews = ["map", "board", "calendar", "gallery"] as const
/** Another look at the list than the table. */
export type TaskView = (typeof taskViews)[number]

/** A field of tasks or the id of a component. */
export type TaskSort = string
const sortPattern = /^[\w.-]{1,100}$/

/** An outcome, or what else is noteworthy of finished work. */
export const outcomeFilters = [...taskOutcomes, "late", "toReview"] as const
type OutcomeFilter = (typeof outcomeFilters)[number]

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const timeKinds = ["createdTime", "startTime", "doneTime"] as const

/** Reads the address; invalid values are ignored. */
export function readTaskSearch(search: Record<string, unknown>): TaskSearch {
  const text = (name: string) =>
    typeof search[name] === "string" && search[name] !== "" ? search[name] : undefined
  const id = (name: string) => (/^[0-9a-f]{24}$/.test(text(name) ?? "") ? text(name) : undefined)
  const date = (name: string) => (datePattern.test(text(name) ?? "") ? text(name) : undefined)
  const status = text("status")
  const view = taskViews.find((name) => name === search.view)
  const sort = sortPattern.test(text("sort") ?? "") ? text("sort") : undefined
  const timeBy = timeKinds.find((name) => name === search.timeBy)
  return drop({
    view,
    status: status && isTaskStatus(status) ? status : undefined,
    outcome: outcomeFilters.find((name) => name === search.outcome),
    priority: taskPriorities.find((name) => name === search.priority),
    tags: text("tags"),
    flowId: id("flowId"),
    assignee: text("assignee"),
    q: search.q === undefined ? undefined : String(search.q).slice(0, 200) || undefined,
    filter: rowFilterOf(search.filter),
    timeBy,
    from: date("from"),
    to: date("to"),
    sort,
    order: search.order === "asc" ? "asc" : undefined,
    group: sortPattern.test(text("group") ?? "") ? text("group") : undefined,
    day: date("day"),
    span: search.span === "day" ? "day" : undefined,
    task: id("task"),
    create: search.create === true ? true : undefined,
  })
}

type Optional<T> = { [Key in keyof T]: T[Key] | undefined }

function drop(search: Optional<Required<TaskSearch>>): TaskSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as TaskSearch
}
