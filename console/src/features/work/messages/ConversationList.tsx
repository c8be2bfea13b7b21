import { Badge } from "@mantine/core"
import { IconMessages } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { messageTexts } from "./message-texts.ts"
import { type ConversationEntry, keyOfEntry } from "./messages.queries.ts"

interface ConversationListProps {
  conversations: readonly ConversationEntry[]
  /** How a time is written; otherwise as everywhere in the console. */
  timeText?: (time: string) => string
  /** The button or link around an entry. */
  renderEntry(conversation: ConversationEntry, content: ReactNode): ReactNode
}

/** A conversation with a person has the person's name and needs no other word. */
const kindWords = {
  task: "aboutTask",
  person: undefined,
  record: "aboutRecord",
  route: "aboutRoute",
} as const

/** Conversations with the last message of each, the latest first. */
export function ConversationList({ conversations, timeText, renderEntry }: ConversationListProps) {
  const t = useMessages(messageTexts)
  const formats = useFormats()
  if (conversations.length === 0)
    return <EmptyState icon={IconMessages} title={t("noConversations")} text={t("noConversationsText")} />
  return (
    <ul className="conversations">
      {conversations.map((conversation) => {
        const { about, title, lastAuthor, lastText, lastTime, unread } = conversation
        const kind = kindWords[about]
        return (
          <li key={JSON.stringify(keyOfEntry(conversation))}>
            {renderEntry(
              conversation,
              <>
                <strong>{title}</strong>
                <span className="quiet">{(timeText ?? formats.dateTime)(lastTime)}</span>
                <span className="quiet">
                  {kind ? `${t(kind)} · ` : ""}
                  {lastAuthor}: {lastText}
                </span>
                {unread > 0 ? (
                  <Badge circle aria-label={t("unread", { count: unread })}>
                    {unread}
                  </Badge>
                ) : (
                  <span />
                )}
              </>,
            )}
          </li>
        )
      })}
    </ul>
  )
}
