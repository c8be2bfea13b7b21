import type { Id } from "#core/ids.ts"
import { effectivePermissions } from "#core/permissions.ts"
import { orNull, toT1 } from "#shared/wire-time.ts"
import { type OrganizationRow, toWireOrganization } from "../../organization/organizations/index.ts"
import { defaultPolicy, expiryOf, type PolicySettings } from "../password-policies/index.ts"
import { type RoleRow, toWireRole } from "../roles/index.ts"

export interface UserRow {
  id: Id<"user">
  number: number
  organizationId: Id<"organization">
  accountId: Id<"account">
  name: string
  email: string
  phoneNumber: string | null
  avatar: string | null
  language: string
  provider: string
  status: string
  roleId: Id<"role">
  hubIds: Id<"hub">[]
  teamIds: Id<"team">[]
  isFirstOwner: boolean
  firstLogin: boolean
  lastLogin: Temporal.Instant | null
  onboardingStep: unknown[]
  dynamicVisitTime: unknown[]
  passwordChangedTime: Temporal.Instant | null
  /** Only while the account is locked. */
  lockedUntil: Temporal.Instant | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

/** The user in responses to writes: without role and organization. */
export function toWireUser(row: UserRow, role: Pick<RoleRow, "name" | "isDefault" | "permissionNames">) {
  return wireColumns(row, isFieldUser(role))
}

function wireColumns(row: UserRow, isField: boolean) {
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    phoneNumber: row.phoneNumber,
    avatar: row.avatar,
    language: row.language,
    provider: row.provider,
    status: row.status,
    roleId: row.roleId,
    hubId: row.hubIds,
    teamId: row.teamIds,
    organizationId: row.organizationId,
    lastLogin: orNull(row.lastLogin, toT1),
    onboardingStep: row.onboardingStep,
    dynamicVisitTime: row.dynamicVisitTime,
    isFieldUser: isField ? 1 : 0,
    activationCode: null,
    personalToken: null,
    isDeleted: false,
    createdTime: toT1(row.createdTime),
    updatedTime: toT1(row.updatedTime),
  }
}

/** A field user does tasks and edits none, which distinguishes field users from planners. */
export function isFieldUser(role: Pick<RoleRow, "name" | "isDefault" | "permissionNames">): boolean {
  const granted = effectivePermissions(role)
  return granted.has("do/task") && !granted.has("edit/task")
}

/** The user in single reads and sign-in, with complete role and organization. */
export function toWireFullUser(
  row: UserRow,
  role: RoleRow,
  organization: OrganizationRow,
  policy: PolicySettings = defaultPolicy,
) {
  return {
    ...toWireUser(row, role),
    role: toWireRole(role, { withPermissions: true }),
    organization: toWireOrganization(organization),
    ...signInFacts(row, policy),
  }
}

/** What lists show of the role and organization, made once for all their users. */
export interface ListedContext {
  role: ReturnType<typeof toWireRole>
  isFieldUser: boolean
  policy: PolicySettings
  organization: { _id: Id<"organization">; name: string } | ReturnType<typeof toWireOrganization>
}

/** The user in lists: the role without its permissions, the organization in short. */
export function toWireListedUser(
  row: UserRow,
  { role, isFieldUser: isField, policy, organization }: ListedContext,
) {
  return { ...wireColumns(row, isField), role, organization, ...signInFacts(row, policy) }
}

function signInFacts(row: UserRow, policy: PolicySettings) {
  return {
    firstLogin: row.firstLogin,
    passwordExpired: isExpired(row, policy),
    ...(row.lockedUntil ? { lockExpiry: toT1(row.lockedUntil) } : {}),
  }
}

function isExpired(row: UserRow, policy: PolicySettings): boolean {
  const expiry = row.passwordChangedTime && expiryOf(row.passwordChangedTime, policy)
  return expiry ? Temporal.Instant.compare(expiry, Temporal.Now.instant()) <= 0 : false
}
