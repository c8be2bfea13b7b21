import { actsAsOwner, type Caller } from "#core/access/caller.ts"
import { isOwnerRole } from "#core/permissions.ts"
import { mayAssignRole, mayEditHolders, type RoleRow } from "../roles/index.ts"
import { userErrors } from "./errors.ts"
import type { UserRow } from "./wire.ts"

/** Refuses a role that this caller may not give: owner by non-owners, and roles that hold what they lack. */
export function checkGivenRole(caller: Caller, role: RoleRow): void {
  if (isOwnerRole(role) && !actsAsOwner(caller)) throw userErrors.ownerNeeded()
  if (!actsAsOwner(caller) && !mayAssignRole(caller, role)) throw userErrors.roleTooStrong()
}

export interface RequestedChange {
  role: RoleRow | undefined
  status: string | undefined
  /** Whether the address changes that the person signs in with. */
  changesEmail: boolean
}

/**
 * Who may change whom: owners only by owners, nobody their own place, the first owner stays. Role, status and address
 * of a person are changed only by somebody who holds everything that the person's role holds.
 */
export function checkChange(caller: Caller, target: UserRow, role: RoleRow, options: RequestedChange): void {
  const isSelf = target.id === caller.userId
  const isOwner = isOwnerRole(role)
  if (isOwner && !isSelf && !actsAsOwner(caller)) throw userErrors.ownerNeeded()
  const changesRole = options.role !== undefined && options.role.id !== target.roleId
  const changesStatus = options.status !== undefined && options.status !== target.status
  const decides = changesRole || changesStatus || options.changesEmail
  const isAllowed = decides ? mayAssignRole(caller, role) : mayEditHolders(caller, role)
  if (!isSelf && !actsAsOwner(caller) && !isAllowed) throw userErrors.roleTooStrong()
  if (!changesRole && !changesStatus) return
  if (isSelf) throw userErrors.ownMembership()
  if (target.isFirstOwner && (changesRole || options.status === "disabled")) throw userErrors.firstOwner()
  if (options.role && changesRole) checkGivenRole(caller, options.role)
  if (changesStatus && !["active", "disabled"].includes(target.status)) throw userErrors.badState()
}

export function checkDeletion(caller: Caller, target: UserRow, role: RoleRow): void {
  if (target.id === caller.userId) throw userErrors.ownMembership()
  if (target.isFirstOwner) throw userErrors.firstOwner()
  if (isOwnerRole(role) && !actsAsOwner(caller)) throw userErrors.ownerNeeded()
  if (!actsAsOwner(caller) && !mayAssignRole(caller, role)) throw userErrors.roleTooStrong()
}

export const isPhone = (text: string) => /^\+?[0-9][0-9 ().-]{2,30}$/.test(text)

/** International form, as people write it: a plus, digits, and spaces, dashes or brackets between. */
export function readPhone(phone: string | null | undefined): string | null | undefined {
  if (phone === null || phone === undefined) return phone
  const text = phone.trim()
  if (text === "") return null
  if (!isPhone(text)) throw userErrors.badPhone({ fields: { phoneNumber: ["must be a phone number"] } })
  return text
}
