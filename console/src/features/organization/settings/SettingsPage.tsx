import "./settings.css"
import { Link, Outlet, useLocation } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { settingsMessages } from "./messages.ts"
import { settingsSections } from "./sections.ts"

/** The settings with their sections; a section that the role lacks is not offered. */
export function SettingsPage() {
  const t = useMessages(settingsMessages)
  const { may } = useSession()
  const { pathname } = useLocation()
  const isOffered = (permission: string | undefined) => permission === undefined || may(permission)
  // On a phone the sections are a line that is swiped: the chosen one is in sight.
  const chosen = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another section is chosen when the address changes
  useEffect(() => {
    chosen.current
      ?.querySelector("[aria-current=page]")
      ?.scrollIntoView({ block: "nearest", inline: "center" })
  }, [pathname])
  return (
    <div className="page">
      <PageHeader title={t("title")} />
      <nav ref={chosen} className="sections" aria-label={t("sections")}>
        {settingsSections.map((section) =>
          isOffered(section.permission) ? (
            <Link
              key={section.to}
              to={section.to}
              className="section-link"
              activeProps={{ "aria-current": "page" }}
            >
              {t(section.label)}
            </Link>
          ) : null,
        )}
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <div className="page-scroll settings-body" tabIndex={0}>
        <Outlet />
      </div>
    </div>
  )
}
