import { type AuditedObject, type Earlier, eachById, toBody } from "#core/audit-trail/audited-object.ts"
import type { Sql } from "#core/database/database.ts"
import { visibleUsers } from "./queries.ts"

const places = { hub_id: "hubId", team_id: "teamId" } as const

export const auditedUser: AuditedObject = {
  type: "user",
  viewPermission: "view/user",
  trashType: "User",
  isVisible: (sql, caller, id) =>
    sql`exists (select from users where ${visibleUsers(sql, caller)} and users.id = ${id})`,
  undo: {
    table: "users",
    revert: (users, { sql, caller }) =>
      Promise.all(
        users.map(async (user) => {
          const { hub_id: _hub, team_id: _team, ...columns } = user.before
          const body = { ...toBody(columns), ...(await placesBefore(sql, caller.organizationId, user)) }
          return { method: "PATCH" as const, path: `/user/${user.id}`, body, ids: [user.id] }
        }),
      ),
    remove: (ids) =>
      eachById(
        ids.map((id) => ({ id })),
        ({ id }) => ({ method: "DELETE", path: `/user/${id}` }),
      ),
  },
}

/** The hubs and teams that somebody had, where they changed: those of now without what came, with what went. */
async function placesBefore(
  sql: Sql,
  organizationId: string,
  { id, parts }: Earlier,
): Promise<Record<string, string[]>> {
  const current = await sql<{ hubIds: string[]; teamIds: string[] }[]>`
    select
      array(select hub_id from user_hubs where organization_id = ${organizationId} and user_id = ${id}) as hub_ids,
      array(select team_id from user_teams where organization_id = ${organizationId} and user_id = ${id}) as team_ids`
  const had = { hub_id: new Set(current[0]?.hubIds), team_id: new Set(current[0]?.teamIds) }
  const body: Record<string, string[]> = {}
  for (const [column, name] of Object.entries(places) as [keyof typeof places, string][]) {
    const changes = parts.filter(({ before, after }) => column in (before ?? {}) || column in (after ?? {}))
    for (const { before, after } of changes.toReversed()) {
      if (after) had[column].delete(String(after[column]))
      if (before) had[column].add(String(before[column]))
    }
    if (changes.length > 0) body[name] = [...had[column]]
  }
  return body
}
