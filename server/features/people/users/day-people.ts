import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { findWorkerRoles } from "../roles/index.ts"
import { visibleUsers } from "./queries.ts"

/** A person who can be given work. */
export interface DayPerson {
  id: Id<"user">
  email: string
  name: string
  hubIds: string[]
  /** Owners have every hub. */
  isOwner: boolean
}

export interface DayPeopleOptions {
  hubId: string | undefined
  emails: readonly string[]
  /** Nobody besides the people with these e-mails. */
  onlyThese: boolean
  limit: number
}

/**
 * The people with these e-mails, and everybody whose role is to do tasks, in the caller's hubs or in one of them: those with
 * these e-mails first.
 */
export async function findDayPeople(
  sql: Sql,
  caller: Caller,
  { hubId, emails, onlyThese, limit }: DayPeopleOptions,
): Promise<{ people: DayPerson[]; total: number }> {
  const hubs = hubId === undefined ? caller.hubs : [hubId.toLowerCase()]
  const inHubs =
    hubs === "all"
      ? sql`true`
      : sql`exists (select from user_hubs h where h.organization_id = users.organization_id
          and h.user_id = users.id and h.hub_id = any (${hubs as string[]}))`
  const roles = await findWorkerRoles(sql, caller)
  const isWorker = sql`users.role_id = any (${roles.workers})`
  const hasEmail = sql`users.email = any (${emails as string[]})`
  const rows = await sql<(DayPerson & { total: number })[]>`
    select users.id, users.email, users.name,
      array(select hub_id from user_hubs h where h.organization_id = users.organization_id and h.user_id = users.id) as hub_ids,
      users.role_id = any (${roles.owners}) as is_owner, count(*) over () as total
    from users
    where ${visibleUsers(sql, caller)} and users.status in ('active', 'pending')
      and (${hasEmail} ${onlyThese ? sql`` : sql`or (${isWorker} and ${inHubs})`})
    order by ${hasEmail} desc, lower(users.name), users.id limit ${limit}`
  return { people: rows, total: rows[0]?.total ?? 0 }
}
