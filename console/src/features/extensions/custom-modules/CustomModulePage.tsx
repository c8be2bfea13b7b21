import "../plugins/plugins.css"
import { IconAppWindow, IconExternalLink } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { defineMessages } from "../../../i18n/messages.ts"
import type { PageLoader } from "../../../page-loader.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { type CustomModule, customModulesQuery } from "./custom-modules.queries.ts"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(customModulesQuery)

const messages = defineMessages("extensions.customModulePage", {
  gone: "This tool does not exist",
  goneText: "It was removed, or your role does not include it.",
  newTab: "Open in a new tab",
})

/** A tool of the organization's own, inside the console. */
export function CustomModulePage() {
  const t = useMessages(messages)
  const { moduleId } = useParams({ from: "/signed-in/modules/$moduleId" })
  const { data: modules } = useSuspenseQuery(customModulesQuery)
  const module = modules.find(({ _id }) => _id === moduleId)
  if (!module) return <EmptyState icon={IconAppWindow} title={t("gone")} text={t("goneText")} />
  return <ModuleFrame key={module._id} module={module} />
}

function ModuleFrame({ module }: { module: CustomModule }) {
  const t = useMessages(messages)
  // The signature changes with each response, which must not reload the tool.
  const [address] = useState(module.frameUrl)
  return (
    <div className="page">
      <PageHeader title={module.name}>
        <ActionButton
          icon={IconExternalLink}
          label={t("newTab")}
          component="a"
          href={module.url}
          target="_blank"
          rel="noreferrer"
          variant="default"
        />
      </PageHeader>
      <iframe title={module.name} src={address} className="module-frame" referrerPolicy="no-referrer" />
    </div>
  )
}
