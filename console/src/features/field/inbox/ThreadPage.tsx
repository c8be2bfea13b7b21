import "../field.css"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useSearch } from "@tanstack/react-router"
import { useCallback, useEffect, useState } from "react"
import { api, responseOf } from "../../../api/client.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { PageLoading } from "../../../shell/page-states.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { MessageThread, type UnsentMessage } from "../../work/messages/MessageThread.tsx"
import type { ConversationKey } from "../../work/messages/messages.queries.ts"
import { FieldHeader } from "../FieldHeader.tsx"
import { myTasksQuery } from "../field.queries.ts"
import { useField, useHeld } from "../field-context.ts"
import { keepMessage } from "../kept/field-messages.ts"
import { NotKeptError } from "../kept/field-store.ts"
import { unpackFiles } from "../kept/storage.ts"
import { useStopTimes } from "../stop/stop-times.ts"
import { myConversationsQuery, myMessagesQuery } from "./inbox.queries.ts"
import { inboxMessages } from "./inbox-messages.ts"

/** One conversation on the phone. What is written without a network waits with everything else. */
export function ThreadPage() {
  const t = useMessages(inboxMessages)
  const times = useStopTimes()
  const search = useSearch({ strict: false }) as ConversationKey
  const client = useQueryClient()
  const { user, mayAny } = useSession()
  const { store, send, refresh, setNotKept } = useField()
  const taskId = search.taskId
  const userId = taskId ? undefined : (search.userId ?? user._id)
  const { data: tasks = [] } = useQuery(myTasksQuery(store, user.email))
  const { data: conversations } = useQuery(myConversationsQuery(store))
  const { data, error } = useQuery(myMessagesQuery(store, taskId ? { taskId } : { userId: userId ?? "" }))
  const unsent = useUnsent(taskId ? { taskId } : { userId: userId ?? "" })
  const task = tasks.find(({ _id }) => _id === taskId)
  const known = conversations?.data.find(
    (one) => one.taskId === (taskId ?? null) && one.userId === (userId ?? null),
  )
  const title = userId === user._id ? t("plannerTitle") : (task?.title ?? known?.title ?? task?.flow ?? "")
  const read = useCallback(
    (until: string) => {
      const to = taskId ? { taskId } : { userId: userId ?? "" }
      void responseOf(api.PUT("/api/v3/messages/read", { body: { ...to, until } }))
        .then(() => client.invalidateQueries({ queryKey: ["conversations"] }))
        .catch(() => undefined)
    },
    [taskId, userId, client],
  )
  const write = async (text: string, photos: readonly string[]) => {
    try {
      await keepMessage(store, user.email, taskId ? { taskId } : { userId: userId ?? "" }, { text, photos })
    } catch (failure) {
      if (failure instanceof NotKeptError) setNotKept(true)
      throw failure
    }
    await refresh()
    void send().then(() => client.invalidateQueries({ queryKey: ["messages"] }))
  }
  if (!data && !error) return <PageLoading />
  return (
    <div className="field-thread">
      <FieldHeader title={title || t("title")} backToInbox />
      {data ? null : <FormError error={error ?? undefined} />}
      <MessageThread
        messages={data?.data ?? []}
        unsent={unsent}
        readers={data?.readers ?? []}
        ownId={user._id}
        quickReplies={conversations?.quickReplies ?? []}
        isLarge
        timeText={times.at}
        mayAddPhotos={mayAny("do/task", "edit/task", "add/task")}
        onSend={write}
        onRead={read}
      />
    </div>
  )
}

/** Messages of a conversation that wait on the phone, with their photos. */
function useUnsent({ taskId, userId }: ConversationKey): UnsentMessage[] {
  const { store } = useField()
  const { waiting } = useHeld()
  const [unsent, setUnsent] = useState<UnsentMessage[]>([])
  useEffect(() => {
    let isCurrent = true
    const own = waiting.filter(
      ({ message }) => message && message.to.taskId === taskId && message.to.userId === userId,
    )
    void Promise.all(
      own.map(async ({ id, message, values }) => {
        const unpacked = await unpackFiles(values, (name) => store.recall("files", name))
        const photos = Object.values(unpacked.values).flat().map(String)
        return { id, text: message?.text ?? "", photos }
      }),
    ).then((messages) => {
      if (isCurrent) setUnsent(messages)
    })
    return () => {
      isCurrent = false
    }
  }, [waiting, store, taskId, userId])
  return unsent
}
