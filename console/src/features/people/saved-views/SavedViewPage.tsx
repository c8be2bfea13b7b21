import { useQuery } from "@tanstack/react-query"
import { Navigate, useParams } from "@tanstack/react-router"
import { useEffect } from "react"
import { dataQuery } from "../../../api/server.ts"
import { NotFoundPage, PageLoading } from "../../../shell/page-states.tsx"
import { columnsOfView, placeOfView, type SavedView, useListColumns } from "./saved-views.queries.ts"

/** The link to a view: leads to its list. Somebody with whom it is not shared learns nothing of it. */
export function SavedViewPage() {
  const { viewId } = useParams({ from: "/signed-in/views/$viewId" })
  const { data: view, isError } = useQuery(
    dataQuery(["views", viewId], "/api/v3/view/{viewId}", { viewId: viewId }, { retry: false }),
  )
  if (isError) return <NotFoundPage />
  return view ? <ToList view={view} /> : <PageLoading />
}

function ToList({ view }: { view: SavedView }) {
  const [, keepColumns] = useListColumns(view.list)
  useEffect(() => {
    const columns = columnsOfView(view)
    if (columns) keepColumns(columns)
  }, [view, keepColumns])
  return <Navigate {...(placeOfView(view) as { to: string })} replace />
}
