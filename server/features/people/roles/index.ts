export { copyRoles } from "./copy-roles.ts"
export { addCustomPermission, removeCustomPermission, renameCustomPermission } from "./custom-permissions.ts"
export { insertDefaultRoles } from "./default-roles.ts"
export { mayAssignRole, mayEditHolders } from "./permission-settings.ts"
export {
  findRole,
  findRolesWith,
  findWorkerRoles,
  isPolicyUsed,
  listRoles,
  lockRole,
  touchRolesOfPolicy,
} from "./queries.ts"
export { roleRestorer } from "./restore-role.ts"
export { roleRoutes } from "./routes.ts"
export { RoleSchema } from "./schemas.ts"
export { type RoleRow, toWireRole } from "./wire.ts"
