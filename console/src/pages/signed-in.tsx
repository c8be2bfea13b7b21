import { createRoute, lazyRouteComponent, redirect, type SearchMiddleware } from "@tanstack/react-router"
import { ApiError } from "../api/client.ts"
import { paths } from "../paths.ts"
import { queryClient } from "../query-client.ts"
import { ownUserQuery } from "../session/session.ts"
import { PageError, PageLoading } from "../shell/page-states.tsx"
import { root } from "./root.tsx"

export interface ShellSearch {
  /** The hub that the whole console is narrowed to. */
  hub?: string
}

/** The chosen hub stays in the address from page to page until another is chosen. */
const keepHub: SearchMiddleware<ShellSearch> = ({ search, next }) => {
  const wanted = next(search)
  return "hub" in wanted || search.hub === undefined ? wanted : { ...wanted, hub: search.hub }
}

export const signedIn = createRoute({
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
  component: lazyRouteComponent(() => import("../shell/SignedInLayout.tsx"), "SignedInLayout"),
  errorComponent: PageError,
  pendingComponent: PageLoading,
})

/** What every page of somebody who is signed in has. */
export const page = {
  getParentRoute: () => signedIn,
  errorComponent: PageError,
  pendingComponent: PageLoading,
} as const
