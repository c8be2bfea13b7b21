import { IconBookmark } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useMessages } from "../../../i18n/language.tsx"
import { usePreference } from "../users/preferences.queries.ts"
import { savedViewMessages } from "./messages.ts"
import { type PinnedViews, pinnedViews, placeOfView, viewsQuery } from "./saved-views.queries.ts"

/** The views that the person has pinned to the menu, as far as they are still shared with them. */
export default function PinnedViewList() {
  const t = useMessages(savedViewMessages)
  const [pinned] = usePreference<PinnedViews>(pinnedViews)
  const { data: views = [] } = useQuery({ ...viewsQuery, enabled: (pinned?.ids.length ?? 0) > 0 })
  const shown = (pinned?.ids ?? []).flatMap((id) => views.find(({ _id }) => _id === id) ?? [])
  if (shown.length === 0) return null
  return (
    <section className="nav-group" aria-label={t("pinned")}>
      <div className="nav-group-label">{t("pinned")}</div>
      {shown.map((view) => (
        <Link key={view._id} {...(placeOfView(view) as { to: string })} className="nav-link" activeProps={{}}>
          <IconBookmark size={18} stroke={1.7} aria-hidden />
          <span className="truncate">{view.name}</span>
        </Link>
      ))}
    </section>
  )
}
