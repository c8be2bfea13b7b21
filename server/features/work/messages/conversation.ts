import { type Caller, hasHub, may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { findVisibleUser } from "../../people/users/index.ts"
import { findTasks } from "../tasks/index.ts"
import { messageErrors } from "./errors.ts"

/** About a task, with everybody who sees it; or with a person, that is between them and the planners of their hubs. */
export interface Conversation {
  about: "task" | "person"
  aboutId: string
  title: string
  hubIds: readonly string[]
  /** The task's assignees, or the person. */
  emails: readonly string[]
}

export interface ConversationOf {
  taskId?: string | undefined
  userId?: string | undefined
}

/** The conversation. One that the caller may not take part in does not exist for them. */
export async function openConversation(
  sql: Sql,
  caller: Caller,
  { taskId, userId }: ConversationOf,
): Promise<Conversation> {
  if ((taskId === undefined) === (userId === undefined)) throw messageErrors.badConversation()
  const found = await findConversation(sql, caller, { taskId, userId })
  if (!found) throw messageErrors.notFound()
  return found
}

export async function findConversation(
  sql: Sql,
  caller: Caller,
  { taskId, userId }: ConversationOf,
): Promise<Conversation | undefined> {
  return taskId === undefined ? withPerson(sql, caller, userId ?? "") : aboutTask(sql, caller, taskId)
}

async function aboutTask(sql: Sql, caller: Caller, taskId: string): Promise<Conversation | undefined> {
  const [task] = await findTasks(sql, caller, [taskId])
  if (!task) return undefined
  const { id, hubId, assignee, title, flow } = task
  return { about: "task", aboutId: id, title: title ?? flow, hubIds: [hubId], emails: assignee }
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
