import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { readTrackingSearch } from "../features/location/tracking/tracking-search.ts"
import { readRouteSearch } from "../features/planning/routes/route-search.ts"
import { readTaskSearch } from "../features/work/tasks/list/task-search.ts"
import { paths } from "../paths.ts"
import { page } from "./signed-in.tsx"

const today = createRoute({
  ...page,
  path: paths.today,
  component: lazyRouteComponent(() => import("../features/work/today/TodayPage.tsx"), "TodayPage"),
})
const tasks = createRoute({
  ...page,
  path: paths.tasks,
  validateSearch: readTaskSearch,
  component: lazyRouteComponent(() => import("../features/work/tasks/list/TaskListPage.tsx"), "TaskListPage"),
})
const tracking = createRoute({
  ...page,
  path: paths.tracking,
  validateSearch: readTrackingSearch,
  component: lazyRouteComponent(
    () => import("../features/location/tracking/TrackingPage.tsx"),
    "TrackingPage",
  ),
})
const schedules = createRoute({
  ...page,
  path: paths.schedules,
  component: lazyRouteComponent(
    () => import("../features/work/task-schedules/SchedulesPage.tsx"),
    "SchedulesPage",
  ),
})
const routes = createRoute({
  ...page,
  path: paths.routes,
  component: lazyRouteComponent(
    () => import("../features/planning/routes/RouteListPage.tsx"),
    "RouteListPage",
  ),
})
const routeProfiles = createRoute({
  ...page,
  path: paths.routeProfiles,
  component: lazyRouteComponent(
    () => import("../features/planning/routes/profiles/ProfilesPage.tsx"),
    "ProfilesPage",
  ),
})
const routeAreas = createRoute({
  ...page,
  path: paths.routeAreas,
  component: lazyRouteComponent(() => import("../features/planning/routes/AreasPage.tsx"), "AreasPage"),
})
const route = createRoute({
  ...page,
  path: paths.route,
  validateSearch: readRouteSearch,
  component: lazyRouteComponent(() => import("../features/planning/routes/RoutePage.tsx"), "RoutePage"),
})
const account = createRoute({
  ...page,
  path: paths.account,
  component: lazyRouteComponent(() => import("../features/people/accounts/AccountPage.tsx"), "AccountPage"),
})

/** The pages of the day, and the account of whoever looks at them. */
export const workPages = [
  today,
  tasks,
  tracking,
  schedules,
  routes,
  routeProfiles,
  routeAreas,
  route,
  account,
] as const
