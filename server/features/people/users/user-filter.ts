import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { listFilterCondition } from "#core/row-filter.ts"
import { userErrors } from "./errors.ts"

/** The filter that people build, as a condition on `users`. */
export function builtCondition(sql: Sql, caller: Caller, text: string, now: Temporal.Instant): Fragment {
  const idsIn = (table: "user_hubs" | "user_teams", column: "hub_id" | "team_id") => ({
    kind: "texts" as const,
    value: sql`array(select ${sql(column)} from ${sql(table)} of_user
      where of_user.organization_id = users.organization_id and of_user.user_id = users.id)`,
  })
  return listFilterCondition(text, {
    sql,
    now,
    timeZone: caller.timeZone,
    refuse: (message) => userErrors.badFilter({ message, fields: { filter: [message] } }),
    fields: {
      name: { kind: "text", value: sql`users.name` },
      email: { kind: "text", value: sql`users.email` },
      phoneNumber: { kind: "text", value: sql`users.phone_number` },
      status: { kind: "text", value: sql`users.status` },
      roleId: { kind: "text", value: sql`users.role_id` },
      hubId: idsIn("user_hubs", "hub_id"),
      teamId: idsIn("user_teams", "team_id"),
      lastLogin: { kind: "time", value: sql`users.last_login` },
      createdTime: { kind: "time", value: sql`users.created_time` },
    },
  })
}
