import type { Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { countryLanguage, insertOrganization } from "../../organization/organizations/index.ts"
import { insertDefaultRoles } from "../../people/roles/index.ts"
import { insertFirstOwner } from "../../people/users/index.ts"
import { insertDefaultFlows } from "../../work/flows/index.ts"

interface NewOrganization {
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

interface CreatedOrganization {
  organizationId: Id<"organization">
  ownerId: Id<"user">
  ownerRoleId: Id<"role">
}

/** An organization with its four default roles, its default flows and its first owner. */
export async function createOrganization(tx: Tx, options: NewOrganization): Promise<CreatedOrganization> {
  const { owner, countryCode = null, status = "verified" } = options
  const language = options.language ?? countryLanguage(countryCode)
  const profile = { name: owner.name, email: owner.email, ...options.profile }
  const organizationId = await insertOrganization(tx, { ...options, status, countryCode, language, profile })
  const { owner: ownerRoleId } = await insertDefaultRoles(tx, organizationId)
  const ownerStatus = status === "pending" ? "inactive" : "active"
  const membership = { organizationId, roleId: ownerRoleId, language, status: ownerStatus } as const
  const ownerId = await insertFirstOwner(tx, { ...owner, ...membership })
  await insertDefaultFlows(tx, { organizationId, createdBy: owner.email }, options.flows)
  return { organizationId, ownerId, ownerRoleId }
}
