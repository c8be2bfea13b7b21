import { server } from "../../../api/server.ts"
import type { Role } from "../users/users.queries.ts"

/** Permissions by name, as the server's catalogue has them; settings of single permissions stay as they are. */
export function saveRole(role: Role, permissions: readonly string[]) {
  const body = {
    name: role.name,
    permissionList: [...permissions],
    permissionDetails: role.permissionDetails,
    passwordPolicyId: role.passwordPolicyId,
  }
  return server.put("/api/v3/role/{roleId}", { roleId: role._id, body })
}

export const createRole = (name: string, permissions: readonly string[]) =>
  server.post("/api/v3/role", { body: { name, permissionList: [...permissions] } })

export const deleteRole = (roleId: string) => server.delete("/api/v3/role/{roleId}", { roleId })

export function grantedOf(role: Role): Set<string> {
  return new Set((role.permissions ?? []).filter((entry) => entry.access).map((entry) => entry.name))
}

/** Owner and administrator have everything by themselves. */
export function hasEverything(role: Role): boolean {
  return role.isDefault && (role.name === "owner" || role.name === "admin")
}

/** They restrict instead of allowing: the editor of a role need not hold them, and only owners remove them. */
export const switches: ReadonlySet<string> = new Set([
  "view/task/only-me",
  "view/checkincheckout",
  "security/otp-email",
  "single/login",
])

/** A permission of the role that the user lacks, which prevents changing the role. */
export function missingFor(role: Role, may: (permission: string) => boolean): string | undefined {
  return [...grantedOf(role)].find((name) => !switches.has(name) && !may(name))
}
