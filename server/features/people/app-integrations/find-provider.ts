import type { Sql } from "#core/database/database.ts"
import { type IntegrationRow, integrationColumns } from "./queries.ts"

/**
 * What people may sign in with: of the directories (`azure`) of an organization the newest, as the wire has it,
 * and every provider of another type. Read without a caller: nobody is signed in yet.
 */
function usable(sql: Sql) {
  return sql`(app_integrations.integration_type <> 'azure' or not exists (
    select 1 from app_integrations newer
    where newer.organization_id = app_integrations.organization_id and newer.integration_type = 'azure'
      and (newer.created_time, newer.id) > (app_integrations.created_time, app_integrations.id)))`
}

export type Provider = IntegrationRow & { organizationName: string }

const maxOffered = 10

/** Providers that an organization, or the domain of an e-mail address, is offered. */
export function listProviders(
  sql: Sql,
  options: { organizationId: string } | { domain: string },
): Promise<Provider[]> {
  const where =
    "domain" in options
      ? sql`app_integrations.email_domains @> array[${options.domain}]`
      : sql`app_integrations.organization_id = ${options.organizationId}`
  return sql<Provider[]>`
    select ${integrationColumns(sql)}, organizations.name as organization_name
    from app_integrations join organizations on organizations.id = app_integrations.organization_id
    where ${where} and ${usable(sql)}
    order by organizations.name, app_integrations.created_time, app_integrations.id limit ${maxOffered}`
}

export async function findProvider(sql: Sql, integrationId: string): Promise<IntegrationRow | undefined> {
  const rows = await sql<IntegrationRow[]>`
    select ${integrationColumns(sql)} from app_integrations
    where id = ${integrationId.toLowerCase()} and ${usable(sql)}`
  return rows[0]
}

/** The directories that may speak for somebody: those of their organizations, and those that make them a member. */
export function listDirectoriesOf(sql: Sql, email: string): Promise<IntegrationRow[]> {
  const domain = email.slice(email.lastIndexOf("@") + 1)
  return sql<IntegrationRow[]>`
    select ${integrationColumns(sql)} from app_integrations
    left join users on users.organization_id = app_integrations.organization_id and users.email = ${email}
    where (users.id is not null or (app_integrations.email_domains @> array[${domain}]
        and app_integrations.provisioning @> '{"createsMembers": true}'))
      and app_integrations.integration_type = 'azure' and ${usable(sql)}
    order by users.status = 'active' desc nulls last, users.last_login desc nulls last, app_integrations.id limit ${maxOffered}`
}
