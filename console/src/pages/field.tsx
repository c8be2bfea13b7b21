import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { ApiError } from "../api/client.ts"
import { adoptLanguage } from "../i18n/chosen-language.ts"
import { paths } from "../paths.ts"
import { queryClient } from "../query-client.ts"
import { ownUserQuery } from "../session/session.ts"
import { PageError, PageLoading } from "../shell/page-states.tsx"
import { root } from "./root.tsx"

const field = createRoute({
  getParentRoute: () => root,
  id: "field-layout",
  beforeLoad: async ({ location }) => {
    const { ensureWorker } = await import("../features/field/field.queries.ts")
    try {
      await ensureWorker()
      const user = queryClient.getQueryData(ownUserQuery.queryKey)
      if (user) await adoptLanguage(user)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        throw redirect({ to: paths.signIn, search: { next: location.href } })
      throw error
    }
  },
  component: lazyRouteComponent(() => import("../features/field/FieldLayout.tsx"), "FieldLayout"),
  errorComponent: PageError,
  pendingComponent: PageLoading,
})
const fieldTasks = createRoute({
  getParentRoute: () => field,
  path: paths.field,
  component: lazyRouteComponent(() => import("../features/field/TodayPage.tsx"), "TodayPage"),
})
const fieldTask = createRoute({
  getParentRoute: () => field,
  path: paths.fieldTask,
  // The page of the flow: the phone's own Back goes to the page before.
  validateSearch: ({ page }): { page?: number } =>
    typeof page === "number" && Number.isInteger(page) && page > 1 ? { page } : {},
  component: lazyRouteComponent(() => import("../features/field/stop/StopPage.tsx"), "StopPage"),
})
const fieldPhone = createRoute({
  getParentRoute: () => field,
  path: paths.fieldPhone,
  component: lazyRouteComponent(() => import("../features/field/phone/PhonePage.tsx"), "PhonePage"),
})
const fieldInbox = createRoute({
  getParentRoute: () => field,
  path: paths.fieldInbox,
  component: lazyRouteComponent(() => import("../features/field/inbox/InboxPage.tsx"), "InboxPage"),
})
const idOf = (value: unknown) =>
  typeof value === "string" && /^[0-9a-f]{24}$/.test(value) ? value : undefined
const fieldMessages = createRoute({
  getParentRoute: () => field,
  path: paths.fieldMessages,
  // Neither: the person's own conversation with their planners.
  validateSearch: (search): { taskId?: string; userId?: string } => {
    const [taskId, userId] = [idOf(search.taskId), idOf(search.userId)]
    return { ...(taskId ? { taskId } : {}), ...(userId ? { userId } : {}) }
  },
  component: lazyRouteComponent(() => import("../features/field/inbox/ThreadPage.tsx"), "ThreadPage"),
})
const fieldMap = createRoute({
  getParentRoute: () => field,
  path: paths.fieldMap,
  component: lazyRouteComponent(() => import("../features/field/map/DayMapPage.tsx"), "DayMapPage"),
})
const fieldClaim = createRoute({
  getParentRoute: () => field,
  path: paths.fieldClaim,
  component: lazyRouteComponent(() => import("../features/field/today/ClaimPage.tsx"), "ClaimPage"),
})
const fieldNew = createRoute({
  getParentRoute: () => field,
  path: paths.fieldNew,
  component: lazyRouteComponent(() => import("../features/field/today/NewTaskPage.tsx"), "NewTaskPage"),
})
const fieldLoad = createRoute({
  getParentRoute: () => field,
  path: paths.fieldLoad,
  component: lazyRouteComponent(() => import("../features/field/scan/LoadPage.tsx"), "LoadPage"),
})
const fieldTracking = createRoute({
  getParentRoute: () => field,
  path: paths.fieldTracking,
  component: lazyRouteComponent(
    () => import("../features/field/attendance/TrackingPage.tsx"),
    "TrackingPage",
  ),
})
const fieldGuide = createRoute({
  getParentRoute: () => field,
  path: paths.fieldGuide,
  component: lazyRouteComponent(() => import("../features/field/guide/GuidePage.tsx"), "GuidePage"),
})
const fieldDone = createRoute({
  getParentRoute: () => field,
  path: paths.fieldDone,
  component: lazyRouteComponent(() => import("../features/field/today/DonePage.tsx"), "DonePage"),
})

/** The field worker's page, which needs no network. */
export const fieldPages = field.addChildren([
  fieldTasks,
  fieldPhone,
  fieldInbox,
  fieldMessages,
  fieldMap,
  fieldClaim,
  fieldNew,
  fieldLoad,
  fieldTracking,
  fieldGuide,
  fieldDone,
  fieldTask,
])
