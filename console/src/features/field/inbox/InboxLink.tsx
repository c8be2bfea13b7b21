import { ActionIcon, Indicator } from "@mantine/core"
import { IconBell } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useField } from "../field-context.ts"
import { myConversationsQuery, myNoticesQuery } from "./inbox.queries.ts"
import { inboxMessages } from "./inbox-messages.ts"

/** Opens the inbox and shows how much in it is unread. */
export function InboxLink() {
  const t = useMessages(inboxMessages)
  const { store } = useField()
  const { data: notices } = useQuery(myNoticesQuery(store))
  const { data: conversations } = useQuery(myConversationsQuery(store))
  const unreadNotices = notices?.data.filter(({ isRead, kind }) => !isRead && kind !== "message").length ?? 0
  const count = unreadNotices + (conversations?.data.reduce((sum, { unread }) => sum + unread, 0) ?? 0)
  return (
    <Indicator label={count > 99 ? "99+" : count} size={20} offset={8} disabled={count === 0} ml="auto">
      <ActionIcon
        component={Link}
        to={paths.fieldInbox}
        size={48}
        aria-label={count > 0 ? t("openUnread", { count }) : t("open")}
      >
        <IconBell size={24} />
      </ActionIcon>
    </Indicator>
  )
}
