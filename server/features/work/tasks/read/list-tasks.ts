import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import { afterPlace, cutPage, type Place, pageAfter, placeColumns } from "#core/cursor-paging.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import type { Direction, PageOptions } from "#core/paging.ts"
import { readInSlices } from "#core/read-in-slices.ts"
import { taskErrors } from "../errors.ts"
import { hubAndOrganization, taskColumns } from "../queries.ts"
import type { TaskRow } from "../wire.ts"
import { type Audience, audienceOf, audienceOfFilter, inAudience, tasksOfAudience } from "./audience.ts"
import { countTasks, type TaskCounts } from "./count-tasks.ts"
import { resolveFilter } from "./filter-names.ts"
import { type TaskConditions, type TaskFilter, taskConditions } from "./list-query.ts"
import { cursorOrder, readTaskCursor } from "./task-cursor.ts"
import { hasIndex, indexedOrder, sortExpression, type TaskOrder } from "./task-order.ts"

/** Up to here any order is allowed and all matches are looked at; above, an index must give the order. */
const widestSort = 20_000

/** Everything that a list's statements need, read once. */
interface Search {
  caller: Caller
  /** Leads the statements that look at all matches. */
  audience: Audience | undefined
  conditions: TaskConditions
  /** Nothing but hub, status and flow decides, which every order's index has. */
  isOfIndexColumns: boolean
  /** Nothing but words, hub, status, flow and type decides: what the words find is little, and all is looked at. */
  isLedByWords: boolean
}

interface Options {
  order: TaskOrder
  page: PageOptions
}

/** A page of tasks with the exact totals of the whole filter. */
export async function listTasks(
  sql: Sql,
  caller: Caller,
  filter: TaskFilter,
  options: Options & { now: Temporal.Instant },
): Promise<{ rows: TaskRow[]; counts: TaskCounts }> {
  const search = await prepare(sql, caller, filter, options.now)
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

async function prepare(sql: Sql, caller: Caller, filter: TaskFilter, now: Temporal.Instant): Promise<Search> {
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
  if (!seen || !named) return { caller, conditions, audience, isOfIndexColumns, isLedByWords }
  const where = sql`${conditions.where} and ${inAudience(sql, seen)}`
  return {
    caller,
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
): Promise<TaskRow[]> {
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
): Promise<TaskRow[]> {
  if (!matchesAreFew(search, filter, order, total))
    return readIds(sql, search, pageOfOrder(sql, search, range), range.size)
  if (search.isOfIndexColumns && hasIndex(order.sortBy)) {
    const near = await readIds(sql, search, pageNearby(sql, search, range, nearbyEntries), range.size)
    if (near.length === range.size) return near
  }
  return readIds(sql, search, pageOfMatches(sql, search, range), range.size)
}

/** The tasks of a page whose ids and positions a statement gives. */
function readIds(sql: Sql, search: Search, page: Fragment, expectedRows: number): Promise<TaskRow[]> {
  const query = sql<TaskRow[]>`
    select ${taskColumns(sql)}, ${hubAndOrganization(sql)} from (${page}) page
    join tasks on tasks.organization_id = ${search.caller.organizationId} and tasks.id = page.id
    order by page.position`.reusePlan()
  return readInSlices(query, expectedRows)
}

interface Range {
  sortBy: string
  direction: Direction
  size: number
  skip: number
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
function readNearby(sql: Sql, search: Search, { order, page }: Options): Promise<TaskRow[]> | TaskRow[] {
  if (!hasIndex(order.sortBy) || page.offset + page.limit > nearbyPage) return []
  const range = { ...order, size: page.limit, skip: page.offset }
  return readIds(sql, search, pageNearby(sql, search, range, nearbyRows), range.size)
}

/** The ids of a page, as far as it is within the first entries of the order: often it is, and nothing else is read. */
function pageNearby(
  sql: Sql,
  search: Search,
  { sortBy, direction, size, skip }: Range,
  entries: number,
): Fragment {
  const way = direction === "desc" ? sql`desc` : sql`asc`
  const column = sortExpression(sql, search.caller.organizationId, sortBy)
  const columns = search.isOfIndexColumns ? sql`organization_id, id, hub_id, status, flow_id` : sql`*`
  return sql`
    select id, row_number() over () as position from (
      select id from (
        select ${columns}, ${column} as sorted_by from tasks
        where organization_id = ${search.caller.organizationId}
        order by ${column} ${way}, id ${way} limit ${literal(sql, entries)}
      ) tasks
      where ${visible(sql, search)}
      order by sorted_by ${way}, id ${way} limit ${size} offset ${skip}) ordered`
}

/** The ids of a page, from all matches. They are no more than `widestSort`; the limit keeps them from being walked. */
function pageOfMatches(sql: Sql, search: Search, { sortBy, direction, size, skip }: Range): Fragment {
  const way = direction === "desc" ? sql`desc` : sql`asc`
  return sql`
    select id, row_number() over () as position from (
      select id from (
        select id, ${sortExpression(sql, search.caller.organizationId, sortBy)} as sorted_by
        from ${tasksOfAudience(sql, search.caller.organizationId, search.audience)} where ${visible(sql, search)}
          and ${search.conditions.words ?? sql`true`}
        limit ${literal(sql, widestSort + 1)}
      ) matches
      order by sorted_by ${way}, id ${way} limit ${size} offset ${skip}) ordered`
}

/** The ids of a page, by walking the index that gives the order. Only its own columns are needed to skip rows. */
function pageOfOrder(sql: Sql, search: Search, { sortBy, direction, size, skip }: Range): Fragment {
  const way = direction === "desc" ? sql`desc` : sql`asc`
  const column = sortExpression(sql, search.caller.organizationId, sortBy)
  const leads = search.audience?.emails.length === 1
  const source = leads ? tasksOfAudience(sql, search.caller.organizationId, search.audience) : sql`tasks`
  const people = leads ? sql`true` : inAudience(sql, search.audience)
  return sql`
    select id, row_number() over () as position from (
      select * from (
        select id from ${source} where ${visible(sql, search)} and ${people}
        order by ${column} ${way}, id ${way} limit ${literal(sql, powerOfTwo(skip + size))}
      ) walked limit ${size} offset ${skip}) ordered`
}

/** In the text of the statement, where a reused plan counts on it: a parameter counts as a tenth of all rows. */
function literal(sql: Sql, count: number): Fragment {
  return sql.unsafe(String(count))
}

/** Rounded up, so that pages of all sizes share a few statements. */
function powerOfTwo(count: number): number {
  return Math.max(32, 2 ** Math.ceil(Math.log2(count)))
}

function visible(sql: Sql, { caller, conditions }: Search): Fragment {
  return sql`tasks.organization_id = ${caller.organizationId}
    and ${inCallersHubs(sql, caller, sql`tasks.hub_id`)} and ${conditions.where}`
}

/** Cursor mode: the tasks after one that the caller has, in the same order. */
export async function listTasksAfter(
  sql: Sql,
  caller: Caller,
  filter: TaskFilter,
  options: { order: TaskOrder; limit: number; cursor: string | undefined; now: Temporal.Instant },
): Promise<{ rows: TaskRow[]; nextCursor: string | null; counts: TaskCounts }> {
  const order = cursorOrder(sql, caller, options.order)
  const place =
    options.cursor === undefined ? undefined : await readTaskCursor(sql, caller, order, options.cursor)
  const search = await prepare(sql, caller, filter, options.now)
  const counts = await countTasks(sql, caller, search.conditions, search.audience)
  if (!indexedOrder(options.order.sortBy) && counts.total > widestSort) throw taskErrors.sortTooWide()
  const rows = await sql<(TaskRow & Place)[]>`
    select tasks.*, ${hubAndOrganization(sql)} from (
      select ${taskColumns(sql)}, ${placeColumns(sql, order)} from ${tasksOfAudience(sql, caller.organizationId, search.audience)}
      where ${visible(sql, search)}
        ${place ? sql`and ${afterPlace(sql, order, place)}` : sql``}
      ${pageAfter(sql, order, options.limit)}
    ) tasks`
  return { ...cutPage(rows, order, options.limit), counts }
}
