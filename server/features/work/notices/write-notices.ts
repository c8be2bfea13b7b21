import { json, type Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import { newId } from "#core/ids.ts"
import { send } from "#core/jobs/define-job.ts"
import { sendPush } from "./jobs.ts"
import type { NoticeKind } from "./schemas.ts"

/** Something that people should know of; those who did it are not notified. */
export interface NewNotice {
  kind: NoticeKind
  taskId: string | null
  /** What a message is about, other than a task. */
  about?: string | null
  aboutId?: string | null
  title: string | null
  emails: readonly string[]
}

export interface NoticeContext {
  organizationId: string
  /** E-mail of the person who made the change. */
  by: string
  now: Temporal.Instant
  live: LiveEvents
}

interface NoticeToWrite {
  userId: string
  kind: NoticeKind
  taskId: string | null
  about: string | null
  aboutId: string | null
  title: string | null
  count: number
}

/** A change of more tasks than this becomes one notice per person. */
const maxSingle = 20

/** Writes notices into the inboxes of people who use the field app, with the change that causes them, and sends pushes. */
export async function writeNotices(
  tx: Tx,
  { organizationId, by, now, live }: NoticeContext,
  notices: readonly NewNotice[],
): Promise<void> {
  const emails = [...new Set(notices.flatMap((notice) => notice.emails))].filter((email) => email !== by)
  if (emails.length === 0) return
  const inboxes = await tx<{ userId: string; email: string }[]>`
    select user_id, email from inboxes
    where organization_id = ${organizationId} and email = any (${emails})`.reusePlan()
  if (inboxes.length === 0) return
  const rows = inboxes
    .flatMap((inbox) => noticesOf(inbox, notices))
    .map((row) => ({ ...row, id: newId<"notice">(now.epochMilliseconds) }))
  // What somebody has not read yet is not said twice; of a cancelled task only that is worth reading.
  await tx`
    delete from notices using jsonb_to_recordset(${json(tx, rows)}) as fresh ("userId" text, kind text, "taskId" text, "aboutId" text)
    where organization_id = ${organizationId} and user_id = "userId" and task_id is not distinct from "taskId" and about_id is not distinct from "aboutId"
      and read_time is null and (fresh.kind = 'taskCancelled' and notices.kind in ('taskNew', 'taskChanged')
        or fresh.kind = 'message' and notices.kind = 'message')`
  const written = await tx<{ userId: string }[]>`
    insert into notices (organization_id, id, user_id, kind, task_id, about, about_id, title, count, created_by, created_time)
    select ${organizationId}, id, "userId", kind, "taskId", about, "aboutId", title, count, ${by}, ${now}
    from jsonb_to_recordset(${json(tx, rows)}) as fresh
      (id text, "userId" text, kind text, "taskId" text, about text, "aboutId" text, title text, count integer)
    where fresh.kind <> 'taskChanged' or not exists (
      select from notices known
      where known.organization_id = ${organizationId} and known.user_id = "userId" and known.task_id = "taskId"
        and known.read_time is null and known.kind in ('taskNew', 'taskChanged'))
    returning user_id`
  const reached = new Set(written.map(({ userId }) => userId))
  for (const { userId, email } of inboxes)
    if (reached.has(userId))
      await publish(tx, live, "notice.created", { organizationId, owner: email, content: {} })
  const subscriptions = await tx<{ id: string }[]>`
    select id from push_subscriptions where organization_id = ${organizationId} and user_id = any (${[...reached]})`
  // A job that waits is replaced: changes in quick succession become one message.
  for (const { id } of subscriptions)
    await send(tx, sendPush, { organizationId, subscriptionId: id }, { key: `notice.push:${id}` })
}

const nothing = { taskId: null, about: null, aboutId: null, title: null }

function noticesOf(
  { userId, email }: { userId: string; email: string },
  notices: readonly NewNotice[],
): NoticeToWrite[] {
  const own = notices.filter((notice) => notice.emails.includes(email))
  return [...Map.groupBy(own, ({ kind }) => kind)].flatMap(([kind, group]) =>
    group.length > maxSingle
      ? [{ userId, kind, ...nothing, count: group.length }]
      : group.map(({ taskId, about = null, aboutId = null, title }) => ({
          ...{ userId, kind, taskId, about, aboutId, title },
          count: 1,
        })),
  )
}
