import { SegmentedControl } from "@mantine/core"
import { IconTrash } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { historyMessages } from "../../../ui/history/history-messages.ts"
import { ObjectHistory } from "../../../ui/history/ObjectHistory.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { AutomationForm } from "./AutomationForm.tsx"
import { AutomationLog } from "./AutomationLog.tsx"
import { AutomationOwner } from "./AutomationOwner.tsx"
import { type Automation, automationQuery } from "./automations.queries.ts"
import type { LogSearch } from "./log-search.ts"
import { automationMessages } from "./messages.ts"

export const loader: PageLoader = async ({ client, params: { automationId } }) =>
  automationId && client.ensureQueryData(automationQuery(automationId))

/** Making an automation. */
export function NewAutomationPage() {
  const t = useMessages(automationMessages)
  const navigate = useNavigate()
  return (
    <div className="page">
      <PageHeader title={t("new")} />
      <div className="page-body">
        <AutomationForm
          automation={undefined}
          isReadOnly={false}
          onSaved={({ _id }) =>
            // The form learns only with its next render that nothing is unsaved.
            void navigate({
              to: paths.automation,
              params: { automationId: _id },
              search: {},
              ignoreBlocker: true,
            })
          }
          onCancel={() => void navigate({ to: paths.automations, search: {} })}
        />
      </div>
    </div>
  )
}

/** One automation: its settings, and what it did. */
export function AutomationPage() {
  const { automationId } = useParams({ from: "/signed-in/automations/$automationId" })
  const { data: automation } = useSuspenseQuery(automationQuery(automationId))
  return <AutomationView key={automation._id} automation={automation} />
}

function AutomationView({ automation }: { automation: Automation }) {
  const t = useMessages(automationMessages)
  const tHistory = useMessages(historyMessages)
  const { may } = useSession()
  const navigate = useNavigate()
  const [view, setView] = useState("settings")
  const [log, setLog] = useState<LogSearch>({})
  const [isRemoving, setRemoving] = useState(false)
  const back = () => navigate({ to: paths.automations, search: {} })
  const remove = useAction(
    () => server.delete("/api/v3/automation/{automationId}", { automationId: automation._id }),
    { refreshes: [["automations"]], onDone: () => back() },
  )
  return (
    <div className="page">
      <PageHeader title={automation.name}>
        <SegmentedControl
          aria-label={automation.name}
          value={view}
          onChange={setView}
          data={[
            { value: "settings", label: t("settings") },
            { value: "log", label: t("log") },
            { value: "history", label: tHistory("history") },
          ]}
        />
        {may("delete/automation") ? (
          <ActionButton
            icon={IconTrash}
            label={t("delete")}
            variant="default"
            loading={remove.isPending}
            onClick={() => setRemoving(true)}
          />
        ) : null}
      </PageHeader>
      <div className="page-body">
        <FormError error={remove.error} />
        <AutomationOwner automation={automation} />
        {view === "log" ? (
          <AutomationLog automationId={automation._id} search={log} onChange={setLog} />
        ) : null}
        {/* The form is kept while they are looked at: what was entered must not be lost by that. */}
        {view === "history" ? <ObjectHistory objectType="automation" objectId={automation._id} /> : null}
        <div hidden={view !== "settings"}>
          <AutomationForm
            automation={automation}
            isReadOnly={!may("edit/automation")}
            onSaved={() => notifyDone(t("saved"))}
            onCancel={() => void back()}
          />
        </div>
      </div>
      <ConfirmDialog
        isOpen={isRemoving}
        title={t("deleteTitle", { name: automation.name })}
        text={t("removeText")}
        confirm={t("delete")}
        isDangerous
        onConfirm={() => remove.mutate()}
        onClose={() => setRemoving(false)}
      />
    </div>
  )
}
