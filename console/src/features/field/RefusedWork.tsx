import { Alert, Button, Group } from "@mantine/core"
import { IconAlertTriangle } from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { useField } from "./field-context.ts"
import { inboxMessages } from "./inbox/inbox-messages.ts"
import { discardWaiting, takeBack } from "./kept/field-drafts.ts"
import { isFinish, type Waiting } from "./kept/field-sync.ts"
import { noticeMessages } from "./notice-messages.ts"

/** Work that the server refused: why, and what can be done about it. Nothing happens to it by itself. */
export function RefusedWork({ entry }: { entry: Waiting }) {
  const t = useMessages(noticeMessages)
  const tInbox = useMessages(inboxMessages)
  const { user } = useSession()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { store, send, refresh } = useField()
  const again = async () => {
    const { refusal: _refusal, isGone: _isGone, ...kept } = entry
    await store.write([{ in: "waiting", key: entry.id, value: kept }])
    await send()
  }
  const change = async () => {
    await takeBack(store, entry)
    await client.resetQueries({ queryKey: ["field-draft"] })
    await refresh()
    await navigate({ to: paths.fieldTask, params: { taskId: entry.taskId } })
  }
  const discard = async () => {
    if (!window.confirm(t("discardQuestion", { title: entry.title }))) return
    await discardWaiting(store, entry)
    await refresh()
  }
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle size={20} />}>
      {entry.isGone
        ? t("gone", { title: entry.title })
        : t("refused", { title: entry.title, reason: entry.refusal ?? "" })}
      <Group mt="xs" gap="xs">
        <Button size="md" onClick={() => void again()}>
          {t("again")}
        </Button>
        {entry.isGone ? (
          <Button
            size="md"
            variant="default"
            renderRoot={(props) => <Link {...props} to={paths.fieldMessages} search={{ userId: user._id }} />}
          >
            {tInbox("planner")}
          </Button>
        ) : isFinish(entry) || entry.kind === "progress" || entry.kind === "addition" ? (
          <Button size="md" variant="default" onClick={() => void change()}>
            {t("change")}
          </Button>
        ) : null}
        <Button size="md" variant="subtle" color="red" onClick={() => void discard()}>
          {t("discard")}
        </Button>
      </Group>
    </Alert>
  )
}
