import { json, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { insertDefaultRoles } from "../../people/roles/index.ts"
import { insertDefaultFlows } from "../../work/flows/index.ts"
import { countryLanguage } from "./countries.ts"

export interface NewOrganization {
  name: string
  status?: "pending" | "verified"
  countryCode?: string | null
  language?: string
  timeZone?: string
  currency?: string
  configuration?: Record<string, unknown>
  profile?: Record<string, unknown>
  /** Which default flows it starts with: all, or those named. */
  flows?: readonly string[]
  owner: { accountId: Id<"account">; email: string; name: string; phoneNumber?: string | null }
}

export interface CreatedOrganization {
  organizationId: Id<"organization">
  ownerId: Id<"user">
  ownerRoleId: Id<"role">
}

const defaultConfiguration = { filesServerProvider: "milesto", filesAccessPermission: "private" }

/** An organization with its four default roles, its default flows and its first owner. */
export async function createOrganization(tx: Tx, options: NewOrganization): Promise<CreatedOrganization> {
  const organizationId = newId<"organization">()
  const language = options.language ?? countryLanguage(options.countryCode ?? null)
  await tx`
    insert into organizations (id, name, status, verified_time, profile, country_code, language, time_zone, currency, configuration)
    values (${organizationId}, ${options.name}, ${options.status ?? "verified"}, ${options.status === "pending" ? null : tx`now()`},
      ${json(tx, { name: options.owner.name, email: options.owner.email, ...options.profile })}, ${options.countryCode ?? null},
      ${language}, ${options.timeZone ?? "UTC"}, ${options.currency ?? "USD"}, ${json(tx, options.configuration ?? defaultConfiguration)})`
  const roles = await insertDefaultRoles(tx, organizationId)
  const ownerId = newId<"user">()
  await tx`
    insert into users (organization_id, id, account_id, email, name, phone_number, language, status, role_id, is_first_owner)
    values (${organizationId}, ${ownerId}, ${options.owner.accountId}, ${options.owner.email}, ${options.owner.name},
      ${options.owner.phoneNumber ?? null}, ${language}, ${options.status === "pending" ? "inactive" : "active"}, ${roles.owner}, true)`
  await insertDefaultFlows(tx, { organizationId, createdBy: options.owner.email }, options.flows)
  return { organizationId, ownerId, ownerRoleId: roles.owner }
}
