import { type Caller, hasHub, may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { findVisibleUser } from "../../people/users/index.ts"
import { findRecords, recordReaders } from "../data-records/index.ts"
import { findTasks } from "../tasks/index.ts"
import { messageErrors } from "./errors.ts"

export const conversationKinds = ["task", "person", "record", "route"] as const
export type ConversationKind = (typeof conversationKinds)[number]

/** About a task, a record or a planned route, with everybody who sees it; or with a person and the planners of their hubs. */
export interface Conversation {
  about: ConversationKind
  aboutId: string
  title: string
  /** Empty: all of them. */
  hubIds: readonly string[]
  /** The task's assignees, or the person. */
  emails: readonly string[]
}

export interface ConversationOf {
  taskId?: string | undefined
  userId?: string | undefined
  recordId?: string | undefined
  resultId?: string | undefined
}

/** A planned route that the caller sees. Routes belong to a domain that this one must not import. */
export type FindRoute = (
  sql: Sql,
  caller: Caller,
  resultId: string,
) => Promise<{ id: string; name: string; hubId: string } | undefined>

/** The conversation. One that the caller may not take part in does not exist for them. */
export async function openConversation(
  sql: Sql,
  caller: Caller,
  key: ConversationOf,
  findRoute: FindRoute,
): Promise<Conversation> {
  const { taskId, userId, recordId, resultId } = key
  if ([taskId, userId, recordId, resultId].filter((id) => id !== undefined).length !== 1)
    throw messageErrors.badConversation()
  const found = await findConversation(sql, caller, key, findRoute)
  if (!found) throw messageErrors.notFound()
  return found
}

export async function findConversation(
  sql: Sql,
  caller: Caller,
  { taskId, userId, recordId, resultId }: ConversationOf,
  findRoute: FindRoute,
): Promise<Conversation | undefined> {
  if (recordId !== undefined) return aboutRecord(sql, caller, recordId)
  if (resultId !== undefined) return aboutRoute(sql, caller, resultId, findRoute)
  if (!may(caller, "view/task")) return undefined
  return taskId === undefined ? withPerson(sql, caller, userId ?? "") : aboutTask(sql, caller, taskId)
}

/** The key of a conversation that is stored. */
export function keyOf(about: ConversationKind, aboutId: string): ConversationOf {
  switch (about) {
    case "task":
      return { taskId: aboutId }
    case "person":
      return { userId: aboutId }
    case "record":
      return { recordId: aboutId }
    default:
      return { resultId: aboutId }
  }
}

async function aboutTask(sql: Sql, caller: Caller, taskId: string): Promise<Conversation | undefined> {
  const [task] = await findTasks(sql, caller, [taskId])
  if (!task) return undefined
  const { id, hubId, assignee, title, flow } = task
  return { about: "task", aboutId: id, title: title ?? flow, hubIds: [hubId], emails: assignee }
}

async function aboutRecord(sql: Sql, caller: Caller, recordId: string): Promise<Conversation | undefined> {
  if (!recordReaders.some((permission) => may(caller, permission))) return undefined
  const [record] = await findRecords(sql, caller, [recordId])
  if (!record) return undefined
  const { id, hubId, dataId, dataTypeName } = record
  const title = `${dataTypeName}: ${dataId}`
  return { about: "record", aboutId: id, title, hubIds: hubId === null ? [] : [hubId], emails: [] }
}

async function aboutRoute(
  sql: Sql,
  caller: Caller,
  resultId: string,
  findRoute: FindRoute,
): Promise<Conversation | undefined> {
  const route = may(caller, "view/result") ? await findRoute(sql, caller, resultId) : undefined
  return route && { about: "route", aboutId: route.id, title: route.name, hubIds: [route.hubId], emails: [] }
}

async function withPerson(sql: Sql, caller: Caller, userId: string): Promise<Conversation | undefined> {
  const person = await findVisibleUser(sql, caller, { id: userId })
  if (!person) return undefined
  const { id, name, email, hubIds } = person
  // A person without hubs is left to those who have all of them.
  const isPlanner =
    may(caller, "assign/task") && (caller.hubs === "all" || hubIds.some((hubId) => hasHub(caller, hubId)))
  if ((id as string) !== caller.userId && !isPlanner) return undefined
  return { about: "person", aboutId: id, title: name, hubIds, emails: [email] }
}
