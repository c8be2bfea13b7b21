import type { Caller } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import type { Id } from "#core/ids.ts"
import type { NoticeKind } from "./schemas.ts"

export interface NoticeRow {
  id: Id<"notice">
  kind: NoticeKind
  taskId: string | null
  about: string | null
  aboutId: string | null
  title: string | null
  count: number
  createdBy: string
  createdTime: Temporal.Instant
  readTime: Temporal.Instant | null
}

/** People have an inbox from their first visit on: nobody collects notices that nobody reads. */
export async function openInbox(sql: Sql, caller: Caller, now: Temporal.Instant): Promise<void> {
  await sql`
    insert into inboxes as known (organization_id, user_id, email, opened_time)
    values (${caller.organizationId}, ${caller.userId}, ${caller.email}, ${now})
    on conflict (organization_id, user_id) do update set email = excluded.email where known.email <> excluded.email`
}

/** Newest first; `before` continues after a notice. */
export async function listNotices(
  sql: Sql,
  caller: Caller,
  { limit = 50, before }: { limit?: number | undefined; before?: string | undefined },
): Promise<{ rows: NoticeRow[]; unread: number }> {
  const { organizationId, userId } = caller
  const from = before
    ? sql`and (created_time, id) < (select created_time, id from notices
        where organization_id = ${organizationId} and user_id = ${userId} and id = ${before.toLowerCase()})`
    : sql``
  const [rows, unread] = await Promise.all([
    sql<NoticeRow[]>`
      select id, kind, task_id, about, about_id, title, count, created_by, created_time, read_time from notices
      where organization_id = ${organizationId} and user_id = ${userId} ${from}
      order by created_time desc, id desc limit ${limit}`,
    countUnread(sql, caller),
  ])
  return { rows, unread }
}

export async function countUnread(sql: Sql, caller: Caller): Promise<number> {
  const rows = await sql<{ count: number }[]>`
    select count(*)::int as count from notices
    where organization_id = ${caller.organizationId} and user_id = ${caller.userId} and read_time is null`
  return rows[0]?.count ?? 0
}

/** All of the caller's notices, or those with the given ids. */
export async function markRead(
  sql: Sql,
  caller: Caller,
  ids: readonly string[] | undefined,
  now: Temporal.Instant,
): Promise<void> {
  const which = ids ? sql`and id = any (${ids.map((id) => id.toLowerCase())})` : sql``
  await sql`
    update notices set read_time = ${now}
    where organization_id = ${caller.organizationId} and user_id = ${caller.userId} and read_time is null ${which}`
}

export interface SubscriptionRow {
  id: string
  endpoint: string
  p256dh: string
  auth: string
  language: string
}

const maxSubscriptions = 10

/** A browser belongs to the person who subscribed it last; each person keeps their ten newest. */
export async function subscribe(
  tx: Tx,
  caller: Caller,
  { id, endpoint, p256dh, auth, language }: SubscriptionRow,
  now: Temporal.Instant,
): Promise<void> {
  const { organizationId, userId } = caller
  // A person who knows both parts uses this very browser: on a shared phone the person before is no longer notified.
  await tx`
    delete from push_subscriptions where endpoint = ${endpoint} and auth = ${auth}
      and (organization_id, user_id) <> (${organizationId}, ${userId})`
  await tx`
    insert into push_subscriptions (organization_id, id, user_id, endpoint, p256dh, auth, language, created_time)
    values (${organizationId}, ${id}, ${userId}, ${endpoint}, ${p256dh}, ${auth}, ${language}, ${now})
    on conflict (organization_id, user_id, endpoint) do update set
      p256dh = excluded.p256dh, auth = excluded.auth, language = excluded.language, created_time = excluded.created_time`
  await tx`
    delete from push_subscriptions where organization_id = ${organizationId} and id in (
      select id from push_subscriptions where organization_id = ${organizationId} and user_id = ${userId}
      order by created_time desc, id desc offset ${maxSubscriptions})`
}

export async function unsubscribe(sql: Sql, caller: Caller, endpoint: string): Promise<void> {
  await sql`
    delete from push_subscriptions
    where organization_id = ${caller.organizationId} and user_id = ${caller.userId} and endpoint = ${endpoint}`
}

/** Ends all subscriptions of members. Their own browsers subscribe again when they return. */
export async function endPush(
  tx: Tx,
  members: readonly { organizationId: string; userId: string }[],
): Promise<void> {
  for (const { organizationId, userId } of members)
    await tx`delete from push_subscriptions where organization_id = ${organizationId} and user_id = ${userId}`
}

/** Follows a person's new e-mail, so that notices reach them before their next visit. */
export async function renameInbox(tx: Tx, organizationId: string, from: string, to: string): Promise<void> {
  await tx`update inboxes set email = ${to} where organization_id = ${organizationId} and email = ${from}`
}

/** Takes back the notices of a message that is gone. */
export async function withdrawNotices(
  tx: Tx,
  { organizationId, live }: { organizationId: string; live: LiveEvents },
  message: { about: string; aboutId: string; by: string; createdTime: string },
): Promise<void> {
  const { about, aboutId, by, createdTime } = message
  const subject = about === "task" ? tx`task_id = ${aboutId}` : tx`about = ${about} and about_id = ${aboutId}`
  const owners = await tx<{ email: string }[]>`
    with gone as (
      delete from notices where organization_id = ${organizationId} and kind in ('message', 'mention') and created_by = ${by}
        and created_time = ${createdTime}::timestamptz and ${subject} returning user_id
    )
    select distinct email from inboxes join gone using (user_id) where organization_id = ${organizationId}`
  for (const { email } of owners)
    await publish(tx, live, "notice.created", { organizationId, owner: email, content: {} })
}
