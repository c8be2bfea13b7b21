import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { type ResponseBody, server } from "../../../api/server.ts"

export type MessageList = ResponseBody<"listMessages">
export type Message = MessageList["data"][number]
export type ConversationList = ResponseBody<"listConversations">
export type ConversationEntry = ConversationList["data"][number]

/** About a task, or with a person: one of the two. */
export interface ConversationKey {
  taskId?: string
  userId?: string
}

export const conversationsQuery = queryOptions({
  queryKey: ["conversations"],
  queryFn: ({ signal }) => server.get("/api/v3/conversations", { signal }),
})

const pageSize = 50

/** Newest first, a page at a time. */
export function messagesQuery({ taskId, userId }: ConversationKey) {
  return infiniteQueryOptions({
    queryKey: ["messages", taskId ?? "", userId ?? ""],
    initialPageParam: "",
    queryFn: ({ signal, pageParam }) =>
      server.get("/api/v3/messages", {
        query: {
          ...(taskId ? { taskId } : {}),
          ...(userId ? { userId } : {}),
          ...(pageParam ? { before: pageParam } : {}),
          limit: pageSize,
        },
        signal,
      }),
    getNextPageParam: ({ data }: MessageList) => (data.length === pageSize ? data.at(-1)?._id : undefined),
  })
}
