import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { DeniedPage } from "../../../shell/page-states.tsx"
import { PageHeader } from "../../../ui/PageHeader.tsx"
import { ModulesSection } from "./ModulesSection.tsx"
import { integrationMessages } from "./messages.ts"
import { SignOnSection } from "./SignOnSection.tsx"
import "./integrations.css"

/** How the company's other systems belong to this one: its directory, and tools of its own in the menu. */
export function IntegrationsPage() {
  const t = useMessages(integrationMessages)
  const { may, mayAny } = useSession()
  if (!mayAny("view/integration", "edit/organization")) return <DeniedPage permission="view/integration" />
  return (
    <div className="page">
      <PageHeader title={t("title")} />
      <div className="page-body integrations">
        {may("view/integration") ? <SignOnSection /> : null}
        {may("edit/organization") ? <ModulesSection /> : null}
      </div>
    </div>
  )
}
