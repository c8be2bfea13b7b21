import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { settingsSections } from "../features/organization/settings/sections.ts"
import { paths } from "../paths.ts"
import { queryClient } from "../query-client.ts"
import { ownUserQuery, sessionOf } from "../session/session.ts"
import { page, signedIn } from "./signed-in.tsx"

const settings = createRoute({
  getParentRoute: () => signedIn,
  id: "settings-layout",
  component: lazyRouteComponent(
    () => import("../features/organization/settings/SettingsPage.tsx"),
    "SettingsPage",
  ),
})
const settingsHome = createRoute({
  getParentRoute: () => signedIn,
  path: paths.settings,
  beforeLoad: async () => {
    const { may } = sessionOf(await queryClient.ensureQueryData(ownUserQuery))
    const first = settingsSections.find(({ permission }) => permission === undefined || may(permission))
    throw redirect({ to: first?.to ?? paths.devices })
  },
})
const roles = createRoute({
  ...page(paths.roles, () => import("../features/people/roles/RolesPage.tsx"), "RolesPage", "view/role"),
  getParentRoute: () => settings,
})
const teams = createRoute({
  ...page(
    paths.teams,
    () => import("../features/organization/settings/TeamsPage.tsx"),
    "TeamsPage",
    "view/team",
  ),
  getParentRoute: () => settings,
})
const organization = createRoute({
  ...page(
    paths.organization,
    () => import("../features/organization/settings/OrganizationPage.tsx"),
    "OrganizationPage",
    "view/organization",
  ),
  getParentRoute: () => settings,
})
const tokens = createRoute({
  ...page(
    paths.tokens,
    () => import("../features/people/tokens/TokensPage.tsx"),
    "TokensPage",
    "token/manage-token",
  ),
  getParentRoute: () => settings,
})
const calendars = createRoute({
  ...page(
    paths.calendars,
    () => import("../features/work/calendars/CalendarsPage.tsx"),
    "CalendarsPage",
    "view/task",
  ),
  getParentRoute: () => settings,
})
const policies = createRoute({
  ...page(
    paths.policies,
    () => import("../features/people/password-policies/PasswordPoliciesPage.tsx"),
    "PasswordPoliciesPage",
    "view/role",
  ),
  getParentRoute: () => settings,
})
const devices = createRoute({
  ...page(paths.devices, () => import("../features/location/devices/DeviceKeys.tsx"), "DevicesPage"),
  getParentRoute: () => settings,
})
const maps = createRoute({
  ...page(paths.maps, () => import("../features/location/maps/MapsPage.tsx"), "MapsPage"),
  getParentRoute: () => settings,
})
const customers = createRoute({
  ...page(
    paths.customers,
    () => import("../features/customers/CustomersPage.tsx"),
    "CustomersPage",
    "view/organization",
  ),
  getParentRoute: () => settings,
})
const audit = createRoute({
  ...page(
    paths.audit,
    () => import("../features/organization/settings/AuditPage.tsx"),
    "AuditPage",
    "edit/organization",
  ),
  getParentRoute: () => settings,
})
const trash = createRoute({
  ...page(
    paths.trash,
    () => import("../features/organization/settings/TrashPage.tsx"),
    "TrashPage",
    "view/trash",
  ),
  getParentRoute: () => settings,
})
const outbox = createRoute({
  ...page(
    paths.outbox,
    () => import("../features/organization/settings/OutboxPage.tsx"),
    "OutboxPage",
    "edit/organization",
  ),
  getParentRoute: () => settings,
})

/** The settings: each section is a page inside the page of them all. */
export const settingsPages = [
  settingsHome,
  settings.addChildren([
    roles,
    teams,
    organization,
    tokens,
    calendars,
    policies,
    devices,
    maps,
    customers,
    audit,
    trash,
    outbox,
  ]),
] as const
