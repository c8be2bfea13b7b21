import "./shell.css"
import { VisuallyHidden } from "@mantine/core"
import { IconAppWindow, IconExternalLink, IconPuzzle } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { customModulesQuery } from "../features/extensions/custom-modules/custom-modules.queries.ts"
import { useContributions } from "../features/extensions/plugins/plugin-store.ts"
import { useMessages } from "../i18n/language.tsx"
import { paths } from "../paths.ts"
import { shellMessages } from "./messages.ts"

/** What the organization added to the menu by itself: custom modules that the role may see, and plugins' pages. */
export function OwnToolsList() {
  const t = useMessages(shellMessages)
  const { data: modules = [] } = useQuery(customModulesQuery)
  const pages = [...useContributions().values()].filter(({ menuTitle }) => menuTitle !== undefined)
  if (modules.length + pages.length === 0) return null
  return (
    <section className="nav-group" aria-label={t("groupOwn")}>
      <div className="nav-group-label">{t("groupOwn")}</div>
      {modules.map(({ _id, name, type, url }) =>
        type === "external" ? (
          <a key={_id} href={url} target="_blank" rel="noreferrer" className="nav-link">
            <IconExternalLink size={18} stroke={1.7} aria-hidden />
            <span className="truncate">{name}</span>
            <VisuallyHidden>({t("newTab")})</VisuallyHidden>
          </a>
        ) : (
          <Link
            key={_id}
            to={paths.customModule}
            params={{ moduleId: _id }}
            className="nav-link"
            activeProps={{ "aria-current": "page" }}
          >
            <IconAppWindow size={18} stroke={1.7} aria-hidden />
            <span className="truncate">{name}</span>
          </Link>
        ),
      )}
      {pages.map(({ pluginId, menuTitle }) => (
        <Link
          key={pluginId}
          to={paths.plugin}
          params={{ pluginId }}
          className="nav-link"
          activeProps={{ "aria-current": "page" }}
        >
          <IconPuzzle size={18} stroke={1.7} aria-hidden />
          <span className="truncate">{menuTitle}</span>
        </Link>
      ))}
    </section>
  )
}
