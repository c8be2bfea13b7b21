import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { toT1 } from "#shared/wire-time.ts"
import { recordReaders } from "../data-records/index.ts"
import { type FindRoute, openConversation } from "./conversation.ts"
import { readConversations, readQuickReplies, readReaders } from "./list-conversations.ts"
import { listMentionable } from "./list-mentionable.ts"
import { listMessages, type MessageRow } from "./queries.ts"
import {
  ConversationsResponse,
  DoneResponse,
  MentionableQuery,
  MentionableResponse,
  MessageResponse,
  MessagesQuery,
  MessagesResponse,
  NewMessageBody,
  ReadBody,
} from "./schemas.ts"
import { readConversation, sendMessage } from "./send-message.ts"

const anyOf = ["view/task", ...recordReaders, "view/result"] as const

/** Messages between people in the field and their planners, and comments on records and routes. */
export function messageRoutes(app: App, findRoute: FindRoute): void {
  const success = { status: true as const, message: "Success" }
  const toWire = ({
    id,
    clientId,
    authorId,
    authorName,
    text,
    photos,
    mentions,
    writtenTime,
    createdTime,
  }: MessageRow) => ({
    _id: id,
    messageId: clientId,
    authorId,
    author: authorName,
    text,
    photos: photos.map((key) => app.links.plain(key)),
    mentions,
    writtenTime: toT1(writtenTime),
    createdTime: toT1(createdTime),
  })

  app.get("/conversations", {
    config: { anyOf },
    schema: {
      operationId: "listConversations",
      summary: "List the caller's conversations, the latest first",
      description:
        "About tasks, records and routes that the caller sees, with the caller, and, with assign/task, with people of the caller's hubs.",
      response: { 200: ConversationsResponse },
    },
    async handler({ sql, caller }) {
      const [rows, quickReplies] = await Promise.all([
        readConversations(sql, caller, findRoute),
        readQuickReplies(sql, caller),
      ])
      const data = rows.map(({ about, aboutId, lastTime, ...row }) => ({
        about,
        taskId: about === "task" ? aboutId : null,
        userId: about === "person" ? aboutId : null,
        recordId: about === "record" ? aboutId : null,
        resultId: about === "route" ? aboutId : null,
        ...row,
        lastTime: toT1(lastTime),
      }))
      return { ...success, data, quickReplies }
    },
  })

  app.get("/messages", {
    config: { anyOf },
    schema: {
      operationId: "listMessages",
      summary: "List the messages about a task, record or route, or with a person, newest first",
      description:
        "Messages about a task, record or route are read by everybody who sees it. Messages with a person are read by that person and, with assign/task, by people who share a hub with them.",
      querystring: MessagesQuery,
      response: { 200: MessagesResponse },
    },
    async handler({ sql, caller, query }) {
      const conversation = await openConversation(sql, caller, query, findRoute)
      const [rows, readers] = await Promise.all([
        listMessages(sql, caller, conversation, query),
        readReaders(sql, caller, conversation),
      ])
      return {
        ...success,
        data: rows.map(toWire),
        readers: readers.map(({ userId, name, readUntil }) => ({ userId, name, readUntil: toT1(readUntil) })),
      }
    },
  })

  app.get("/messages/people", {
    config: { permission: "view/user" },
    schema: {
      operationId: "listMentionable",
      summary: "Search the active people whom a message can name: those who see what it is about",
      querystring: MentionableQuery,
      response: { 200: MentionableResponse },
    },
    async handler({ sql, caller, query }) {
      const people = await listMentionable(sql, caller, query, findRoute)
      return { ...success, data: people.map(({ id, name }) => ({ _id: id, name })) }
    },
  })

  app.post("/message", {
    config: { anyOf },
    schema: {
      operationId: "sendMessage",
      summary: "Send a message about a task, record or route, or to or from a person",
      body: NewMessageBody,
      response: { 201: MessageResponse },
    },
    async handler({ sql, caller, body }, reply) {
      const context = { now: app.clock.now(), live: app.live, links: app.links, findRoute }
      const message = await inTransaction(sql, (tx) => sendMessage(tx, caller, body, context))
      reply.code(201)
      return { ...success, data: toWire(message) }
    },
  })

  app.put("/messages/read", {
    config: { anyOf },
    schema: {
      operationId: "readMessages",
      summary: "Mark a conversation as read up to a message",
      body: ReadBody,
      response: { 200: DoneResponse },
    },
    async handler({ sql, caller, body }) {
      await inTransaction(sql, (tx) => readConversation(tx, caller, body, { live: app.live, findRoute }))
      return success
    },
  })
}
