import { Button, SegmentedControl, Select } from "@mantine/core"
import { IconAlertTriangle, IconChecks, IconPlus } from "@tabler/icons-react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { AlertTable } from "./AlertTable.tsx"
import { alertMessages } from "./alert-messages.ts"
import {
  type AlertKind,
  type AlertRule,
  type AlertState,
  acknowledgeAlerts,
  alertKinds,
  alertsQuery,
  pageSize,
} from "./alerts.queries.ts"
import { RuleDialog } from "./RuleDialog.tsx"
import { RuleTable } from "./RuleTable.tsx"

const all = "all"
const start = { state: "unacknowledged", page: 1 } as const

export const loader: PageLoader = ({ client }) =>
  client.prefetchQuery(alertsQuery({ ...start, hubId: undefined }))

/** What rules found, with its acknowledgement; and the rules. */
export function AlertsPage() {
  const t = useMessages(alertMessages)
  const { may } = useSession()
  const hubId = useChosenHub()
  const [side, setSide] = useState<"alerts" | "rules">("alerts")
  const [state, setState] = useState<AlertState | typeof all>(start.state)
  const [kind, setKind] = useState<AlertKind>()
  const [page, setPage] = useState(1)
  const [edited, setEdited] = useState<AlertRule | "new">()
  const { data, error } = useQuery({
    ...alertsQuery({ state: state === all ? undefined : state, kind, hubId, page }),
    placeholderData: keepPreviousData,
  })
  const alerts = data?.data.data ?? []
  const waiting = alerts.filter(({ acknowledgedTime }) => acknowledgedTime === null)
  const acknowledge = useAction(acknowledgeAlerts, { refreshes: [["alerts"]], done: () => t("done") })
  const choose = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      setPage(1)
      set(value)
    }
  }
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={t("openCount", { count: data?.open ?? 0 })}>
        {side === "alerts" && waiting.length > 1 ? (
          <ActionButton
            icon={IconChecks}
            label={t("acknowledgeAll")}
            variant="default"
            loading={acknowledge.isPending}
            onClick={() => acknowledge.mutate(waiting.map(({ _id }) => _id))}
          />
        ) : null}
        {may("add/automation") ? (
          <ActionButton icon={IconPlus} label={t("newRule")} onClick={() => setEdited("new")} />
        ) : null}
      </PageHeader>
      <div className="toolbar">
        {may("view/automation") ? (
          <SegmentedControl
            aria-label={t("show")}
            value={side}
            onChange={(value) => setSide(value as "alerts")}
            data={[
              { value: "alerts", label: t("alerts") },
              { value: "rules", label: t("rules") },
            ]}
          />
        ) : null}
        {side === "alerts" ? (
          <>
            <Select
              aria-label={t("show")}
              allowDeselect={false}
              w={180}
              value={state}
              onChange={(value) => choose(setState)(value as AlertState)}
              data={[
                { value: "unacknowledged", label: t("stateUnacknowledged") },
                { value: "open", label: t("stateOpen") },
                { value: all, label: t("stateAll") },
              ]}
            />
            <Select
              aria-label={t("kind")}
              allowDeselect={false}
              w={240}
              value={kind ?? all}
              onChange={(value) => choose(setKind)(value === all ? undefined : (value as AlertKind))}
              data={[
                { value: all, label: t("allKinds") },
                ...alertKinds.map((value) => ({ value, label: t(value) })),
              ]}
            />
          </>
        ) : null}
      </div>
      <FormError error={error ?? acknowledge.error} />
      <div className="page-scroll">
        {side === "rules" ? (
          <RuleTable onEdit={setEdited} />
        ) : alerts.length === 0 ? (
          <EmptyState icon={IconAlertTriangle} title={t("emptyTitle")} text={t("emptyText")} />
        ) : (
          <AlertTable alerts={alerts} onAcknowledge={(id) => acknowledge.mutate([id])} />
        )}
        {side === "alerts" && (data?.data.total ?? 0) > pageSize ? (
          <div className="toolbar">
            <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
              {t("previous")}
            </Button>
            <Button
              variant="default"
              disabled={page * pageSize >= (data?.data.total ?? 0)}
              onClick={() => setPage(page + 1)}
            >
              {t("next")}
            </Button>
          </div>
        ) : null}
      </div>
      {edited ? (
        <RuleDialog rule={edited === "new" ? undefined : edited} onClose={() => setEdited(undefined)} />
      ) : null}
    </div>
  )
}
