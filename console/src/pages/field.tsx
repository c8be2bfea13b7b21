import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { ApiError } from "../api/client.ts"
import { paths } from "../paths.ts"
import { PageError, PageLoading } from "../shell/page-states.tsx"
import { root } from "./root.tsx"

const field = createRoute({
  getParentRoute: () => root,
  id: "field-layout",
  beforeLoad: async ({ location }) => {
    const { ensureWorker } = await import("../features/field/field.queries.ts")
    try {
      await ensureWorker()
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
  component: lazyRouteComponent(() => import("../features/field/FieldTasksPage.tsx"), "FieldTasksPage"),
})
const fieldTask = createRoute({
  getParentRoute: () => field,
  path: paths.fieldTask,
  component: lazyRouteComponent(() => import("../features/field/FieldTaskPage.tsx"), "FieldTaskPage"),
})

/** The field worker's page, which needs no network. */
export const fieldPages = field.addChildren([fieldTasks, fieldTask])
