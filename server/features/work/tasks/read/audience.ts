import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { TaskFilter } from "./list-query.ts"

/** Whose tasks a list is about, where people decide: tasks that have one of them, and perhaps nobody's. */
export interface Audience {
  emails: readonly string[]
  withUnassigned: boolean
}

/** What the caller sees because of people: "only me", or the members that share a team with them or have none. */
export async function audienceOf(sql: Sql, caller: Caller): Promise<Audience | undefined> {
  if (caller.permissions.has("view/task/only-me")) return { emails: [caller.email], withUnassigned: false }
  if (caller.isOwner || caller.teamIds.length === 0) return undefined
  const mates = await sql<{ email: string }[]>`
    select users.email from users
    where users.organization_id = ${caller.organizationId} and (
      not exists (select from user_teams t where t.organization_id = users.organization_id and t.user_id = users.id)
      or exists (select from user_teams t where t.organization_id = users.organization_id and t.user_id = users.id
        and t.team_id = any (${[...caller.teamIds]})))`
  return { emails: mates.map((mate) => mate.email), withUnassigned: true }
}

/** The people that a list's own filter names. */
export function audienceOfFilter(filter: TaskFilter): Audience | undefined {
  if (filter.assignee === undefined) return undefined
  return { emails: commaList(filter.assignee.toLowerCase()), withUnassigned: false }
}

/**
 * The tasks of an audience, to be in a query's FROM as `tasks`. Three parts without overlap, each with an
 * index of its own: by the first of the people, the few with several people, and nobody's. One condition
 * `assignee && …` instead reads every matching row from the table: 20,000 took 60 ms, this way 6 ms.
 */
export function tasksOfAudience(sql: Sql, organizationId: string, audience: Audience | undefined): Fragment {
  if (!audience) return sql`tasks`
  const parts = partsOfAudience(sql, audience).map(
    (part) => sql`select * from tasks where organization_id = ${organizationId} and ${part}`,
  )
  return sql`(${unionOf(sql, parts)}) tasks`
}

/** The conditions of the parts; nothing else is needed where each part is read in order. */
export function partsOfAudience(sql: Sql, { emails, withUnassigned }: Audience): Fragment[] {
  const people = [...emails]
  const first = people.length === 1 ? sql`= ${people[0] ?? ""}` : sql`= any (${people})`
  return [
    sql`first_assignee ${first}`,
    sql`cardinality(assignee) > 1 and assignee && ${people}::text[] and not (first_assignee = any (${people}))`,
    ...(withUnassigned ? [sql`first_assignee is null`] : []),
  ]
}

/** The rows of all of these queries, of which there is at least one. */
export function unionOf(sql: Sql, [first, ...others]: readonly Fragment[]): Fragment {
  return sql`${first ?? sql``} ${others.map((query) => sql`union all ${query}`)}`
}

/** The same as a condition on rows, for a second audience, or where another index leads. */
export function inAudience(sql: Sql, audience: Audience | undefined): Fragment {
  if (!audience) return sql`true`
  const theirs = sql`assignee && ${[...audience.emails]}::text[]`
  return audience.withUnassigned ? sql`(first_assignee is null or ${theirs})` : theirs
}
