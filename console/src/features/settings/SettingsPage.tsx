import { Link, Outlet } from "@tanstack/react-router"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { PageHeader } from "../../ui/PageHeader.tsx"
import { settingsMessages } from "./messages.ts"

/** The settings with their sections; a section that the role lacks is not offered. */
export function SettingsPage() {
  const t = useMessages(settingsMessages)
  const { may } = useSession()
  const sections = [
    { to: paths.roles, label: t("roles"), isOffered: may("view/role") },
    { to: paths.teams, label: t("teams"), isOffered: may("view/team") },
    { to: paths.organization, label: t("organization"), isOffered: may("view/organization") },
    { to: paths.policies, label: t("policies"), isOffered: may("view/role") },
    { to: paths.devices, label: t("devices"), isOffered: true },
    { to: paths.tokens, label: t("tokens"), isOffered: may("token/manage-token") },
    { to: paths.audit, label: t("audit"), isOffered: may("edit/organization") },
    { to: paths.trash, label: t("trash"), isOffered: may("view/trash") },
    { to: paths.outbox, label: t("outbox"), isOffered: may("edit/organization") },
  ]
  return (
    <div className="page">
      <PageHeader title={t("title")} />
      <nav className="sections" aria-label={t("sections")}>
        {sections.map((section) =>
          section.isOffered ? (
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
