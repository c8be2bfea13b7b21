import { SegmentedControl, Switch } from "@mantine/core"
import { IconBolt, IconPlus } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindChecked } from "../../../ui/forms/bind.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { AutomationLog } from "./AutomationLog.tsx"
import { PausedBadge } from "./AutomationOwner.tsx"
import { type ActionName, type EventName, eventKinds } from "./automation-draft.ts"
import { type Automation, automationsQuery, switchAutomation } from "./automations.queries.ts"
import type { LogSearch } from "./log-search.ts"
import { automationMessages } from "./messages.ts"
import { useCatalogue } from "./source-fields.ts"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(automationsQuery)

/** All automations with their switch, or the log of all of them. */
export function AutomationsPage() {
  const t = useMessages(automationMessages)
  const { may } = useSession()
  const { view } = useSearch({ from: "/signed-in/automations" })
  const navigate = useNavigate({ from: paths.automations })
  const { data: automations } = useSuspenseQuery(automationsQuery)
  const [log, setLog] = useState<LogSearch>({})
  const newButton = may("add/automation") ? (
    <ActionButton icon={IconPlus} label={t("new")} component={Link} to={paths.automationNew} />
  ) : null
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={t("count", { count: automations.length })}>
        <SegmentedControl
          aria-label={t("title")}
          value={view ?? "all"}
          onChange={(value) =>
            void navigate({ search: value === "log" ? { view: "log" } : {}, replace: true })
          }
          data={[
            { value: "all", label: t("list") },
            { value: "log", label: t("log") },
          ]}
        />
        {automations.length === 0 && view !== "log" ? null : newButton}
      </PageHeader>
      <div className="page-body">
        {view === "log" ? (
          <AutomationLog search={log} onChange={setLog} />
        ) : automations.length === 0 ? (
          <EmptyState icon={IconBolt} title={t("emptyTitle")} text={t("emptyText")}>
            {newButton}
          </EmptyState>
        ) : (
          <AutomationTable automations={automations} />
        )}
      </div>
    </div>
  )
}

function AutomationTable({ automations }: { automations: readonly Automation[] }) {
  const t = useMessages(automationMessages)
  const { may } = useSession()
  const catalogue = useCatalogue()
  const turn = useAction(
    ({ id, isActive }: { id: string; isActive: boolean }) => switchAutomation(id, isActive),
    { refreshes: [["automations"]] },
  )
  const aboutOf = ({ event, rules }: Automation) => {
    const kind = eventKinds[event as EventName]
    if (kind === "task") return String(rules.flow ?? "")
    return catalogue.dataTypes.find(({ _id }) => _id === rules.dataTypeId)?.name ?? ""
  }
  return (
    <>
      <FormError error={turn.error} />
      <DataTable
        rows={automations}
        keyOf={({ _id }) => _id}
        columns={[
          {
            title: t("name"),
            cell: (automation) => (
              <>
                <Link
                  to={paths.automation}
                  params={{ automationId: automation._id }}
                  className="row-link"
                  style={{ fontWeight: 550 }}
                >
                  {automation.name}
                </Link>{" "}
                <PausedBadge automation={automation} />
              </>
            ),
          },
          {
            title: t("when"),
            from: "sm",
            cell: (automation) => (
              <>
                {t(automation.event as EventName)}
                <div className="quiet">{aboutOf(automation)}</div>
              </>
            ),
          },
          {
            title: t("thenDo"),
            from: "sm",
            cell: (automation) => t(automation.automationType as ActionName),
          },
          {
            title: t("active"),
            cell: (automation) => (
              <Switch
                size="sm"
                aria-label={t("switchLabel", { name: automation.name })}
                disabled={!may("edit/automation") || turn.isPending}
                {...bindChecked(automation.isActive, (isActive) =>
                  turn.mutate({ id: automation._id, isActive }),
                )}
              />
            ),
          },
        ]}
      />
    </>
  )
}
