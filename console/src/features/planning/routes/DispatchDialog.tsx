import { Button, Group, Loader, Modal, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useMessages } from "../../../i18n/language.tsx"
import { FormError } from "../../../ui/FormError.tsx"
import { useAction } from "../../../ui/use-action.ts"
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
    <Modal opened onClose={onClose} title={t("dispatchTitle")} size="lg">
      <Stack gap="sm">
        {preview.isPending ? <Loader size="sm" role="status" aria-label={t("dispatch")} /> : null}
        <FormError error={preview.error ?? send.error} />
        {report ? <p>{t("dispatchText", { success: report.success })}</p> : null}
        {report ? <DispatchedVehicles result={result} /> : null}
        {refused.length > 0 ? (
          <div>
            <p>{t("dispatchNot", { failed: refused.length })}</p>
            <ul style={{ maxHeight: 200, overflowY: "auto", paddingLeft: 20 }}>
              {refused.map((task) => (
                <li key={task._id}>
                  {task.title}: <span className="quiet">{task.message}</span>
                </li>
              ))}
            </ul>
          </div>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button
            loading={send.isPending}
            disabled={!report || report.success === 0}
            onClick={() => send.mutate()}
          >
            {t("dispatch")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function DispatchedVehicles({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  const people = usePeopleNames()
  const routes = (result.result?.routing ?? []).filter(({ trips }) => trips.some((node) => !node.isHub))
  return (
    <div style={{ maxHeight: 300, overflowY: "auto" }}>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t("dispatchVehicle")}</th>
            <th>{t("dispatchDriver")}</th>
            <th style={{ textAlign: "right" }}>{t("visits")}</th>
            <th className="from-sm">{t("begins")}</th>
            <th className="from-sm">{t("ends")}</th>
          </tr>
        </thead>
        <tbody>
          {routes.map((route) => (
            <tr key={route.vehicleId}>
              <td>{route.vehicleName}</td>
              <td className={route.assignee ? undefined : "quiet"}>
                {route.assignee ? (people.get(route.assignee) ?? route.assignee) : t("noDriver")}
              </td>
              <td align="right">{route.trips.filter((node) => !node.isHub).length}</td>
              <td className="from-sm">{clockText(route.trips[0]?.etd)}</td>
              <td className="from-sm">{clockText(route.trips.at(-1)?.eta)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
