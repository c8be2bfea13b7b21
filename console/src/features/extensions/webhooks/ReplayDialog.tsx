import { Text } from "@mantine/core"
import { useState } from "react"
import { dataOf, server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { InstantInput } from "../../../ui/forms/InstantInput.tsx"
import { webhookMessages } from "./messages.ts"

const hourMilliseconds = 3_600_000

/** Everything since a moment is sent once more, as after an outage of the other system. */
export function ReplayDialog({ webhookId, onClose }: { webhookId: string; onClose(): void }) {
  const t = useMessages(webhookMessages)
  const { timeZone } = useSession().organization
  const [since, setSince] = useState(() => new Date(Date.now() - hourMilliseconds).toISOString())
  const replay = useAction(
    () =>
      dataOf(
        server.post("/api/v3/automation/{automationId}/replay", { automationId: webhookId, body: { since } }),
      ),
    {
      refreshes: [["automations", "log"]],
      done: ({ events }) => t("replayed", { count: events }),
      onDone: onClose,
    },
  )
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
