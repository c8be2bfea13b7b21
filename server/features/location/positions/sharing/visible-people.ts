import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { inCallersTeams } from "../../../people/users/index.ts"
import { seesOthers, tenantOf } from "../store/people.ts"

/** The part of a caller that decides whom they see; a device has it too. */
export type Sight = Pick<
  Caller,
  "organizationId" | "organizationNumber" | "userId" | "userNumber" | "permissions" | "hubs" | "teamIds"
>

/** Numbers of the people whose positions a caller may see; "all" spares the test. */
export type VisiblePeople = "all" | ReadonlySet<number>

/**
 * Everybody sees themselves. With view/tracking: people of one's hubs, and people who are in no hub, for somebody in
 * teams only those whom teams let them see as users; owners, who have every hub, see all. Roles that only see their own
 * work only see themselves.
 */
export async function visiblePeople(sql: Sql, caller: Sight): Promise<VisiblePeople> {
  if (!seesOthers(caller)) return new Set([caller.userNumber])
  if (caller.hubs === "all") return "all"
  const tenant = tenantOf(caller)
  const rows = await sql<{ number: number }[]>`
    select number from users where organization_id = ${tenant.organizationId} and ${isInSight(sql, caller)}`
  return new Set(rows.map((row) => row.number))
}

/** The same as a condition on `users`. */
export function isInSight(sql: Sql, caller: Sight): Fragment {
  if (!seesOthers(caller)) return sql`users.id = ${caller.userId}`
  if (caller.hubs === "all") return sql`true`
  return sql`${inCallersTeams(sql, caller)} and (users.id = ${caller.userId}
    or exists (select from user_hubs h where h.organization_id = users.organization_id and h.user_id = users.id
      and h.hub_id = any (${[...caller.hubs]}))
    or not exists (select from user_hubs h where h.organization_id = users.organization_id and h.user_id = users.id))`
}

export function isVisible(people: VisiblePeople, personNumber: number): boolean {
  return people === "all" || people.has(personNumber)
}
