import "./shell.css"
import "./NavigationList.css"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { type PinnedViews, pinnedViews, usePreference } from "../features/people/users/preferences.queries.ts"
import { useMessages } from "../i18n/language.tsx"
import { paths } from "../paths.ts"
import { useSession } from "../session/session.ts"
import { shellMessages } from "./messages.ts"
import { navigation } from "./navigation.ts"
import { OwnToolsList } from "./OwnToolsList.tsx"

const AlertMark = lazy(() => import("./AlertMark.tsx"))
const PinnedViewList = lazy(() => import("../features/people/saved-views/PinnedViews.tsx"))

export function NavigationList() {
  const t = useMessages(shellMessages)
  const session = useSession()
  const [pinned] = usePreference<PinnedViews>(pinnedViews)
  return (
    <div className="nav-scroll">
      {navigation.map((group) => {
        const offered = group.entries.filter((entry) => entry.isOffered(session))
        if (offered.length === 0) return null
        return (
          <section key={group.label} className="nav-group" aria-label={t(group.label)}>
            <div className="nav-group-label">{t(group.label)}</div>
            {offered.map(({ to, label, icon: EntryIcon }) => (
              <Link
                key={to}
                to={to}
                className="nav-link"
                activeOptions={{ exact: to === paths.today || to === paths.plugins, includeSearch: false }}
                activeProps={{ "aria-current": "page" }}
              >
                <EntryIcon size={18} stroke={1.7} aria-hidden />
                {t(label)}
                {to === paths.alerts ? (
                  <Suspense fallback={null}>
                    <AlertMark />
                  </Suspense>
                ) : null}
              </Link>
            ))}
          </section>
        )
      })}
      {pinned && pinned.ids.length > 0 ? (
        <Suspense fallback={null}>
          <PinnedViewList ids={pinned.ids} />
        </Suspense>
      ) : null}
      <OwnToolsList />
    </div>
  )
}
