import type { Sql } from "#core/database/database.ts"
import type { OrganizationRow } from "./wire.ts"

export async function findOrganization(sql: Sql, organizationId: string): Promise<OrganizationRow> {
  const rows = await sql<OrganizationRow[]>`
    select id, number, name, status, verified_time, profile, country_code, currency, time_zone, language,
      configuration, created_time, updated_time
    from organizations where id = ${organizationId}`
  if (!rows[0]) throw new Error("The organization of a caller no longer exists")
  return rows[0]
}

/** Whether an organization is the first one, which runs the installation. */
export async function isOperatorOrganization(sql: Sql, organizationId: string): Promise<boolean> {
  const rows = await sql`select 1 from installation where operator_organization_id = ${organizationId}`
  return rows.length > 0
}
