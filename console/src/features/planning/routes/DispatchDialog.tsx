import { Loader } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { usePeopleNames } from "../../work/tasks/people.ts"
import { clockText } from "./clock.ts"
import { routeMessages } from "./messages.ts"
import { dispatch, type Result } from "./routes.queries.ts"

/** What dispatching will do: who gets how much and when, visit by visit what it will not; and then does it. */
export function DispatchDialog({ result, onClose }: { result: Result; onClose(): void }) {
  const resultId = result._id
  const t = useMessages(routeMessages)
  const preview = useQuery({
    queryKey: ["routing-result", resultId, "dispatch-preview"],
    queryFn: () => dispatch(resultId, true),
    staleTime: 0,
    gcTime: 0,
  })
  const send = useAction(() => dispatch(resultId, false), {
    refreshes: [["routing-result", resultId]],
    done: (report) => t("dispatchDone", { success: report.success }),
    onDone: onClose,
  })
  const report = preview.data
  const refused = report?.tasks.filter(({ status }) => !status) ?? []
  return (
    <FormDialog
      title={t("dispatchTitle")}
      size="lg"
      request={{ error: preview.error ?? send.error, isPending: send.isPending }}
      submit={t("dispatch")}
      isDisabled={!report || report.success === 0}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      {preview.isPending ? <Loader size="sm" role="status" aria-label={t("dispatch")} /> : null}
      {report ? <p>{t("dispatchText", { success: report.success })}</p> : null}
      {report ? <DispatchedVehicles result={result} /> : null}
      {refused.length > 0 ? (
        <div>
          <p>{t("dispatchNot", { failed: refused.length })}</p>
          <ul style={{ maxHeight: 200, overflowY: "auto", paddingInlineStart: 20 }}>
            {refused.map((task) => (
              <li key={task._id}>
                {task.title}: <span className="quiet">{task.message}</span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </FormDialog>
  )
}

function DispatchedVehicles({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  const people = usePeopleNames()
  const routes = (result.result?.routing ?? []).filter(({ trips }) => trips.some((node) => !node.isHub))
  return (
    <div style={{ maxHeight: 300, overflowY: "auto" }}>
      <DataTable
        rows={routes}
        keyOf={({ vehicleId }) => vehicleId}
        columns={[
          { title: t("dispatchVehicle"), cell: ({ vehicleName }) => vehicleName },
          {
            title: t("dispatchDriver"),
            cell: ({ assignee }) =>
              assignee ? (people.get(assignee) ?? assignee) : <span className="quiet">{t("noDriver")}</span>,
          },
          {
            title: t("visits"),
            kind: "number",
            cell: ({ trips }) => trips.filter((node) => !node.isHub).length,
          },
          { title: t("begins"), from: "sm", cell: ({ trips }) => clockText(trips[0]?.etd) },
          { title: t("ends"), from: "sm", cell: ({ trips }) => clockText(trips.at(-1)?.eta) },
        ]}
      />
    </div>
  )
}
