import "./routes.css"
import { Select } from "@mantine/core"
import { IconArrowLeft } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { useHubNames } from "../../work/tasks/people.ts"
import { routeMessages } from "./messages.ts"
import { profileMessages } from "./profiles/profile-messages.ts"

/** A hub of the page: the console's chosen one, else the first. */
export function useHubOfPage() {
  const chosen = useChosenHub()
  const hubs = useHubNames()
  const [picked, setPicked] = useState<string>()
  const hubId = picked ?? chosen ?? [...hubs.keys()][0]
  return { hubs, hubId, setPicked }
}

interface PlanningPageProps {
  title: string
  hint: string
  page: ReturnType<typeof useHubOfPage>
  action: ReactNode
  onHub?(): void
  children: ReactNode
}

/** A page about planning of one hub: a link to the routes, the choice of the hub, and its content. */
export function PlanningPage({ title, hint, page, action, onHub, children }: PlanningPageProps) {
  const t = useMessages(profileMessages)
  const tRoute = useMessages(routeMessages)
  const { hubs, hubId, setPicked } = page
  return (
    <div className="page">
      <PageHeader title={title}>
        <ActionButton
          icon={IconArrowLeft}
          label={tRoute("back")}
          component={Link}
          to={paths.routes}
          variant="subtle"
          className="from-sm-inline"
        />
        {action}
      </PageHeader>
      <div className="toolbar">
        {hubs.size > 1 ? (
          <Select
            aria-label={t("hub")}
            data={[...hubs].map(([value, label]) => ({ value, label }))}
            value={hubId ?? null}
            allowDeselect={false}
            searchable={hubs.size > 8}
            onChange={(value) => {
              onHub?.()
              setPicked(value ?? undefined)
            }}
            w={230}
          />
        ) : null}
        <span className="quiet">{hint}</span>
      </div>
      {children}
    </div>
  )
}
