import type { Caller } from "#core/access/caller.ts"
import { json, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { Direction, PageOptions } from "#core/paging.ts"
import { reseal, type Sealing } from "#core/security/sealing.ts"
import { integrationErrors } from "./errors.ts"
import type { Provisioning } from "./provisioning.ts"
import type { IntegrationType } from "./schemas.ts"

export interface IntegrationRow {
  id: Id<"app-integration">
  organizationId: Id<"organization">
  integrationType: IntegrationType
  name: string | null
  emailDomains: string[]
  authUrl: string | null
  certificateKey: string | null
  issuerUrl: string | null
  clientId: string | null
  clientSecret: Buffer | null
  trustEmail: boolean
  provisioning: Provisioning | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}
export type IntegrationWrite = Omit<
  IntegrationRow,
  "id" | "organizationId" | "provisioning" | "createdTime" | "updatedTime"
>

export function integrationColumns(sql: Sql) {
  return sql`app_integrations.id, app_integrations.organization_id, app_integrations.integration_type, app_integrations.name,
    app_integrations.email_domains, app_integrations.auth_url, app_integrations.certificate_key, app_integrations.issuer_url,
    app_integrations.client_id, app_integrations.client_secret, app_integrations.trust_email, app_integrations.provisioning,
    app_integrations.created_time, app_integrations.updated_time`
}

export function listIntegrations(
  sql: Sql,
  caller: Caller,
  filter: { integrationType?: string; direction: Direction },
  page: PageOptions,
): Promise<Listed<IntegrationRow>> {
  const where = sql`organization_id = ${caller.organizationId}
    ${filter.integrationType === undefined ? sql`` : sql`and integration_type = ${filter.integrationType}`}`
  const direction = filter.direction === "asc" ? sql`asc` : sql`desc`
  return listRows<IntegrationRow>(sql, page, {
    columns: integrationColumns(sql),
    from: sql`from app_integrations where ${where}`,
    order: sql`created_time ${direction}, id ${direction}`,
  })
}

export async function findIntegration(sql: Sql, caller: Caller, id: string): Promise<IntegrationRow> {
  const [row] = await sql<IntegrationRow[]>`
    select ${integrationColumns(sql)} from app_integrations
    where organization_id = ${caller.organizationId} and id = ${id.toLowerCase()}`
  if (!row) throw integrationErrors.notFound()
  return row
}

export async function insertIntegration(
  tx: Tx,
  caller: Caller,
  write: IntegrationWrite,
  id: Id<"app-integration"> = newId(),
): Promise<IntegrationRow> {
  await tx`
    insert into app_integrations (organization_id, id, integration_type, name, email_domains, auth_url, certificate_key,
      issuer_url, client_id, client_secret, trust_email)
    values (${caller.organizationId}, ${id}, ${write.integrationType}, ${write.name}, ${write.emailDomains}::text[],
      ${write.authUrl}, ${write.certificateKey}, ${write.issuerUrl}, ${write.clientId}, ${write.clientSecret},
      ${write.trustEmail})`
  return findIntegration(tx, caller, id)
}

export async function updateIntegration(
  tx: Tx,
  caller: Caller,
  id: string,
  write: IntegrationWrite,
): Promise<IntegrationRow> {
  await tx`
    update app_integrations set name = ${write.name}, email_domains = ${write.emailDomains}::text[],
      auth_url = ${write.authUrl}, certificate_key = ${write.certificateKey}, issuer_url = ${write.issuerUrl},
      client_id = ${write.clientId}, client_secret = ${write.clientSecret}, trust_email = ${write.trustEmail},
      updated_time = now()
    where organization_id = ${caller.organizationId} and id = ${id}`
  return findIntegration(tx, caller, id)
}

export async function writeProvisioning(
  tx: Tx,
  caller: Caller,
  id: string,
  provisioning: Provisioning | null,
): Promise<IntegrationRow> {
  await tx`
    update app_integrations set provisioning = ${provisioning && json(tx, provisioning)}, updated_time = now()
    where organization_id = ${caller.organizationId} and id = ${id}`
  return findIntegration(tx, caller, id)
}

/** Domains of the list in which nobody of the organization has a confirmed address. */
export async function unprovenDomains(
  sql: Sql,
  caller: Caller,
  domains: readonly string[],
): Promise<string[]> {
  if (domains.length === 0) return []
  const rows = await sql<{ domain: string }[]>`
    select domain from unnest(${[...domains]}::text[]) as wanted (domain)
    where not exists (
      select 1 from users join accounts on accounts.id = users.account_id
      where users.organization_id = ${caller.organizationId} and users.status = 'active'
        and accounts.email_verified_time is not null and split_part(users.email, '@', 2) = domain)`
  return rows.map((row) => row.domain)
}

export async function removeIntegration(
  sql: Sql,
  { organizationId }: Pick<Caller, "organizationId">,
  integrationId: string,
): Promise<void> {
  await sql`delete from app_integrations where organization_id = ${organizationId} and id = ${integrationId}`
}

/** Reseals client secrets that are under an older key. Runs at every start; returns how many it changed. */
export async function sealStoredIntegrations(sealing: Sealing): Promise<number> {
  const { sql } = sealing
  const rows = await sql<{ organizationId: string; id: string; clientSecret: Buffer }[]>`
    select organization_id, id, client_secret from app_integrations where client_secret is not null`
  let count = 0
  for (const { organizationId, id, clientSecret } of rows) {
    const sealed = await reseal(sealing, secretPurpose(id), clientSecret)
    if (!sealed) continue
    await sql`
      update app_integrations set client_secret = ${sealed}
      where organization_id = ${organizationId} and id = ${id} and client_secret = ${clientSecret}`
    count += 1
  }
  return count
}

/** What a client secret is sealed for. */
export const secretPurpose = (integrationId: string) => `app-integration:${integrationId}`
