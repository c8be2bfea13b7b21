import { useQuery } from "@tanstack/react-query"
import { Navigate, useParams } from "@tanstack/react-router"
import { dataQuery } from "../../../api/server.ts"
import { NotFoundPage, PageLoading } from "../../../shell/page-states.tsx"
import { placeOfView } from "./saved-views.queries.ts"

/** The link to a view: leads to its list. Somebody with whom it is not shared learns nothing of it. */
export function SavedViewPage() {
  const { viewId } = useParams({ from: "/signed-in/views/$viewId" })
  const { data: view, isError } = useQuery(
    dataQuery(["views", viewId], "/api/v3/view/{viewId}", { viewId: viewId }, { retry: false }),
  )
  if (isError) return <NotFoundPage />
  return view ? <Navigate {...(placeOfView(view) as { to: string })} replace /> : <PageLoading />
}
