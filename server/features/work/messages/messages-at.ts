import { type Caller, may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { findTasks } from "../tasks/index.ts"
import { findConversation, keyOf } from "./conversation.ts"
import { perhapsVisible } from "./queries.ts"

/** A message about a task, or between a person and the planners. */
export interface MessageAt {
  id: string
  about: "task" | "person"
  aboutId: string
  authorName: string
  text: string
  createdTime: Temporal.Instant
}

/** Some of the messages that are read may turn out to be out of the caller's sight. */
const readPerMessage = 3

/** Messages of a span that the caller may read now, newest first. */
export async function messagesAt(
  sql: Sql,
  caller: Caller,
  { from, until, limit }: { from: Temporal.Instant; until: Temporal.Instant; limit: number },
): Promise<MessageAt[]> {
  if (!may(caller, "view/task")) return []
  const rows = await sql<MessageAt[]>`
    select m.id, m.about, m.about_id, m.author_name, m.text, m.created_time
    from conversations c join messages m
      on m.organization_id = c.organization_id and m.about = c.about and m.about_id = c.about_id
    where ${perhapsVisible(sql, caller)} and c.about in ('task', 'person') and c.last_time > ${from}
      and m.created_time > ${from} and m.created_time <= ${until}
    order by m.created_time desc, m.id desc limit ${limit * readPerMessage}`
  const idsOf = (kind: MessageAt["about"]) => [
    ...new Set(rows.filter(({ about }) => about === kind).map(({ aboutId }) => aboutId)),
  ]
  const [tasks, people] = await Promise.all([
    findTasks(sql, caller, idsOf("task")),
    Promise.all(
      idsOf("person").map((id) => findConversation(sql, caller, keyOf("person", id), async () => undefined)),
    ),
  ])
  const seen = new Set<string>([
    ...tasks.map(({ id }) => `task ${id}`),
    ...people.flatMap((found) => (found ? [`person ${found.aboutId}`] : [])),
  ])
  return rows.filter(({ about, aboutId }) => seen.has(`${about} ${aboutId}`)).slice(0, limit)
}
