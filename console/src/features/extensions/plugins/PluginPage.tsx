import { IconPuzzle } from "@tabler/icons-react"
import { useParams } from "@tanstack/react-router"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { pluginMessages } from "./messages.ts"
import { PluginPanel } from "./PluginPanel.tsx"
import { useContributions } from "./plugin-store.ts"
import { runningPluginsQuery } from "./plugins.queries.ts"

export const loader: PageLoader = ({ client }) => client.prefetchQuery(runningPluginsQuery)

/** The page that a plugin's menu entry leads to. */
export function PluginPage() {
  const t = useMessages(pluginMessages)
  const { pluginId } = useParams({ from: "/signed-in/plugins/$pluginId" })
  const contribution = useContributions().get(pluginId)
  if (!contribution)
    return <EmptyState icon={IconPuzzle} title={t("notRunning")} text={t("notRunningText")} />
  const { name, menuTitle, panels, notify } = contribution
  const panel = panels.find(({ place }) => place === "page")
  return (
    <div className="page">
      <PageHeader title={menuTitle ?? name} detail={menuTitle ? name : ""} />
      <div className="page-body">
        {panel ? (
          <PluginPanel
            panel={panel}
            by=""
            onPress={(id) => notify("press", { id, place: "page", task: null })}
          />
        ) : (
          <p className="quiet">{t("showsNothing")}</p>
        )}
      </div>
    </div>
  )
}
