import { createHash } from "node:crypto"

/**
 * Every permission of the product: wire name, module and menu as roles show them, and the label people read.
 * `switch` marks those that narrow or demand something instead of allowing it: nobody has them unless a
 * role turns them on, owners and administrators included.
 */
interface PermissionEntry {
  readonly module: string
  readonly menu: string
  readonly label: string
  readonly switch?: true
}

const field = (menu: string, label: string) => ({ module: "mileField", menu, label })
const route = (menu: string, label: string) => ({ module: "mileRoute", menu, label })
const setting = (menu: string, label: string) => ({ module: "mileSetting", menu, label })

export const permissionCatalogue = {
  "view/dashboard": { module: "dashboard", menu: "dashboard", label: "View dashboard" },
  "view/task": field("task", "View task"),
  "add/task": field("task", "Create task"),
  "edit/task": field("task", "Edit task"),
  "assign/task": field("task", "Assign/Unassign task"),
  "move/task": field("task", "Move task"),
  "export/task": field("task", "Export task"),
  "delete/task": field("task", "Delete task"),
  "do/task": field("task", "Do task"),
  "view/gallery": field("task", "View gallery"),
  "view/task/only-me": { ...field("task", "Show Only Me"), switch: true },
  "view/tracking": field("tracking", "View tracking"),
  "view/schedule": field("schedule", "View schedule"),
  "add/schedule": field("schedule", "Create schedule"),
  "edit/schedule": field("schedule", "Edit schedule"),
  "delete/schedule": field("schedule", "Delete schedule"),
  "view/vehicle": route("vehicle", "View vehicle"),
  "add/vehicle": route("vehicle", "Create vehicle"),
  "edit/vehicle": route("vehicle", "Edit vehicle"),
  "delete/vehicle": route("vehicle", "Delete vehicle"),
  "view/result": route("result", "View result"),
  "edit/result": route("result", "Edit result"),
  "delete/result": route("result", "Delete result"),
  "dispatch/result": route("result", "Dispatch result"),
  "route-optimization": route("result", "Route optimization"),
  "view/configuration": route("configuration", "View configuration"),
  "edit/configuration": route("configuration", "Edit configuration"),
  "edit/constraint": route("configuration", "Edit constraint"),
  "view/plan": { module: "mileBilling", menu: "billing", label: "View plan" },
  "view/subscription": { module: "mileBilling", menu: "billing", label: "View subscription" },
  "view/history": { module: "mileBilling", menu: "billing", label: "View history" },
  "view/user": setting("user", "View user"),
  invite: setting("user", "Invite user"),
  "edit/member": setting("user", "Edit user"),
  "delete/member": setting("user", "Delete user"),
  "reset-password/member": setting("user", "Reset Password"),
  "unlock/member": setting("user", "Unlock User"),
  "view/permission": setting("permission", "View permission"),
  "edit/permission": setting("permission", "Edit permission"),
  "view/hub": setting("hub", "View hub"),
  "add/hub": setting("hub", "Create hub"),
  "edit/hub": setting("hub", "Edit hub"),
  "delete/hub": setting("hub", "Delete hub"),
  "view/flow": setting("flow", "View flow"),
  "add/flow": setting("flow", "Create flow"),
  "edit/flow": setting("flow", "Edit flow"),
  "delete/flow": setting("flow", "Delete flow"),
  "view/workflow": { module: "Setting", menu: "Workflow", label: "View workflow" },
  "add/workflow": { module: "Setting", menu: "Workflow", label: "Create workflow" },
  "edit/workflow": { module: "Setting", menu: "Workflow", label: "Edit workflow" },
  "delete/workflow": { module: "Setting", menu: "Workflow", label: "Delete workflow" },
  "view/role": setting("role", "View role"),
  "create/role": setting("role", "Create role"),
  "edit/role": setting("role", "Edit role"),
  "delete/role": setting("role", "Delete role"),
  "view/organization": setting("organization", "View organization"),
  "edit/organization": setting("organization", "Edit organization"),
  "create/organization": setting("organization", "Create organization"),
  "view/automation": setting("automation", "View automation"),
  "add/automation": setting("automation", "Create automation"),
  "edit/automation": setting("automation", "Edit automation"),
  "delete/automation": setting("automation", "Delete automation"),
  "view/integration": setting("integration", "View integration"),
  "add/integration": setting("integration", "Create integration"),
  "edit/integration": setting("integration", "Edit integration"),
  "delete/integration": setting("integration", "Delete integration"),
  "view/data": setting("data", "View data"),
  "add/data": setting("data", "Create data"),
  "edit/data": setting("data", "Edit data"),
  "delete/data": setting("data", "Delete data"),
  "import/data": setting("data", "Import Data"),
  "view/dataType": setting("dataType", "View data type"),
  "add/dataType": setting("dataType", "Create data type"),
  "edit/dataType": setting("dataType", "Edit data type"),
  "delete/dataType": setting("dataType", "Delete data type"),
  "view/team": { module: "Setting", menu: "Team", label: "View team" },
  "add/team": { module: "Setting", menu: "Team", label: "Create team" },
  "edit/team": { module: "Setting", menu: "Team", label: "Edit team" },
  "delete/team": { module: "Setting", menu: "Team", label: "Delete team" },
  "view/trash": setting("Trash", "View trash"),
  "view/exportConfig": { module: "mileAdvanced", menu: "Export", label: "View Export Config" },
  "add/exportConfig": { module: "mileAdvanced", menu: "Export", label: "Create Export Config" },
  "edit/exportConfig": { module: "mileAdvanced", menu: "Export", label: "Edit Export Config" },
  "delete/exportConfig": { module: "mileAdvanced", menu: "Export", label: "Delete Export Config" },
  "task/reorder": { module: "mileAdvanced", menu: "Task", label: "Reorder my task" },
  "task/claim": { module: "mileAdvanced", menu: "Task", label: "Take unassigned tasks" },
  "position/always": {
    module: "mileAdvanced",
    menu: "Tracking",
    label: "Send positions outside of working time",
    switch: true,
  },
  "view/checkincheckout": { module: "mileAdvanced", menu: "Tracking", label: "Start - Finish", switch: true },
  "token/manage-token": {
    module: "Advanced",
    menu: "Personal Access Token",
    label: "Personal access tokens",
  },
  "security/otp-email": {
    module: "Advanced",
    menu: "Multi-factor authentication",
    label: "Code by e-mail",
    switch: true,
  },
  "single/login": { module: "mileAdvanced", menu: "Single Login", label: "Single login", switch: true },
} as const satisfies Record<string, PermissionEntry>

/** A permission of the catalogue, or one that a custom module of an organization brings. */
export type Permission = keyof typeof permissionCatalogue | `view/custom/${string}`

export const permissionNames = Object.keys(permissionCatalogue) as (keyof typeof permissionCatalogue)[]

export const switchPermissions: ReadonlySet<Permission> = new Set(
  permissionNames.filter((name) => "switch" in permissionCatalogue[name]),
)

const knownIds = new Map<string, string>()

/** The permission's id: the same in every organization and installation, derived from its name. */
export function permissionId(name: string): string {
  const known = knownIds.get(name)
  if (known !== undefined) return known
  const id = createHash("sha256").update(`permission:${name}`).digest("hex").slice(0, 24)
  if (name in permissionCatalogue) knownIds.set(name, id)
  return id
}

/**
 * Permissions that are keys to the organization: who has them can reach everything else. Nobody gives one of
 * these who does not have it.
 */
export const guardedPermissions: ReadonlySet<Permission> = new Set<Permission>([
  "invite",
  "edit/member",
  "delete/member",
  "reset-password/member",
  "unlock/member",
  "create/role",
  "edit/role",
  "delete/role",
  "edit/permission",
  "edit/organization",
  "create/organization",
  "add/integration",
  "edit/integration",
  "delete/integration",
])

const namesById = new Map(permissionNames.map((name) => [permissionId(name), name]))

/** Accepts a permission's id or its name. Undefined for neither. */
export function permissionNameOf(idOrName: string): Permission | undefined {
  if (idOrName in permissionCatalogue) return idOrName as Permission
  return namesById.get(idOrName.toLowerCase())
}

/**
 * The permissions that a role grants in effect. Owner and administrator have everything but the switches,
 * which must be in the role's own list like anybody's.
 */
export function effectivePermissions(role: {
  name: string
  isDefault: boolean
  permissionNames: readonly string[]
}): Set<Permission> {
  const own = role.permissionNames as readonly Permission[]
  if (!hasEverything(role)) return new Set(own)
  const all = permissionNames.filter((name) => !switchPermissions.has(name))
  return new Set<Permission>([...all, ...own])
}

export function isOwnerRole(role: { name: string; isDefault: boolean }): boolean {
  return role.isDefault && role.name === "owner"
}

export function hasEverything(role: { name: string; isDefault: boolean }): boolean {
  return role.isDefault && (role.name === "owner" || role.name === "admin")
}
