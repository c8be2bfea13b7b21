import { Badge, Button } from "@mantine/core"
import { IconMessages } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useField } from "../field-context.ts"
import { myConversationsQuery } from "../inbox/inbox.queries.ts"
import { inboxMessages } from "../inbox/inbox-messages.ts"

/** Opens the conversation about a stop. */
export function StopMessages({ taskId }: { taskId: string }) {
  const t = useMessages(inboxMessages)
  const { store } = useField()
  const { data } = useQuery(myConversationsQuery(store))
  const unread = data?.data.find((one) => one.taskId === taskId)?.unread ?? 0
  return (
    <Button
      size="lg"
      variant="subtle"
      leftSection={<IconMessages size={20} aria-hidden />}
      rightSection={unread > 0 ? <Badge circle>{unread}</Badge> : null}
      renderRoot={(props) => <Link {...props} to={paths.fieldMessages} search={{ taskId }} />}
    >
      {t("planner")}
    </Button>
  )
}
