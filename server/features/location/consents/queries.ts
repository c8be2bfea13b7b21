import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"

export interface DecisionRow {
  isGiven: boolean
  decidedTime: Temporal.Instant
}

export async function latestDecision(sql: Sql, caller: Caller): Promise<DecisionRow | undefined> {
  const rows = await sql<DecisionRow[]>`
    select is_given, decided_time from position_consents
    where organization_id = ${caller.organizationId} and user_id = ${caller.userId}
    order by decided_time desc, id desc limit 1`
  return rows[0]
}

export async function insertDecision(
  sql: Sql,
  caller: Caller,
  isGiven: boolean,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into position_consents (organization_id, id, user_id, is_given, decided_time)
    values (${caller.organizationId}, ${newId(now.epochMilliseconds)}, ${caller.userId}, ${isGiven}, ${now})`
}
