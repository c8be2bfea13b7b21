import {
  createRoute,
  type LoaderFnContext,
  lazyRouteComponent,
  type RouteComponent,
  redirect,
  type SearchMiddleware,
} from "@tanstack/react-router"
import type { FunctionComponent } from "react"
import { ApiError } from "../api/client.ts"
import { adoptLanguage } from "../i18n/chosen-language.ts"
import type { PageLoader } from "../page-loader.ts"
import { paths } from "../paths.ts"
import { queryClient } from "../query-client.ts"
import { ownUserQuery, type Session, sessionOf, useSession } from "../session/session.ts"
import { DeniedPage, PageError, PageLoading } from "../shell/page-states.tsx"
import { root } from "./root.tsx"

export interface ShellSearch {
  /** The hub that the whole console is narrowed to. */
  hub?: string | undefined
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
      await adoptLanguage(await queryClient.ensureQueryData(ownUserQuery))
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

/**
 * A page of the console: its module, which may export a `loader`, and the permissions of which one opens it.
 * The first of them is named to those who have none.
 */
export function page<Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Record<Name, FunctionComponent> & { loader?: PageLoader }>,
  name: Name,
  ...permissions: readonly string[]
) {
  const Page = lazyRouteComponent(
    async (): Promise<{ Page: FunctionComponent }> => ({ Page: (await load())[name] }),
    "Page",
  )
  const isAllowed = ({ mayAny }: Session) => permissions.length === 0 || mayAny(...permissions)
  function PermittedPage() {
    return isAllowed(useSession()) ? <Page /> : <DeniedPage permission={permissions[0] ?? ""} />
  }
  return {
    getParentRoute: () => signedIn,
    path,
    // Declared as unknown: a type here would replace the parameters that the router derives from the path.
    loader: async (context: unknown) => {
      const { params, location } = context as LoaderFnContext
      const session = sessionOf(await queryClient.ensureQueryData(ownUserQuery))
      if (!isAllowed(session)) return
      const search = location.search as Record<string, unknown>
      await (await load()).loader?.({ client: queryClient, session, params: { ...params }, search })
    },
    component: Object.assign(PermittedPage, Page.preload ? { preload: Page.preload } : {}) as RouteComponent,
    errorComponent: PageError,
    pendingComponent: PageLoading,
  } as const
}

/** The route of a page inside `parent`, for pages without a search of their own. */
export function pageRoute<Path extends string, Name extends string>(
  ...options: Parameters<typeof page<Path, Name>>
) {
  return createRoute(page(...options))
}
