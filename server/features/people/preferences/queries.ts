import type { Caller } from "#core/access/caller.ts"
import { json, type Sql, type Tx } from "#core/database/database.ts"
import { preferenceErrors } from "./errors.ts"

type Owner = Pick<Caller, "organizationId" | "userId">

/** Everything that a person has set, by name. */
export async function readPreferences(
  sql: Sql,
  { organizationId, userId }: Owner,
): Promise<Record<string, unknown>> {
  const rows = await sql<{ name: string; value: unknown }[]>`
    select name, value from user_preferences where organization_id = ${organizationId} and user_id = ${userId}
    order by name`
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

const maxCharacters = 16_000
const maxPreferences = 50

export async function writePreference(
  tx: Tx,
  { organizationId, userId }: Owner,
  name: string,
  value: Record<string, unknown>,
): Promise<void> {
  if (JSON.stringify(value).length > maxCharacters) throw preferenceErrors.tooLarge()
  const written = await tx`
    insert into user_preferences (organization_id, user_id, name, value)
    select ${organizationId}, ${userId}, ${name}, ${json(tx, value)}
    where (select count(*) from user_preferences
      where organization_id = ${organizationId} and user_id = ${userId} and name <> ${name}) < ${maxPreferences}
    on conflict (organization_id, user_id, name) do update set value = excluded.value, updated_time = now()
    returning 1`
  if (written.length === 0) throw preferenceErrors.tooMany()
}
