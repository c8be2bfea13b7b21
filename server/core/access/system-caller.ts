import type { Id } from "../ids.ts"
import { permissionNames, switchPermissions } from "../permissions.ts"
import type { Caller } from "./caller.ts"

const everything = new Set(permissionNames.filter((name) => !switchPermissions.has(name)))

/**
 * Who acts when nobody calls, as a schedule that makes its tasks: everything is allowed, in all hubs of one
 * organization. What is written is signed with the author's e-mail and name. There is no session and no
 * member behind it, so the ids of user, role and token are empty: only for operations that do not use them.
 */
export function systemCaller(
  organizationId: Id<"organization">,
  author: { readonly email: string; readonly name: string },
): Caller {
  return {
    organizationId,
    organizationNumber: 0,
    userNumber: 0,
    userId: "" as Id<"user">,
    accountId: "" as Id<"account">,
    tokenId: "" as Id<"token">,
    tokenKind: "session",
    tokenName: null,
    tokenScopes: null,
    signedInAt: 0,
    signIn: "password",
    hasSecondFactor: false,
    email: author.email,
    name: author.name,
    roleId: "" as Id<"role">,
    roleName: "system",
    isDefaultRole: true,
    isOwner: true,
    permissions: everything,
    permissionDetails: [],
    hubs: "all",
    teamIds: [],
    timeZone: "UTC",
    language: "en",
  }
}
