import { createRoute, redirect } from "@tanstack/react-router"
import { readEventsSearch } from "../features/insight/events-search.ts"
import { readDashboardSearch, readReportSearch } from "../features/insight/report-search.ts"
import { readTrackingSearch } from "../features/location/tracking/tracking-search.ts"
import { readDispatchSearch } from "../features/planning/dispatch/dispatch-search.ts"
import { readMomentSearch } from "../features/planning/moments/moment.queries.ts"
import { readRouteSearch } from "../features/planning/routes/route-search.ts"
import { readTaskSearch } from "../features/work/tasks/list/task-search.ts"
import { paths } from "../paths.ts"
import { queryClient } from "../query-client.ts"
import { ownUserQuery, sessionOf } from "../session/session.ts"
import { page, pageRoute } from "./signed-in.tsx"

const today = createRoute({
  ...page(paths.today, () => import("../features/work/today/TodayPage.tsx"), "TodayPage", "view/task"),
  /** A role without tasks starts on the first page of its menu. */
  beforeLoad: async () => {
    const session = sessionOf(await queryClient.ensureQueryData(ownUserQuery))
    if (session.may("view/task")) return
    const { navigation } = await import("../shell/navigation.ts")
    const first = navigation.flatMap(({ entries }) => entries).find(({ isOffered }) => isOffered(session))
    if (first) throw redirect({ to: first.to })
  },
})
const dispatch = createRoute({
  ...page(
    paths.dispatch,
    () => import("../features/planning/dispatch/DispatchPage.tsx"),
    "DispatchPage",
    "assign/task",
  ),
  validateSearch: readDispatchSearch,
})
const dispatchMap = createRoute({
  ...page(
    paths.dispatchMap,
    () => import("../features/planning/dispatch/DispatchMapPage.tsx"),
    "DispatchMapPage",
    "assign/task",
  ),
  validateSearch: readDispatchSearch,
})
const tasks = createRoute({
  ...page(
    paths.tasks,
    () => import("../features/work/tasks/list/TaskListPage.tsx"),
    "TaskListPage",
    "view/task",
  ),
  validateSearch: readTaskSearch,
})
const savedView = pageRoute(
  paths.savedView,
  () => import("../features/people/saved-views/SavedViewPage.tsx"),
  "SavedViewPage",
)
const tracking = createRoute({
  ...page(
    paths.tracking,
    () => import("../features/location/tracking/TrackingPage.tsx"),
    "TrackingPage",
    "view/tracking",
  ),
  validateSearch: readTrackingSearch,
})
const geofences = pageRoute(
  paths.geofences,
  () => import("../features/location/geofences/GeofencesPage.tsx"),
  "GeofencesPage",
  "view/tracking",
)
const moment = createRoute({
  ...page(
    paths.moment,
    () => import("../features/planning/moments/MomentPage.tsx"),
    "MomentPage",
    "view/tracking",
  ),
  validateSearch: readMomentSearch,
})
const alerts = pageRoute(
  paths.alerts,
  () => import("../features/extensions/alerts/AlertsPage.tsx"),
  "AlertsPage",
  "view/tracking",
)
const fleet = pageRoute(
  paths.fleet,
  () => import("../features/fleet/FleetPage.tsx"),
  "FleetPage",
  "view/vehicle",
)
const fleetVehicle = pageRoute(
  paths.fleetVehicle,
  () => import("../features/fleet/VehiclePage.tsx"),
  "VehiclePage",
  "view/vehicle",
)
const fleetEquipment = pageRoute(
  paths.fleetEquipment,
  () => import("../features/fleet/EquipmentPage.tsx"),
  "EquipmentPage",
  "view/vehicle",
)
const reports = createRoute({
  ...page(
    paths.reports,
    () => import("../features/insight/ReportsPage.tsx"),
    "ReportsPage",
    "view/dashboard",
  ),
  validateSearch: readReportSearch,
})
const dashboard = createRoute({
  ...page(
    paths.dashboard,
    () => import("../features/insight/DashboardPage.tsx"),
    "DashboardPage",
    "view/dashboard",
  ),
  validateSearch: readDashboardSearch,
})
const reportSessions = createRoute({
  ...page(
    paths.reportSessions,
    () => import("../features/insight/EventsPages.tsx"),
    "ReportSessionsPage",
    "view/dashboard",
  ),
  validateSearch: readEventsSearch,
})
const reportAlarms = createRoute({
  ...page(
    paths.reportAlarms,
    () => import("../features/insight/EventsPages.tsx"),
    "ReportAlarmsPage",
    "view/dashboard",
  ),
  validateSearch: readEventsSearch,
})
const schedules = pageRoute(
  paths.schedules,
  () => import("../features/work/task-schedules/SchedulesPage.tsx"),
  "SchedulesPage",
  "view/schedule",
)
const routes = pageRoute(
  paths.routes,
  () => import("../features/planning/routes/RouteListPage.tsx"),
  "RouteListPage",
  "view/result",
)
const routeProfiles = pageRoute(
  paths.routeProfiles,
  () => import("../features/planning/routes/profiles/ProfilesPage.tsx"),
  "ProfilesPage",
  "view/configuration",
)
const routeAreas = pageRoute(
  paths.routeAreas,
  () => import("../features/planning/routes/AreasPage.tsx"),
  "AreasPage",
  "view/configuration",
)
const route = createRoute({
  ...page(paths.route, () => import("../features/planning/routes/RoutePage.tsx"), "RoutePage", "view/result"),
  validateSearch: readRouteSearch,
})
const account = pageRoute(
  paths.account,
  () => import("../features/people/accounts/AccountPage.tsx"),
  "AccountPage",
)

const activity = pageRoute(
  paths.activity,
  () => import("../features/organization/activity/ActivityPage.tsx"),
  "ActivityPage",
)

/** The pages of the day, and the own account. */
export const workPages = [
  today,
  dispatch,
  dispatchMap,
  tasks,
  savedView,
  tracking,
  reports,
  dashboard,
  reportSessions,
  reportAlarms,
  geofences,
  alerts,
  fleet,
  fleetVehicle,
  fleetEquipment,
  moment,
  schedules,
  routes,
  routeProfiles,
  routeAreas,
  route,
  account,
  activity,
] as const
