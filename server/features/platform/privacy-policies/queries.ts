import type { Sql } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"

export interface PrivacyPolicyRow {
  id: Id<"privacy policy">
  organizationId: Id<"organization">
  description: string
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

export async function findPrivacyPolicy(
  sql: Sql,
  organizationId: string,
): Promise<PrivacyPolicyRow | undefined> {
  const rows = await sql<PrivacyPolicyRow[]>`
    select * from privacy_policies where organization_id = ${organizationId.toLowerCase()}`
  return rows[0]
}

export async function writePrivacyPolicy(
  sql: Sql,
  organizationId: string,
  description: string,
): Promise<PrivacyPolicyRow> {
  const rows = await sql<PrivacyPolicyRow[]>`
    insert into privacy_policies (organization_id, id, description)
    values (${organizationId}, ${newId()}, ${description})
    on conflict (organization_id) do update set description = excluded.description, updated_time = now()
    returning *`
  return rows[0] as PrivacyPolicyRow
}

export async function removePrivacyPolicy(
  sql: Sql,
  organizationId: string,
): Promise<PrivacyPolicyRow | undefined> {
  const rows = await sql<PrivacyPolicyRow[]>`
    delete from privacy_policies where organization_id = ${organizationId} returning *`
  return rows[0]
}
