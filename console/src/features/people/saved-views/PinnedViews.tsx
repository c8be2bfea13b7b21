import { IconBookmark } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useMessages } from "../../../i18n/language.tsx"
import { savedViewMessages } from "./messages.ts"
import {
  columnsOfView,
  placeOfView,
  type SavedView,
  useListColumns,
  viewsQuery,
} from "./saved-views.queries.ts"

/** The views that the person has pinned to the menu, as far as they are still shared with them. */
export default function PinnedViewList({ ids }: { ids: readonly string[] }) {
  const t = useMessages(savedViewMessages)
  const { data: views = [] } = useQuery(viewsQuery)
  const shown = ids.flatMap((id) => views.find(({ _id }) => _id === id) ?? [])
  if (shown.length === 0) return null
  return (
    <section className="nav-group" aria-label={t("pinned")}>
      <div className="nav-group-label">{t("pinned")}</div>
      {shown.map((view) => (
        <PinnedView key={view._id} view={view} />
      ))}
    </section>
  )
}

function PinnedView({ view }: { view: SavedView }) {
  const [, keepColumns] = useListColumns(view.list)
  const columns = columnsOfView(view)
  return (
    <Link
      {...(placeOfView(view) as { to: string })}
      className="nav-link"
      activeProps={{}}
      onClick={() => columns && keepColumns(columns)}
    >
      <IconBookmark size={18} stroke={1.7} aria-hidden />
      <span className="truncate">{view.name}</span>
    </Link>
  )
}
