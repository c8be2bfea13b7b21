import { type Fragment, json, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import type { OrganizationRow } from "./wire.ts"

export async function findOrganization(sql: Sql, organizationId: string): Promise<OrganizationRow> {
  const rows = await sql<OrganizationRow[]>`
    select id, number, name, status, verified_time, profile, country_code, currency, time_zone, language,
      configuration, created_time, updated_time
    from organizations where id = ${organizationId}`
  if (!rows[0]) throw new Error("The organization of a caller no longer exists")
  return rows[0]
}

/** The ids of the next organizations after `last`, in their order: for jobs that go through all of them. */
export async function nextOrganizationIds(sql: Sql, last: string, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from organizations where id > ${last} order by id limit ${limit}`
  return rows.map(({ id }) => id)
}

export async function hasOrganization(sql: Sql): Promise<boolean> {
  const rows = await sql`select 1 from organizations limit 1`
  return rows.length > 0
}

export interface OrganizationSettings {
  name: string
  status: "pending" | "verified"
  countryCode: string | null
  language: string
  timeZone?: string | undefined
  currency?: string | undefined
  configuration?: Record<string, unknown> | undefined
  profile: Record<string, unknown>
}

const defaultConfiguration = { filesServerProvider: "milesto", filesAccessPermission: "private" }

export async function insertOrganization(
  tx: Tx,
  { name, status, countryCode, language, timeZone, currency, configuration, profile }: OrganizationSettings,
): Promise<Id<"organization">> {
  const id = newId<"organization">()
  await tx`
    insert into organizations (id, name, status, verified_time, profile, country_code, language, time_zone, currency, configuration)
    values (${id}, ${name}, ${status}, ${status === "pending" ? null : tx`now()`}, ${json(tx, profile)}, ${countryCode},
      ${language}, ${timeZone ?? "UTC"}, ${currency ?? "USD"}, ${json(tx, configuration ?? defaultConfiguration)})`
  return id
}

/** It runs the installation: what concerns all organizations, such as published versions, is its to write. */
export async function makeOperator(tx: Tx, organizationId: string): Promise<void> {
  await tx`insert into installation (operator_organization_id) values (${organizationId}) on conflict do nothing`
}

/** Whether an organization is the first one, which runs the installation. */
export async function isOperatorOrganization(sql: Sql, organizationId: string): Promise<boolean> {
  const rows = await sql`select 1 from installation where operator_organization_id = ${organizationId}`
  return rows.length > 0
}

/** Whether the organization opens its files to everybody who has their address. */
export async function areFilesPublic(sql: Sql, organizationId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from organizations
    where id = ${organizationId} and configuration->>'filesAccessPermission' = 'public'`
  return rows.length > 0
}

export interface VerifiedOrganization {
  name: string
  country: string | null
  language: string
  timeZone: string
  profile: object
}

/** Writes what the owner chose on setting up, and opens the organization. */
export async function verifyOrganization(tx: Tx, id: string, chosen: VerifiedOrganization): Promise<void> {
  await tx`
    update organizations set name = ${chosen.name}, country_code = ${chosen.country}, language = ${chosen.language},
      time_zone = ${chosen.timeZone}, status = 'verified', verified_time = now(), profile = ${json(tx, chosen.profile)},
      updated_time = now()
    where id = ${id}`
}

/** Removes an organization that nobody confirmed. */
export async function removePending(tx: Tx, id: string): Promise<void> {
  await tx`delete from organizations where id = ${id} and status = 'pending'`
}

/** The time zone of hubs that have none of their own. */
export async function timeZoneOf(sql: Sql, organizationId: string): Promise<string> {
  const rows = await sql<
    { timeZone: string }[]
  >`select time_zone from organizations where id = ${organizationId}`
  return rows[0]?.timeZone ?? "UTC"
}

/** The country of an organization, to read beside its other rows. */
export function organizationCountry(sql: Sql, organizationId: Fragment): Fragment {
  return sql`(select country.country_code from organizations country where country.id = ${organizationId})`
}
