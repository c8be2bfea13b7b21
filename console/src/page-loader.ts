import type { QueryClient } from "@tanstack/react-query"
import type { Session } from "./session/session.ts"

/** What a page's loader receives. It runs before the page is shown, and when a link to it is hovered or focused. */
interface LoaderContext {
  client: QueryClient
  session: Session
  params: Readonly<Record<string, string>>
  search: Readonly<Record<string, unknown>>
}

/** Reads the page's data into the query cache, from which the page takes it with `useSuspenseQuery`. */
export type PageLoader = (context: LoaderContext) => Promise<unknown>
