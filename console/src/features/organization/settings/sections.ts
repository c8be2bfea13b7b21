import { paths } from "../../../paths.ts"

/** The pages of the settings, each with the permission that it needs. */
export const settingsSections = [
  { to: paths.roles, label: "roles", permission: "view/role" },
  { to: paths.teams, label: "teams", permission: "view/team" },
  { to: paths.organization, label: "organization", permission: "view/organization" },
  { to: paths.policies, label: "policies", permission: "view/role" },
  { to: paths.devices, label: "devices", permission: undefined },
  { to: paths.tokens, label: "tokens", permission: "token/manage-token" },
  { to: paths.calendars, label: "calendars", permission: "view/task" },
  { to: paths.maps, label: "maps", permission: undefined },
  { to: paths.customers, label: "customers", permission: "view/organization" },
  { to: paths.audit, label: "audit", permission: "edit/organization" },
  { to: paths.trash, label: "trash", permission: "view/trash" },
  { to: paths.outbox, label: "outbox", permission: "edit/organization" },
] as const
