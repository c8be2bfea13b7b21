import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  redirect,
  type SearchMiddleware,
  stringifySearchWith,
} from "@tanstack/react-router"
import { ApiError } from "./api/client.ts"
import { readRecordSearch } from "./features/data-records/record-search.ts"
import { readRouteSearch } from "./features/routes/route-search.ts"
import { readTaskSearch } from "./features/tasks/task-search.ts"
import { readTrackingSearch } from "./features/tracking/tracking-search.ts"
import { readVehicleSearch } from "./features/vehicles/vehicle-search.ts"
import { paths } from "./paths.ts"
import { queryClient } from "./query-client.ts"
import { ownUserQuery } from "./session/session.ts"
import { NotFoundPage, PageError, PageLoading } from "./shell/page-states.tsx"

const root = createRootRoute({ notFoundComponent: NotFoundPage })

export interface SignInSearch {
  next?: string
  /** Why a provider's sign-in did not work. */
  sso?: string
  /** A provider's sign-in that still wants a code. */
  challenge?: string
  /** Whose providers are offered at once, for links of an organization to its people. */
  organization?: string
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  validateSearch: ({ next, sso, challenge, organization }): SignInSearch => ({
    // Only addresses of our own: anything else would let a link send people away after they signed in.
    ...(typeof next === "string" && /^\/(?![/\\])/.test(next) ? { next } : {}),
    ...(typeof sso === "string" ? { sso } : {}),
    ...(typeof challenge === "string" ? { challenge } : {}),
    ...(typeof organization === "string" ? { organization } : {}),
  }),
  component: lazyRouteComponent(() => import("./features/sessions/SignInPage.tsx"), "SignInPage"),
})

/** A text of the address, as links in mails carry them; digits alone arrive as a number. */
const readText = (value: unknown): string | undefined => {
  const text = typeof value === "number" ? String(value) : value
  return typeof text === "string" && text !== "" ? text : undefined
}

const register = createRoute({
  getParentRoute: () => root,
  path: paths.register,
  component: lazyRouteComponent(() => import("./features/onboarding/RegisterPage.tsx"), "RegisterPage"),
})
const verify = createRoute({
  getParentRoute: () => root,
  path: paths.verify,
  validateSearch: (search): { email?: string | undefined; code?: string | undefined } => ({
    email: readText(search.email),
    code: readText(search.code),
  }),
  component: lazyRouteComponent(() => import("./features/onboarding/VerifyPage.tsx"), "VerifyPage"),
})
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: paths.forgotPassword,
  component: lazyRouteComponent(
    () => import("./features/onboarding/ForgotPasswordPage.tsx"),
    "ForgotPasswordPage",
  ),
})
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: paths.resetPassword,
  validateSearch: (search): { email?: string | undefined; token?: string | undefined } => ({
    email: readText(search.email),
    token: readText(search.token),
  }),
  component: lazyRouteComponent(
    () => import("./features/onboarding/ResetPasswordPage.tsx"),
    "ResetPasswordPage",
  ),
})
const acceptInvitation = createRoute({
  getParentRoute: () => root,
  path: paths.acceptInvitation,
  validateSearch: (search): { code?: string | undefined } => ({ code: readText(search.code) }),
  component: lazyRouteComponent(
    () => import("./features/users/AcceptInvitationPage.tsx"),
    "AcceptInvitationPage",
  ),
})

const publicTask = createRoute({
  getParentRoute: () => root,
  path: paths.publicTask,
  component: lazyRouteComponent(() => import("./features/public/PublicTaskPage.tsx"), "PublicTaskPage"),
})
const sharedPosition = createRoute({
  getParentRoute: () => root,
  path: paths.sharedPosition,
  validateSearch: (search): { token?: string | undefined } => ({ token: readText(search.token) }),
  component: lazyRouteComponent(
    () => import("./features/public/SharedPositionPage.tsx"),
    "SharedPositionPage",
  ),
})

export interface ShellSearch {
  /** The hub that the whole console is narrowed to. */
  hub?: string
}

/** The chosen hub stays in the address from page to page until another is chosen. */
const keepHub: SearchMiddleware<ShellSearch> = ({ search, next }) => {
  const wanted = next(search)
  return "hub" in wanted || search.hub === undefined ? wanted : { ...wanted, hub: search.hub }
}

const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  validateSearch: (search): ShellSearch =>
    typeof search.hub === "string" && /^[0-9a-f]{24}$/.test(search.hub) ? { hub: search.hub } : {},
  search: { middlewares: [keepHub] },
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(ownUserQuery)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        throw redirect({ to: paths.signIn, search: location.href === "/" ? {} : { next: location.href } })
      throw error
    }
  },
  component: lazyRouteComponent(() => import("./shell/SignedInLayout.tsx"), "SignedInLayout"),
  errorComponent: PageError,
  pendingComponent: PageLoading,
})

const page = {
  getParentRoute: () => signedIn,
  errorComponent: PageError,
  pendingComponent: PageLoading,
} as const

const today = createRoute({
  ...page,
  path: paths.today,
  component: lazyRouteComponent(() => import("./features/today/TodayPage.tsx"), "TodayPage"),
})
const tasks = createRoute({
  ...page,
  path: paths.tasks,
  validateSearch: readTaskSearch,
  component: lazyRouteComponent(() => import("./features/tasks/TaskListPage.tsx"), "TaskListPage"),
})
const tracking = createRoute({
  ...page,
  path: paths.tracking,
  validateSearch: readTrackingSearch,
  component: lazyRouteComponent(() => import("./features/tracking/TrackingPage.tsx"), "TrackingPage"),
})
const schedules = createRoute({
  ...page,
  path: paths.schedules,
  component: lazyRouteComponent(() => import("./features/task-schedules/SchedulesPage.tsx"), "SchedulesPage"),
})
const data = createRoute({
  ...page,
  path: paths.data,
  component: lazyRouteComponent(
    () => import("./features/data-types/DataTypeListPage.tsx"),
    "DataTypeListPage",
  ),
})
const typeBuilder = () => import("./features/data-types/DataTypeBuilderPage.tsx")
const dataTypeNew = createRoute({
  ...page,
  path: paths.dataTypeNew,
  component: lazyRouteComponent(typeBuilder, "DataTypeNewPage"),
})
const dataTypeEdit = createRoute({
  ...page,
  path: paths.dataTypeEdit,
  component: lazyRouteComponent(typeBuilder, "DataTypeEditPage"),
})
const dataType = createRoute({
  ...page,
  path: paths.dataType,
  validateSearch: readRecordSearch,
  component: lazyRouteComponent(() => import("./features/data-records/RecordGridPage.tsx"), "RecordGridPage"),
})
const vehicles = createRoute({
  ...page,
  path: paths.vehicles,
  validateSearch: readVehicleSearch,
  component: lazyRouteComponent(() => import("./features/vehicles/VehicleListPage.tsx"), "VehicleListPage"),
})
const routes = createRoute({
  ...page,
  path: paths.routes,
  component: lazyRouteComponent(() => import("./features/routes/RouteListPage.tsx"), "RouteListPage"),
})
const routeProfiles = createRoute({
  ...page,
  path: paths.routeProfiles,
  component: lazyRouteComponent(() => import("./features/routes/ProfilesPage.tsx"), "ProfilesPage"),
})
const routeAreas = createRoute({
  ...page,
  path: paths.routeAreas,
  component: lazyRouteComponent(() => import("./features/routes/AreasPage.tsx"), "AreasPage"),
})
const route = createRoute({
  ...page,
  path: paths.route,
  validateSearch: readRouteSearch,
  component: lazyRouteComponent(() => import("./features/routes/RoutePage.tsx"), "RoutePage"),
})
const hubs = createRoute({
  ...page,
  path: paths.hubs,
  component: lazyRouteComponent(() => import("./features/hubs/HubListPage.tsx"), "HubListPage"),
})
const people = createRoute({
  ...page,
  path: paths.people,
  component: lazyRouteComponent(() => import("./features/users/PeoplePage.tsx"), "PeoplePage"),
})
const flows = createRoute({
  ...page,
  path: paths.flows,
  component: lazyRouteComponent(() => import("./features/flows/FlowListPage.tsx"), "FlowListPage"),
})
const flow = createRoute({
  ...page,
  path: paths.flow,
  component: lazyRouteComponent(() => import("./features/flows/FlowPage.tsx"), "FlowPage"),
})
const builder = lazyRouteComponent(() => import("./features/flows/FlowBuilderPage.tsx"), "FlowBuilderPage")
const flowNew = createRoute({ ...page, path: paths.flowNew, component: builder })
const flowEdit = createRoute({ ...page, path: paths.flowEdit, component: builder })
const imports = createRoute({
  ...page,
  path: paths.imports,
  component: lazyRouteComponent(() => import("./features/imports/ImportListPage.tsx"), "ImportListPage"),
})
const importTasks = createRoute({
  ...page,
  path: paths.importTasks,
  component: lazyRouteComponent(() => import("./features/imports/ImportTasksPage.tsx"), "ImportTasksPage"),
})
const importData = createRoute({
  ...page,
  path: paths.importData,
  validateSearch: (search): { type?: string } =>
    typeof search.type === "string" && /^[0-9a-f]{24}$/.test(search.type) ? { type: search.type } : {},
  component: lazyRouteComponent(() => import("./features/imports/ImportDataPage.tsx"), "ImportDataPage"),
})
const importOne = createRoute({
  ...page,
  path: paths.import,
  component: lazyRouteComponent(() => import("./features/imports/ImportPage.tsx"), "ImportPage"),
})
const exports = createRoute({
  ...page,
  path: paths.exports,
  component: lazyRouteComponent(() => import("./features/exports/ExportLogPage.tsx"), "ExportLogPage"),
})

const account = createRoute({
  ...page,
  path: paths.account,
  component: lazyRouteComponent(() => import("./features/accounts/AccountPage.tsx"), "AccountPage"),
})
const automations = createRoute({
  ...page,
  path: paths.automations,
  validateSearch: (search): { view?: "log" } => (search.view === "log" ? { view: "log" } : {}),
  component: lazyRouteComponent(
    () => import("./features/automations/AutomationsPage.tsx"),
    "AutomationsPage",
  ),
})
const automationNew = createRoute({
  ...page,
  path: paths.automationNew,
  component: lazyRouteComponent(
    () => import("./features/automations/AutomationPage.tsx"),
    "NewAutomationPage",
  ),
})
const automation = createRoute({
  ...page,
  path: paths.automation,
  component: lazyRouteComponent(() => import("./features/automations/AutomationPage.tsx"), "AutomationPage"),
})
const webhooks = createRoute({
  ...page,
  path: paths.webhooks,
  validateSearch: (search): { webhook?: string } =>
    typeof search.webhook === "string" ? { webhook: search.webhook } : {},
  component: lazyRouteComponent(() => import("./features/webhooks/WebhooksPage.tsx"), "WebhooksPage"),
})
const integrations = createRoute({
  ...page,
  path: paths.integrations,
  component: lazyRouteComponent(
    () => import("./features/integrations/IntegrationsPage.tsx"),
    "IntegrationsPage",
  ),
})
const plugins = createRoute({
  ...page,
  path: paths.plugins,
  component: lazyRouteComponent(() => import("./features/plugins/PluginsPage.tsx"), "PluginsPage"),
})
const plugin = createRoute({
  ...page,
  path: paths.plugin,
  component: lazyRouteComponent(() => import("./features/plugins/PluginPage.tsx"), "PluginPage"),
})
const customModule = createRoute({
  ...page,
  path: paths.customModule,
  component: lazyRouteComponent(
    () => import("./features/custom-modules/CustomModulePage.tsx"),
    "CustomModulePage",
  ),
})

const settings = createRoute({
  ...page,
  id: "settings-layout",
  component: lazyRouteComponent(() => import("./features/settings/SettingsPage.tsx"), "SettingsPage"),
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
  component: lazyRouteComponent(() => import("./features/roles/RolesPage.tsx"), "RolesPage"),
})
const teams = createRoute({
  ...section,
  path: paths.teams,
  component: lazyRouteComponent(() => import("./features/settings/TeamsPage.tsx"), "TeamsPage"),
})
const organization = createRoute({
  ...section,
  path: paths.organization,
  component: lazyRouteComponent(() => import("./features/settings/OrganizationPage.tsx"), "OrganizationPage"),
})
const tokens = createRoute({
  ...section,
  path: paths.tokens,
  component: lazyRouteComponent(() => import("./features/settings/TokensPage.tsx"), "TokensPage"),
})
const policies = createRoute({
  ...section,
  path: paths.policies,
  component: lazyRouteComponent(
    () => import("./features/password-policies/PasswordPoliciesPage.tsx"),
    "PasswordPoliciesPage",
  ),
})
const devices = createRoute({
  ...section,
  path: paths.devices,
  component: lazyRouteComponent(() => import("./features/devices/DeviceKeys.tsx"), "DevicesPage"),
})
const audit = createRoute({
  ...section,
  path: paths.audit,
  component: lazyRouteComponent(() => import("./features/settings/AuditPage.tsx"), "AuditPage"),
})
const trash = createRoute({
  ...section,
  path: paths.trash,
  component: lazyRouteComponent(() => import("./features/settings/TrashPage.tsx"), "TrashPage"),
})
const outbox = createRoute({
  ...section,
  path: paths.outbox,
  component: lazyRouteComponent(() => import("./features/settings/OutboxPage.tsx"), "OutboxPage"),
})
const field = createRoute({
  getParentRoute: () => root,
  id: "field-layout",
  beforeLoad: async ({ location }) => {
    const { ensureWorker } = await import("./features/field/field.queries.ts")
    try {
      await ensureWorker()
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        throw redirect({ to: paths.signIn, search: { next: location.href } })
      throw error
    }
  },
  component: lazyRouteComponent(() => import("./features/field/FieldLayout.tsx"), "FieldLayout"),
  errorComponent: PageError,
  pendingComponent: PageLoading,
})
const fieldTasks = createRoute({
  getParentRoute: () => field,
  path: paths.field,
  component: lazyRouteComponent(() => import("./features/field/FieldTasksPage.tsx"), "FieldTasksPage"),
})
const fieldTask = createRoute({
  getParentRoute: () => field,
  path: paths.fieldTask,
  component: lazyRouteComponent(() => import("./features/field/FieldTaskPage.tsx"), "FieldTaskPage"),
})

const routeTree = root.addChildren([
  signIn,
  register,
  verify,
  forgotPassword,
  resetPassword,
  acceptInvitation,
  publicTask,
  sharedPosition,
  field.addChildren([fieldTasks, fieldTask]),
  signedIn.addChildren([
    today,
    tasks,
    tracking,
    schedules,
    data,
    dataTypeNew,
    dataTypeEdit,
    dataType,
    vehicles,
    routes,
    routeProfiles,
    routeAreas,
    route,
    hubs,
    people,
    flows,
    flow,
    flowNew,
    flowEdit,
    imports,
    importTasks,
    importData,
    importOne,
    exports,
    automations,
    automationNew,
    automation,
    webhooks,
    integrations,
    plugins,
    plugin,
    customModule,
    account,
    settingsHome,
    settings.addChildren([roles, teams, organization, tokens, policies, devices, audit, trash, outbox]),
  ]),
])

/** A long code of digits in a link is a text: as a number it would lose its last digits. */
function readSearchValue(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (typeof value === "number" && String(value) !== text) throw new SyntaxError("not a plain number")
  return value
}

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  scrollRestoration: true,
  parseSearch: parseSearchWith(readSearchValue),
  stringifySearch: stringifySearchWith(JSON.stringify, readSearchValue),
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
