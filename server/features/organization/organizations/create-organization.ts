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
export async function createOrganization(tx: Tx, wish: NewOrganization): Promise<CreatedOrganization> {
  const organizationId = newId<"organization">()
  const language = wish.language ?? countryLanguage(wish.countryCode ?? null)
  await tx`
    insert into organizations (id, name, status, verified_time, profile, country_code, language, time_zone, currency, configuration)
    values (${organizationId}, ${wish.name}, ${wish.status ?? "verified"}, ${wish.status === "pending" ? null : tx`now()`},
      ${json(tx, { name: wish.owner.name, email: wish.owner.email, ...wish.profile })}, ${wish.countryCode ?? null},
      ${language}, ${wish.timeZone ?? "UTC"}, ${wish.currency ?? "USD"}, ${json(tx, wish.configuration ?? defaultConfiguration)})`
  const roles = await insertDefaultRoles(tx, organizationId)
  const ownerId = newId<"user">()
  await tx`
    insert into users (organization_id, id, account_id, email, name, phone_number, language, status, role_id, is_first_owner)
    values (${organizationId}, ${ownerId}, ${wish.owner.accountId}, ${wish.owner.email}, ${wish.owner.name},
      ${wish.owner.phoneNumber ?? null}, ${language}, ${wish.status === "pending" ? "inactive" : "active"}, ${roles.owner}, true)`
  await insertDefaultFlows(tx, { organizationId, createdBy: wish.owner.email }, wish.flows)
  return { organizationId, ownerId, ownerRoleId: roles.owner }
}
