import type { Caller } from "#core/access/caller.ts"
import { may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { findOrganization } from "../../organization/organizations/index.ts"
import { findUser } from "../../people/users/index.ts"
import { findTasks } from "../tasks/index.ts"
import { type Conversation, type FindRoute, findConversation, keyOf } from "./conversation.ts"
import {
  type ConversationRow,
  conversationsWithPhoto,
  listConversations,
  listReaders,
  type ReaderRow,
} from "./queries.ts"

const maxListed = 100

/** The caller's conversations with their titles, newest first. */
export async function readConversations(
  sql: Sql,
  caller: Caller,
  findRoute: FindRoute,
): Promise<(ConversationRow & { title: string })[]> {
  const rows = await listConversations(sql, caller)
  const tasks = await findTasks(
    sql,
    caller,
    may(caller, "view/task")
      ? rows.filter(({ about }) => about === "task").map(({ aboutId }) => aboutId)
      : [],
  )
  const titles = new Map<string, string>(tasks.map(({ id, title, flow }) => [id, title ?? flow]))
  const others = rows.filter(({ about }) => about !== "task").slice(0, maxListed)
  const found = await Promise.all(
    others.map(({ about, aboutId }) => findConversation(sql, caller, keyOf(about, aboutId), findRoute)),
  )
  for (const conversation of found) if (conversation) titles.set(conversation.aboutId, conversation.title)
  return rows
    .flatMap((row) => {
      const title = titles.get(row.aboutId)
      return title === undefined ? [] : [{ ...row, title }]
    })
    .slice(0, maxListed)
}

/** Who else has read a conversation. People who have left are not listed. */
export async function readReaders(
  sql: Sql,
  caller: Caller,
  conversation: Conversation,
): Promise<(ReaderRow & { name: string })[]> {
  const readers = await listReaders(sql, caller, conversation)
  const named = await Promise.all(
    readers.map(async (reader) => {
      const user = await findUser(sql, caller, reader.userId)
      return user && { ...reader, name: user.name }
    }),
  )
  return named.filter((reader) => reader !== undefined)
}

/** Texts that the organization offers to send with one tap. */
export async function readQuickReplies(sql: Sql, caller: Caller): Promise<string[]> {
  const { quickReplies } = (await findOrganization(sql, caller.organizationId)).configuration
  return Array.isArray(quickReplies) ? quickReplies.map(String) : []
}

/** A photo of a message is read by those who can read the message. */
export async function mayReadMessagePhoto(
  sql: Sql,
  caller: Caller,
  key: string,
  findRoute: FindRoute,
): Promise<boolean> {
  for (const { about, aboutId } of await conversationsWithPhoto(sql, caller, key))
    if (await findConversation(sql, caller, keyOf(about, aboutId), findRoute)) return true
  return false
}
