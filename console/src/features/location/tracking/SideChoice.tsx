import { SegmentedControl } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { conversationsQuery } from "../../work/messages/messages.queries.ts"
import { hoursMessages } from "./hours-messages.ts"

export type Side = "people" | "messages" | "hours"

/** What is shown next to the map. */
export function SideChoice({ side, onChange }: { side: Side; onChange(side: Side): void }) {
  const t = useMessages(hoursMessages)
  const { may } = useSession()
  const mayRead = may("view/task")
  const { data } = useQuery({ ...conversationsQuery, enabled: mayRead })
  const unread = data?.data.reduce((sum, conversation) => sum + conversation.unread, 0) ?? 0
  return (
    <SegmentedControl
      aria-label={t("show")}
      fullWidth
      flex="none"
      m="8px 12px 0"
      value={side}
      onChange={(value) => onChange(value as Side)}
      data={[
        { value: "people", label: t("people") },
        ...(mayRead
          ? [{ value: "messages", label: unread > 0 ? t("unread", { count: unread }) : t("messages") }]
          : []),
        { value: "hours", label: t("hours") },
      ]}
    />
  )
}
