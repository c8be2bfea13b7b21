import "./messages.css"
import { Button, Skeleton } from "@mantine/core"
import { IconArrowLeft } from "@tabler/icons-react"
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query"
import { useCallback, useState } from "react"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { undoMessages } from "../../../ui/actions/undo-messages.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { hasUnofferedActions, notifyDone } from "../../../ui/notify.ts"
import { sendFiles } from "../flows/fields/send-files.ts"
import { ConversationList } from "./ConversationList.tsx"
import { MessageThread } from "./MessageThread.tsx"
import { type Mentionable, mentionableQuery, mentionsIn, typedNames } from "./mentions.ts"
import { messageTexts } from "./message-texts.ts"
import {
  type ConversationKey,
  conversationKey,
  conversationsQuery,
  keyOfEntry,
  messagesQuery,
} from "./messages.queries.ts"

interface MessagesPanelProps {
  /** The conversation that is open; without it the panel lists all of them. */
  open?: ConversationKey & { title?: string }
  /** The conversation to begin with; the list of all is one step back. */
  start?: (ConversationKey & { title?: string }) | undefined
}

/** Conversations with people in the field, to be shown next to a map or a task. It fills its container. */
export function MessagesPanel({ open, start }: MessagesPanelProps) {
  const t = useMessages(messageTexts)
  const [chosen, setChosen] = useState(open ?? start)
  const { data, error } = useQuery(conversationsQuery)
  const shown = open ?? chosen
  if (!shown)
    return (
      <section className="messages-panel" aria-label={t("title")}>
        <FormError error={error ?? undefined} />
        {data ? (
          <ConversationList
            conversations={data.data}
            renderEntry={({ title, unread, ...entry }, content) => (
              <button
                type="button"
                className="conversation"
                data-unread={unread > 0 || undefined}
                onClick={() => setChosen({ ...keyOfEntry(entry), title })}
              >
                {content}
              </button>
            )}
          />
        ) : (
          <Skeleton h={160} m="sm" />
        )}
      </section>
    )
  return (
    <section className="messages-panel" aria-label={shown.title ?? t("title")}>
      {open ? null : (
        <Button
          variant="subtle"
          justify="flex-start"
          leftSection={<IconArrowLeft size={18} aria-hidden />}
          onClick={() => setChosen(undefined)}
        >
          {shown.title ?? t("back")}
        </Button>
      )}
      <Thread
        key={JSON.stringify(conversationKey(shown))}
        conversation={shown}
        quickReplies={data?.quickReplies ?? []}
      />
    </section>
  )
}

function Thread({
  conversation,
  quickReplies,
}: {
  conversation: ConversationKey
  quickReplies: readonly string[]
}) {
  const tUndo = useMessages(undoMessages)
  const { user, may, mayAny } = useSession()
  const client = useQueryClient()
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(messagesQuery(conversation))
  const key = conversationKey(conversation)
  const subject = key.taskId ?? key.recordId ?? "message"
  const refresh = useCallback(async () => {
    await client.invalidateQueries({ queryKey: ["messages"] })
    await client.invalidateQueries({ queryKey: ["conversations"] })
  }, [client])
  const read = useCallback(
    (until: string) => {
      const body = { ...conversationKey(conversation), until }
      void server.put("/api/v3/messages/read", { body }).then(refresh, () => undefined)
    },
    [conversation, refresh],
  )
  const mayName = may("view/user")
  const send = async (text: string, pictures: readonly string[], chosen: readonly Mentionable[]) => {
    const typed = mayName
      ? await Promise.all(
          typedNames(text, chosen).map((part) => client.fetchQuery(mentionableQuery(conversation, part))),
        )
      : []
    const mentions = mentionsIn(text, [...chosen, ...typed.flat()])
    const sent = pictures.length > 0 ? await sendFiles(subject, { message: [...pictures] }) : {}
    await server.post("/api/v3/message", {
      body: { ...key, text, photos: Object.values(sent).map(String), mentions },
    })
    if (hasUnofferedActions()) notifyDone(tUndo("saved"))
    await refresh()
  }
  if (!data) return error ? <FormError error={error} /> : <Skeleton h={160} m="sm" />
  return (
    <MessageThread
      messages={data.pages.flatMap((page) => page.data)}
      readers={data.pages[0]?.readers ?? []}
      ownId={user._id}
      quickReplies={quickReplies}
      naming={mayName ? conversation : undefined}
      mayAddPhotos={mayAny("add/task", "edit/task", "do/task")}
      onEarlier={hasNextPage ? () => void fetchNextPage() : undefined}
      onSend={send}
      onRead={read}
    />
  )
}
