import { type Caller, hasEverythingButSwitches, type PermissionDetail } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import {
  effectivePermissions,
  guardedPermissions,
  type Permission,
  permissionNameOf,
  switchPermissions,
} from "#core/permissions.ts"
import { findPolicy } from "../password-policies/index.ts"
import { customPermissionOf, listCustomPermissions } from "./custom-permissions.ts"
import { roleErrors } from "./errors.ts"
import type { RoleRow } from "./wire.ts"

/** Names of the requested permissions, given by id or name. Refuses what neither the catalogue nor a custom module has. */
export async function readPermissions(
  sql: Sql,
  organizationId: string,
  list: readonly string[],
): Promise<Permission[]> {
  const unknown = list.some((idOrName) => permissionNameOf(idOrName) === undefined)
  const custom = unknown ? await listCustomPermissions(sql, organizationId) : []
  const names = list.map((idOrName) => {
    const name = permissionNameOf(idOrName) ?? customPermissionOf(idOrName, custom)
    if (name) return name
    const message = `The permission ${idOrName} does not exist`
    throw roleErrors.unknownPermission({ message, fields: { permissionList: [message] } })
  })
  return [...new Set(names)]
}

/** A flow of the caller's organization, which the permission to add tasks may be limited to. */
export type FindFlow = (sql: Sql, caller: Caller, flowId: string) => Promise<object | undefined>

/** What writing a role needs besides the caller. */
export interface RoleContext {
  address: string
  findFlow: FindFlow
}

const trackingNumbers = ["interval", "checkinRadius", "checkoutRadius", "accuracy", "minDistance"] as const

/** Checks and tidies the settings of permissions: flows of add/task exist, numbers of start and finish are sane. */
export async function readDetails(
  sql: Sql,
  caller: Caller,
  details: readonly PermissionDetail[],
  findFlow: FindFlow,
): Promise<PermissionDetail[]> {
  const read = new Map<string, PermissionDetail>()
  for (const detail of details) {
    if (detail.permissionName === "add/task")
      read.set(detail.permissionName, await readFlows(sql, caller, detail, findFlow))
    else if (detail.permissionName === "view/checkincheckout")
      read.set(detail.permissionName, readTracking(detail))
    else read.set(detail.permissionName, detail)
  }
  return [...read.values()]
}

async function readFlows(
  sql: Sql,
  caller: Caller,
  detail: PermissionDetail,
  findFlow: FindFlow,
): Promise<PermissionDetail> {
  const { items } = detail
  if (items === null || items === undefined) return { permissionName: "add/task", items: null }
  const ids = Array.isArray(items) ? items.map(String) : [String(items)]
  for (const id of ids) {
    const flow = /^[0-9a-f]{24}$/i.test(id) ? await findFlow(sql, caller, id) : undefined
    if (!flow) throw roleErrors.badFlow({ message: `The flow ${id} of add/task does not exist` })
  }
  return { permissionName: "add/task", items: ids.map((id) => id.toLowerCase()) }
}

/** What a phone does by a profile, minutes between positions and metres of movement, unless the role says numbers. */
const trackingProfiles: Record<string, { interval: number; minDistance: number }> = {
  "Power Saving": { interval: 10, minDistance: 10 },
  Balance: { interval: 3, minDistance: 20 },
  "High Accuracy": { interval: 1, minDistance: 10 },
}

function readTracking(detail: PermissionDetail): PermissionDetail {
  const read: PermissionDetail = { permissionName: detail.permissionName, profile: "Balance" }
  const requested: PermissionDetail = { ...trackingProfiles[String(detail.profile)], ...detail }
  for (const name of trackingNumbers) {
    const value = requested[name]
    if (value === undefined || value === null || value === "") {
      read[name] = null
      continue
    }
    const number = Number(value)
    if (!Number.isFinite(number) || number < 0)
      throw roleErrors.badDetail({ message: `${name} must be 0 or more` })
    read[name] = number
  }
  if (typeof detail.profile === "string" && detail.profile !== "") read.profile = detail.profile
  return read
}

export async function checkPolicy(sql: Sql, caller: Caller, policyId: string | null): Promise<void> {
  if (policyId !== null && !(await findPolicy(sql, caller.organizationId, policyId)))
    throw roleErrors.unknownPolicy()
}

/** What decides whether somebody may grant a role or change it. */
export interface Grant {
  permissions: ReadonlySet<Permission>
  permissionDetails: readonly PermissionDetail[]
}

export function grantOf(
  role: Pick<RoleRow, "name" | "isDefault" | "permissionNames" | "permissionDetails">,
): Grant {
  return { permissions: effectivePermissions(role), permissionDetails: role.permissionDetails }
}

/**
 * Whether the caller holds everything that is granted, and may therefore grant or change it. Switches restrict instead
 * of allowing, so they need not be held; but people who only see their own tasks grant no wider view of them, and
 * people who only create tasks of certain flows grant no others.
 */
export function holds(caller: Caller, { permissions, permissionDetails }: Grant): boolean {
  if (hasEverythingButSwitches(caller)) return true
  for (const name of permissions)
    if (!switchPermissions.has(name) && !caller.permissions.has(name)) return false
  const onlyMine = "view/task/only-me"
  if (caller.permissions.has(onlyMine) && permissions.has("view/task") && !permissions.has(onlyMine))
    return false
  const own = flowsOf(caller.permissionDetails)
  if (own === undefined || !permissions.has("add/task")) return true
  const granted = flowsOf(permissionDetails)
  return granted?.every((flowId) => own.includes(flowId)) ?? false
}

/** The flows that add/task is limited to; undefined: all. */
function flowsOf(details: readonly PermissionDetail[]): readonly unknown[] | undefined {
  const items = details.find(({ permissionName }) => permissionName === "add/task")?.items
  return Array.isArray(items) ? items : undefined
}

/** Whether the caller may put somebody into this role, apart from the rules about owners. */
export function mayAssignRole(caller: Caller, role: RoleRow): boolean {
  return holds(caller, grantOf(role))
}

/** Whether the caller may edit people of this role: it manages nothing that the caller's own role does not. */
export function mayEditHolders(caller: Caller, role: RoleRow): boolean {
  if (hasEverythingButSwitches(caller)) return true
  return [...effectivePermissions(role)].every(
    (name) => !guardedPermissions.has(name) || caller.permissions.has(name),
  )
}
