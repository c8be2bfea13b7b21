import { Button, Group, Loader, Modal, Stack } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useMessages } from "../../i18n/language.tsx"
import { FormError } from "../../ui/FormError.tsx"
import { notifyDone } from "../../ui/notify.ts"
import { routeMessages } from "./messages.ts"
import { dispatch } from "./routes.queries.ts"

/** What dispatching will do, visit by visit where it will not, and then does it. */
export function DispatchDialog({ resultId, onClose }: { resultId: string; onClose(): void }) {
  const t = useMessages(routeMessages)
  const client = useQueryClient()
  const preview = useQuery({
    queryKey: ["routing-result", resultId, "dispatch-preview"],
    queryFn: () => dispatch(resultId, true),
    staleTime: 0,
    gcTime: 0,
  })
  const send = useMutation({
    mutationFn: () => dispatch(resultId, false),
    onSuccess: async (report) => {
      notifyDone(t("dispatchDone", { success: report.success }))
      await client.invalidateQueries({ queryKey: ["routing-result", resultId] })
      onClose()
    },
  })
  const report = preview.data
  const refused = report?.tasks.filter(({ status }) => !status) ?? []
  return (
    <Modal opened onClose={onClose} title={t("dispatchTitle")}>
      <Stack gap="sm">
        {preview.isPending ? <Loader size="sm" aria-label={t("dispatch")} /> : null}
        <FormError error={preview.error ?? send.error} />
        {report ? <p>{t("dispatchText", { success: report.success })}</p> : null}
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
