import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import type { Direction } from "#core/paging.ts"
import { type Audience, inAudience, partsOfAudience, tasksOfAudience, unionOf } from "./audience.ts"
import type { TaskConditions } from "./list-query.ts"
import { sortExpression } from "./task-order.ts"

/** Up to here any order is allowed and all matches are looked at; above, an index must give the order. */
export const widestSort = 20_000

/** Everything that a list's statements need, read once. */
export interface Search {
  caller: Caller
  /** Whether the rows come with their newest history entries. */
  withHistories: boolean
  /** Leads the statements that look at all matches. */
  audience: Audience | undefined
  conditions: TaskConditions
  /** Nothing but hub, status and flow decides, which every order's index has. */
  isOfIndexColumns: boolean
  /** Nothing but words, hub, status, flow and type decides: what the words find is little, and all is looked at. */
  isLedByWords: boolean
}

export interface Range {
  sortBy: string
  direction: Direction
  size: number
  skip: number
}

/** The ids of a page, as far as it is within the first entries of the order: often it is, and nothing else is read. */
export function pageNearby(
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
export function pageOfMatches(sql: Sql, search: Search, { sortBy, direction, size, skip }: Range): Fragment {
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

/**
 * The ids of a page, by walking the index that gives the order. Only its own columns are needed to skip rows. Of one
 * person's tasks each part is walked by itself: together they would all be sorted.
 */
export function pageOfOrder(sql: Sql, search: Search, { sortBy, direction, size, skip }: Range): Fragment {
  const way = direction === "desc" ? sql`desc` : sql`asc`
  const column = sortExpression(sql, search.caller.organizationId, sortBy)
  const entries = literal(sql, powerOfTwo(skip + size))
  const { audience } = search
  const walk = (people: Fragment) => sql`(
    select id, ${column} as sorted_by from tasks where ${visible(sql, search)} and ${people}
    order by ${column} ${way}, id ${way} limit ${entries})`
  const walked =
    audience?.emails.length === 1
      ? sql`
        select id from (${unionOf(sql, partsOfAudience(sql, audience).map(walk))}) parts
        order by sorted_by ${way}, id ${way} limit ${entries}`
      : walk(inAudience(sql, audience))
  return sql`
    select id, row_number() over () as position from (
      select id from (${walked}) walked limit ${size} offset ${skip}) ordered`
}

/** In the text of the statement, where a reused plan counts on it: a parameter counts as a tenth of all rows. */
function literal(sql: Sql, count: number): Fragment {
  return sql.unsafe(String(count))
}

/** Rounded up, so that pages of all sizes share a few statements. */
function powerOfTwo(count: number): number {
  return Math.max(32, 2 ** Math.ceil(Math.log2(count)))
}

export function visible(sql: Sql, { caller, conditions }: Search): Fragment {
  return sql`tasks.organization_id = ${caller.organizationId}
    and ${inCallersHubs(sql, caller, sql`tasks.hub_id`)} and ${conditions.where}`
}
