import "./settings.css"
import { Link, Outlet, useLocation } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { settingsMessages } from "./messages.ts"

/** The settings with their sections; a section that the role lacks is not offered. */
export function SettingsPage() {
  const t = useMessages(settingsMessages)
  const { may } = useSession()
  const { pathname } = useLocation()
  const sections = [
    { to: paths.roles, label: t("roles"), permission: "view/role" },
    { to: paths.teams, label: t("teams"), permission: "view/team" },
    { to: paths.organization, label: t("organization"), permission: "view/organization" },
    { to: paths.policies, label: t("policies"), permission: "view/role" },
    { to: paths.devices, label: t("devices"), permission: undefined },
    { to: paths.tokens, label: t("tokens"), permission: "token/manage-token" },
    { to: paths.calendars, label: t("calendars"), permission: "view/task" },
    { to: paths.maps, label: t("maps"), permission: undefined },
    { to: paths.customers, label: t("customers"), permission: "view/organization" },
    { to: paths.audit, label: t("audit"), permission: "edit/organization" },
    { to: paths.trash, label: t("trash"), permission: "view/trash" },
    { to: paths.outbox, label: t("outbox"), permission: "edit/organization" },
  ] as const
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
        {sections.map((section) =>
          isOffered(section.permission) ? (
            <Link
              key={section.to}
              to={section.to}
              className="section-link"
              activeProps={{ "aria-current": "page" }}
            >
              {section.label}
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
