import { Text } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api, responseOf } from "../../../api/client.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { FormDialog } from "../../../ui/FormDialog.tsx"
import { InstantInput } from "../../../ui/InstantInput.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { webhookMessages } from "./messages.ts"

const hourMilliseconds = 3_600_000

/** Everything since a moment is sent once more, as after an outage of the other system. */
export function ReplayDialog({ webhookId, onClose }: { webhookId: string; onClose(): void }) {
  const t = useMessages(webhookMessages)
  const { timeZone } = useSession().organization
  const client = useQueryClient()
  const [since, setSince] = useState(() => new Date(Date.now() - hourMilliseconds).toISOString())
  const replay = useMutation({
    mutationFn: async () =>
      (
        await responseOf(
          api.POST("/api/v3/automation/{automationId}/replay", {
            params: { path: { automationId: webhookId } },
            body: { since },
          }),
        )
      ).data,
    onSuccess: async ({ events }) => {
      await client.invalidateQueries({ queryKey: ["automations", "log"] })
      notifyDone(t("replayed", { count: events }))
      onClose()
    },
  })
  return (
    <FormDialog
      title={t("replayTitle")}
      gap="md"
      request={replay}
      submit={t("start")}
      onSubmit={() => replay.mutate()}
      onClose={onClose}
    >
      <Text size="sm" className="quiet">
        {t("replayText")}
      </Text>
      <InstantInput
        label={t("since")}
        required
        timeZone={timeZone}
        value={since}
        onChange={(value) => setSince(value ?? "")}
      />
    </FormDialog>
  )
}
