import type { Caller } from "#core/access/caller.ts"
import { afterPlace, cutPage, type Place, pageAfter, placeColumns } from "#core/cursor-paging.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import type { Direction, PageOptions } from "#core/paging.ts"
import { readInSlices } from "#core/read-in-slices.ts"
import { taskErrors } from "../errors.ts"
import { lastTaskChange, relatedColumns, taskColumns, timeOfLastChange } from "../queries.ts"
import type { TaskRow } from "../wire.ts"
import { audienceOf, audienceOfFilter, inAudience, tasksOfAudience } from "./audience.ts"
import { countTasks, type TaskCounts, totals } from "./count-tasks.ts"
import { resolveFilter } from "./filter-names.ts"
import { type HistoryEntries, historyEntries } from "./histories.ts"
import { type TaskFilter, taskConditions } from "./list-query.ts"
import {
  pageNearby,
  pageOfMatches,
  pageOfOrder,
  type Range,
  type Search,
  visible,
  widestSort,
} from "./page-queries.ts"
import { cursorOrder, readTaskCursor } from "./task-cursor.ts"
import { hasIndex, indexedOrder, sortExpression, type TaskOrder } from "./task-order.ts"

interface Options {
  order: TaskOrder
  page: PageOptions
  withHistories: boolean
}

/** A task of a list; with its history where that was asked for. */
export type ListedTask = TaskRow & Partial<HistoryEntries>

export interface TaskPage {
  rows: ListedTask[]
  counts: TaskCounts
  /** When the organization's tasks last changed. */
  changed: Temporal.Instant | null
}

/** A page of tasks with the exact totals of the whole filter. */
export async function listTasks(
  sql: Sql,
  caller: Caller,
  filter: TaskFilter,
  options: Options & { now: Temporal.Instant },
): Promise<TaskPage> {
  const search = await prepare(sql, caller, filter, options)
  if (isFirstPage(search, options)) return readFirstPage(sql, search, options)
  const [page, changed] = await Promise.all([
    readAnyPage(sql, search, filter, options),
    lastTaskChange(sql, caller.organizationId),
  ])
  return { ...page, changed }
}

/** The page that most lists begin with. Whatever the totals are, the order is walked for it. */
function isFirstPage({ conditions, audience }: Search, { order, page }: Options): boolean {
  const isAmongFew = !audience || audience.emails.length === 1
  const isDefaultOrder = order.sortBy === "createdTime" && conditions.counts !== undefined
  return isDefaultOrder && isAmongFew && page.offset === 0 && page.limit <= nearbyPage
}

/**
 * Totals, rows and time of the last change in one statement: of a short list the way to the database and back is half of
 * its price. `offset 0` keeps the rows from being looked for where there are none.
 */
async function readFirstPage(sql: Sql, search: Search, { order, page }: Options): Promise<TaskPage> {
  const { caller, conditions, audience } = search
  const range = { ...order, size: page.limit, skip: 0 }
  const rows = await sql<(ListedTask & TaskCounts & { changed: Temporal.Instant | null })[]>`
    with counted as materialized (${totals(sql, caller, conditions, audience)})
    select counted.*, page.*,
      case when coalesce(page.position, 1) = 1 then ${timeOfLastChange(sql, caller.organizationId)} end as changed
    from counted left join lateral (
      select ${listedColumns(sql, search)}, page.position from (${pageOfOrder(sql, search, range)}) page
      join tasks on tasks.organization_id = ${caller.organizationId} and tasks.id = page.id
      where counted.total > 0 offset 0
    ) page on true
    order by page.position`.reusePlan()
  const { total = 0, doneTotal = 0, ongoingTotal = 0, changed = null } = rows[0] ?? {}
  const tasks = rows.filter(({ id }) => (id as string | null) !== null)
  return { rows: tasks, counts: { total, doneTotal, ongoingTotal }, changed }
}

async function readAnyPage(
  sql: Sql,
  search: Search,
  filter: TaskFilter,
  options: Options,
): Promise<Pick<TaskPage, "rows" | "counts">> {
  const { caller } = search
  const found = search.isLedByWords ? await countAndPageOfWords(sql, search, options) : undefined
  if (found)
    return { rows: await readIds(sql, search, idsInOrder(sql, found.ids), found.ids.length), counts: found }
  const [counts, near] = await Promise.all([
    countTasks(sql, caller, search.conditions, search.audience),
    filter.timeBy === undefined || search.audience ? [] : readNearby(sql, search, options),
  ])
  if (!indexedOrder(options.order.sortBy) && counts.total > widestSort) throw taskErrors.sortTooWide()
  const size = Math.min(options.page.limit, counts.total - options.page.offset)
  if (size > 0 && near.length === size) return { rows: near, counts }
  return { rows: await readPageOfTasks(sql, search, filter, options, counts.total), counts }
}

/** Everything that the statements about a filter need. */
export async function prepare(
  sql: Sql,
  caller: Caller,
  filter: TaskFilter,
  { now, withHistories }: { now: Temporal.Instant; withHistories: boolean },
): Promise<Search> {
  const [seen, named] = [await audienceOf(sql, caller), audienceOfFilter(filter)]
  const { assignee: _people, ...others } = await resolveFilter(sql, caller, filter)
  const conditions = taskConditions(sql, caller, others, now)
  const hasFlowIds = filter.flow === undefined || others.flowIdsOfNames !== undefined
  const audience = named ?? seen
  const isOfIndexColumns =
    conditions.counts !== undefined && !audience && hasFlowIds && filter.taskType === undefined
  const { q: _words, ...besidesWords } = others
  const isLedByWords =
    conditions.words !== undefined &&
    !audience &&
    taskConditions(sql, caller, besidesWords, now).counts !== undefined
  if (!seen || !named) return { caller, withHistories, conditions, audience, isOfIndexColumns, isLedByWords }
  const where = sql`${conditions.where} and ${inAudience(sql, seen)}`
  return {
    caller,
    withHistories,
    audience: named,
    isOfIndexColumns,
    isLedByWords,
    conditions: { ...conditions, where, counts: undefined },
  }
}

/**
 * Totals and page of what words find, by looking at each match once: the matches lie all over the table, and
 * visiting them is nearly the whole price. 2,000 of 1,000,000 took 26 ms with two statements and an index by
 * organization and trigram, 6 ms this way. Undefined when there are more than a sort takes. `offset 0` keeps the
 * planner from joining that index with another one that holds all tasks of the organization.
 */
async function countAndPageOfWords(
  sql: Sql,
  search: Search,
  { order, page }: Options,
): Promise<(TaskCounts & { ids: string[] }) | undefined> {
  const way = order.direction === "desc" ? sql`desc` : sql`asc`
  const rows = await sql<(TaskCounts & { ids: string[] })[]>`
    with matches as materialized (
      select id, status, ${sortExpression(sql, search.caller.organizationId, order.sortBy)} as sorted_by
      from (
        select * from tasks where organization_id = ${search.caller.organizationId} and ${search.conditions.words ?? sql`true`}
        offset 0
      ) tasks
      where ${visible(sql, search)} limit ${widestSort + 1}
    )
    select count(*) as total, count(*) filter (where status = 'DONE') as done_total,
      count(*) filter (where status = 'ONGOING') as ongoing_total,
      array(select id from matches order by sorted_by ${way}, id ${way} limit ${page.limit} offset ${page.offset}) as ids
    from matches`
  const [found] = rows
  return found && found.total <= widestSort ? found : undefined
}

function idsInOrder(sql: Sql, ids: readonly string[]): Fragment {
  return sql`select id, position from unnest(${ids as string[]}::text[]) with ordinality listed (id, position)`
}

/** A page near the end is read from the end: nobody waits for a million rows to be skipped. */
async function readPageOfTasks(
  sql: Sql,
  search: Search,
  filter: TaskFilter,
  options: Options,
  total: number,
): Promise<ListedTask[]> {
  const { limit, offset } = options.page
  if (offset >= total) return []
  const isFromEnd = offset > total / 2
  const size = Math.min(limit, total - offset)
  const skip = isFromEnd ? total - offset - size : offset
  const flipped: Direction = options.order.direction === "asc" ? "desc" : "asc"
  const direction = isFromEnd ? flipped : options.order.direction
  const range = { sortBy: options.order.sortBy, direction, size, skip }
  const rows = await readRange(sql, search, filter, options.order, range, total)
  return isFromEnd ? rows.toReversed() : rows
}

async function readRange(
  sql: Sql,
  search: Search,
  filter: TaskFilter,
  order: TaskOrder,
  range: Range,
  total: number,
): Promise<ListedTask[]> {
  if (!matchesAreFew(search, filter, order, total))
    return readIds(sql, search, pageOfOrder(sql, search, range), range.size)
  if (search.isOfIndexColumns && hasIndex(order.sortBy)) {
    const near = await readIds(sql, search, pageNearby(sql, search, range, nearbyEntries), range.size)
    if (near.length === range.size) return near
  }
  return readIds(sql, search, pageOfMatches(sql, search, range), range.size)
}

/** The tasks of a page whose ids and positions a statement gives. */
function readIds(sql: Sql, search: Search, page: Fragment, expectedRows: number): Promise<ListedTask[]> {
  const query = sql<ListedTask[]>`
    select ${listedColumns(sql, search)} from (${page}) page
    join tasks on tasks.organization_id = ${search.caller.organizationId} and tasks.id = page.id
    order by page.position`.reusePlan()
  return readInSlices(query, expectedRows)
}

function listedColumns(sql: Sql, { withHistories }: Pick<Search, "withHistories">): Fragment {
  const histories = withHistories ? sql`, ${historyEntries(sql)}` : sql``
  return sql`${taskColumns(sql)}, ${relatedColumns(sql)} ${histories}`
}

/**
 * Whether all matches are looked at and sorted, rather than the order walked until enough have matched. The
 * walk has no bound when the few matches all lie at its far end (open tasks, oldest first), and the planner
 * cannot know. Where an index gives filter and order together, it is walked.
 */
function matchesAreFew(search: Search, filter: TaskFilter, order: TaskOrder, total: number): boolean {
  if (total > widestSort) return false
  const isRangeOfOrder = filter.timeBy === order.sortBy && filter.timeFrom !== undefined
  const isDefaultOrder = order.sortBy === "createdTime" && search.conditions.counts !== undefined
  return !isRangeOfOrder && !isDefaultOrder
}

/** How many entries of an order's index are looked through for a page of few matches. */
const nearbyEntries = 10_000

/** The same where each entry's row must be read: a page of 20 is within reach of one match in a hundred. */
const nearbyRows = 2_000

/** Pages further on would rarely be within those rows. */
const nearbyPage = 200

/**
 * A first page while its matches are still being counted: as far as it lies within the first rows of the order. A
 * range of 20,000 of 1,000,000 by title took 26 ms after its count of 5 ms; this way it is there before the count.
 */
function readNearby(
  sql: Sql,
  search: Search,
  { order, page }: Options,
): Promise<ListedTask[]> | ListedTask[] {
  if (!hasIndex(order.sortBy) || page.offset + page.limit > nearbyPage) return []
  const range = { ...order, size: page.limit, skip: page.offset }
  return readIds(sql, search, pageNearby(sql, search, range, nearbyRows), range.size)
}

/** Cursor mode: the tasks after one that the caller has, in the same order. */
export async function listTasksAfter(
  sql: Sql,
  caller: Caller,
  filter: TaskFilter,
  options: {
    order: TaskOrder
    limit: number
    cursor: string | undefined
    now: Temporal.Instant
    withHistories: boolean
  },
): Promise<TaskPage & { nextCursor: string | null }> {
  const order = cursorOrder(sql, caller, options.order)
  const place =
    options.cursor === undefined ? undefined : await readTaskCursor(sql, caller, order, options.cursor)
  const search = await prepare(sql, caller, filter, options)
  const [counts, changed] = await Promise.all([
    countTasks(sql, caller, search.conditions, search.audience),
    lastTaskChange(sql, caller.organizationId),
  ])
  if (!indexedOrder(options.order.sortBy) && counts.total > widestSort) throw taskErrors.sortTooWide()
  const rows = await sql<(ListedTask & Place)[]>`
    select tasks.*, ${relatedColumns(sql)} ${options.withHistories ? sql`, ${historyEntries(sql)}` : sql``} from (
      select ${taskColumns(sql)}, ${placeColumns(sql, order)} from ${tasksOfAudience(sql, caller.organizationId, search.audience)}
      where ${visible(sql, search)}
        ${place ? sql`and ${afterPlace(sql, order, place)}` : sql``}
      ${pageAfter(sql, order, options.limit)}
    ) tasks`
  return { ...cutPage(rows, order, options.limit), counts, changed }
}
