import { queryOptions } from "@tanstack/react-query"
import { api, responseOf, sentBy } from "../../../api/client.ts"
import type { ResponseBody } from "../../../api/server.ts"
import { queryClient } from "../../../query-client.ts"
import type { ConversationKey, ConversationList, MessageList } from "../../work/messages/messages.queries.ts"
import { readOrRecall } from "../field.queries.ts"
import { type PersonStore, userIdOf } from "../kept/field-store.ts"

export type NoticeList = ResponseBody<"listNotices">
export type InboxNotice = NoticeList["data"][number]

/** Ids of notices that were read without a network. */
const readNoticesKey = "read-notices"

/** The inbox as it is with what was read here and is not sent yet. */
export function myNoticesQuery(store: PersonStore) {
  return queryOptions({
    queryKey: ["notices", store.personKey],
    networkMode: "always",
    queryFn: async ({ signal }): Promise<NoticeList> => {
      const list = await readOrRecall(store, "notices", (client) =>
        responseOf(client.GET("/api/v3/notices", { params: { query: { limit: 100 } }, signal })),
      )
      const read = new Set(await store.recall<string[]>("reads", readNoticesKey))
      const data = list.data.map((notice) => (read.has(notice._id) ? { ...notice, isRead: true } : notice))
      const unread = list.unread - list.data.filter(({ _id, isRead }) => !isRead && read.has(_id)).length
      return { ...list, data, unread }
    },
  })
}

/** Marks notices as read on the phone, which a later `sendReadNotices` reports to the server. */
export async function keepReadNotices(store: PersonStore, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const before = (await store.recall<string[]>("reads", readNoticesKey)) ?? []
  await store.write([{ in: "reads", key: readNoticesKey, value: [...new Set([...before, ...ids])] }])
}

export async function sendReadNotices(store: PersonStore): Promise<void> {
  const noticeIds = (await store.recall<string[]>("reads", readNoticesKey)) ?? []
  if (noticeIds.length === 0) return
  await responseOf(api.PUT("/api/v3/notices/read", { body: { noticeIds }, headers: sentBy(userIdOf(store)) }))
  await store.write([{ in: "reads", remove: readNoticesKey }])
}

/** Conversations and the messages of those that have unread ones, so that they can be read without a network. */
export function myConversationsQuery(store: PersonStore) {
  return queryOptions({
    queryKey: ["conversations", store.personKey],
    networkMode: "always",
    queryFn: ({ signal }): Promise<ConversationList> =>
      readOrRecall(store, "conversations", async (client) => {
        const list = await responseOf(client.GET("/api/v3/conversations", { signal }))
        const fresh = list.data.filter(({ unread }) => unread > 0).slice(0, 20)
        for (const { taskId, userId } of fresh)
          void queryClient.prefetchQuery(
            myMessagesQuery(store, taskId ? { taskId } : { userId: userId ?? "" }),
          )
        return list
      }),
  })
}

const listed = 100

export function myMessagesQuery(store: PersonStore, { taskId, userId }: ConversationKey) {
  const about = taskId ? { taskId } : { userId: userId ?? "" }
  return queryOptions({
    queryKey: ["messages", store.personKey, taskId ?? "", userId ?? ""],
    networkMode: "always",
    queryFn: ({ signal }): Promise<MessageList> =>
      readOrRecall(store, `messages-${taskId ?? userId}`, (client) =>
        responseOf(
          client.GET("/api/v3/messages", { params: { query: { ...about, limit: listed } }, signal }),
        ),
      ),
  })
}
