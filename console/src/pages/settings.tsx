import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { paths } from "../paths.ts"
import { page, signedIn } from "./signed-in.tsx"

const settings = createRoute({
  ...page,
  id: "settings-layout",
  component: lazyRouteComponent(
    () => import("../features/organization/settings/SettingsPage.tsx"),
    "SettingsPage",
  ),
})
const settingsHome = createRoute({
  getParentRoute: () => signedIn,
  path: paths.settings,
  beforeLoad: () => {
    throw redirect({ to: paths.roles })
  },
})
const section = { ...page, getParentRoute: () => settings } as const
const roles = createRoute({
  ...section,
  path: paths.roles,
  component: lazyRouteComponent(() => import("../features/people/roles/RolesPage.tsx"), "RolesPage"),
})
const teams = createRoute({
  ...section,
  path: paths.teams,
  component: lazyRouteComponent(() => import("../features/organization/settings/TeamsPage.tsx"), "TeamsPage"),
})
const organization = createRoute({
  ...section,
  path: paths.organization,
  component: lazyRouteComponent(
    () => import("../features/organization/settings/OrganizationPage.tsx"),
    "OrganizationPage",
  ),
})
const tokens = createRoute({
  ...section,
  path: paths.tokens,
  component: lazyRouteComponent(() => import("../features/people/tokens/TokensPage.tsx"), "TokensPage"),
})
const policies = createRoute({
  ...section,
  path: paths.policies,
  component: lazyRouteComponent(
    () => import("../features/people/password-policies/PasswordPoliciesPage.tsx"),
    "PasswordPoliciesPage",
  ),
})
const devices = createRoute({
  ...section,
  path: paths.devices,
  component: lazyRouteComponent(() => import("../features/location/devices/DeviceKeys.tsx"), "DevicesPage"),
})
const audit = createRoute({
  ...section,
  path: paths.audit,
  component: lazyRouteComponent(() => import("../features/organization/settings/AuditPage.tsx"), "AuditPage"),
})
const trash = createRoute({
  ...section,
  path: paths.trash,
  component: lazyRouteComponent(() => import("../features/organization/settings/TrashPage.tsx"), "TrashPage"),
})
const outbox = createRoute({
  ...section,
  path: paths.outbox,
  component: lazyRouteComponent(
    () => import("../features/organization/settings/OutboxPage.tsx"),
    "OutboxPage",
  ),
})

/** The settings: each section is a page inside the page of them all. */
export const settingsPages = [
  settingsHome,
  settings.addChildren([roles, teams, organization, tokens, policies, devices, audit, trash, outbox]),
] as const
