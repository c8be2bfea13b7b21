import "./shell.css"
import "./NavigationList.css"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { useMessages } from "../i18n/language.tsx"
import { paths } from "../paths.ts"
import { useSession } from "../session/session.ts"
import { shellMessages } from "./messages.ts"
import { navigation } from "./navigation.ts"
import { OwnToolsList } from "./OwnToolsList.tsx"

const PinnedViewList = lazy(() => import("../features/people/saved-views/PinnedViews.tsx"))

export function NavigationList() {
  const t = useMessages(shellMessages)
  const session = useSession()
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
              </Link>
            ))}
          </section>
        )
      })}
      <Suspense fallback={null}>
        <PinnedViewList />
      </Suspense>
      <OwnToolsList />
    </div>
  )
}
