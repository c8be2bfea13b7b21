import type { Id } from "#core/ids.ts"
import { effectivePermissions } from "#core/permissions.ts"
import { orNull, toT1 } from "#shared/wire-time.ts"
import { type OrganizationRow, toWireOrganization } from "../organizations/index.ts"
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
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

/** The user as writes answer it: without role and organization. */
export function toWireUser(row: UserRow, role: Pick<RoleRow, "name" | "isDefault" | "permissionNames">) {
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
    isFieldUser: isFieldUser(role) ? 1 : 0,
    activationCode: null,
    personalToken: null,
    isDeleted: false,
    createdTime: toT1(row.createdTime),
    updatedTime: toT1(row.updatedTime),
  }
}

/** A field user does tasks and edits none: that is what tells a phone's user from a planner. */
export function isFieldUser(role: Pick<RoleRow, "name" | "isDefault" | "permissionNames">): boolean {
  const granted = effectivePermissions(role)
  return granted.has("do/task") && !granted.has("edit/task")
}

/** The user as single reads and sign-in answer it, with everything about role and organization. */
export function toWireFullUser(row: UserRow, role: RoleRow, organization: OrganizationRow) {
  return {
    ...toWireUser(row, role),
    role: toWireRole(role, { withPermissions: true }),
    organization: toWireOrganization(organization),
    firstLogin: row.firstLogin,
    passwordExpired: false,
  }
}

/** The user as lists answer it: the role without its permissions, the organization in short. */
export function toWireListedUser(
  row: UserRow,
  role: RoleRow,
  organization: { id: Id<"organization">; name: string },
) {
  return {
    ...toWireUser(row, role),
    role: toWireRole(role),
    organization: { _id: organization.id, name: organization.name },
    firstLogin: row.firstLogin,
    passwordExpired: false,
  }
}
