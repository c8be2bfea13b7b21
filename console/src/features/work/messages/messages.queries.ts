import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { type ResponseBody, server } from "../../../api/server.ts"

export type MessageList = ResponseBody<"listMessages">
export type Message = MessageList["data"][number]
export type ConversationList = ResponseBody<"listConversations">
export type ConversationEntry = ConversationList["data"][number]

/** About a task, a record or a route, or with a person: one of them. */
export interface ConversationKey {
  taskId?: string
  userId?: string
  recordId?: string
  resultId?: string
}

/** The one id of a conversation, as the API takes it. */
export function conversationKey({ taskId, userId, recordId, resultId }: ConversationKey): ConversationKey {
  if (taskId) return { taskId }
  if (recordId) return { recordId }
  return resultId ? { resultId } : { userId: userId ?? "" }
}

export const conversationsQuery = queryOptions({
  queryKey: ["conversations"],
  queryFn: ({ signal }) => server.get("/api/v3/conversations", { signal }),
})

const pageSize = 50

/** Newest first, a page at a time. */
export function messagesQuery(conversation: ConversationKey) {
  const key = conversationKey(conversation)
  return infiniteQueryOptions({
    queryKey: ["messages", key],
    initialPageParam: "",
    queryFn: ({ signal, pageParam }) =>
      server.get("/api/v3/messages", {
        query: {
          ...key,
          ...(pageParam ? { before: pageParam } : {}),
          limit: pageSize,
        },
        signal,
      }),
    getNextPageParam: ({ data }: MessageList) => (data.length === pageSize ? data.at(-1)?._id : undefined),
  })
}

export function keyOfEntry(entry: Pick<ConversationEntry, "taskId" | "userId" | "recordId" | "resultId">) {
  const { taskId, userId, recordId, resultId } = entry
  return conversationKey({
    ...(taskId ? { taskId } : {}),
    ...(userId ? { userId } : {}),
    ...(recordId ? { recordId } : {}),
    ...(resultId ? { resultId } : {}),
  })
}
