import "./integrations.css"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useSession } from "../../../session/session.ts"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { ApplicationsSection } from "../../people/applications/ApplicationsSection.tsx"
import { applicationsQuery } from "../../people/applications/applications.queries.ts"
import { customModulesQuery } from "../custom-modules/custom-modules.queries.ts"
import { DirectoriesSection } from "./DirectoriesSection.tsx"
import { directoriesQuery } from "./directories.queries.ts"
import { integrationsQuery } from "./integrations.queries.ts"
import { ModulesSection } from "./ModulesSection.tsx"
import { integrationMessages } from "./messages.ts"
import { SignOnSection } from "./SignOnSection.tsx"

export const loader: PageLoader = ({ client, session: { may } }) =>
  Promise.all([
    may("view/integration") && client.ensureQueryData(integrationsQuery),
    may("view/integration") && client.ensureQueryData(applicationsQuery),
    may("view/integration") && client.ensureQueryData(directoriesQuery),
    may("edit/organization") && client.ensureQueryData(customModulesQuery),
  ])

/** How the company's other systems belong to this one: its directory, and tools of its own in the menu. */
export function IntegrationsPage() {
  const t = useMessages(integrationMessages)
  const { may } = useSession()
  return (
    <div className="page">
      <PageHeader title={t("title")} />
      <div className="page-body integrations">
        {may("view/integration") ? <SignOnSection /> : null}
        {may("view/integration") ? <ApplicationsSection /> : null}
        {may("view/integration") ? <DirectoriesSection /> : null}
        {may("edit/organization") ? <ModulesSection /> : null}
      </div>
    </div>
  )
}
