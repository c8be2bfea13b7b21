import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql, Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import type { Conversation, ConversationKind } from "./conversation.ts"

export interface MessageRow {
  id: Id<"message">
  clientId: string
  authorId: string
  authorEmail: string
  authorName: string
  text: string
  photos: string[]
  mentions: string[]
  writtenTime: Temporal.Instant
  createdTime: Temporal.Instant
}

const columns = (sql: Sql) =>
  sql`id, client_id, author_id, author_email, author_name, text, photos, mentions, written_time, created_time`

/** Condition on rows of one conversation. */
const inConversation = (sql: Sql, caller: Caller, { about, aboutId }: Conversation) =>
  sql`organization_id = ${caller.organizationId} and about = ${about} and about_id = ${aboutId}`

/** Newest first; `before` continues after a message. */
export function listMessages(
  sql: Sql,
  caller: Caller,
  conversation: Conversation,
  { limit = 50, before }: { limit?: number | undefined; before?: string | undefined },
): Promise<MessageRow[]> {
  const from = before
    ? sql`and (created_time, id) < (select created_time, id from messages
        where ${inConversation(sql, caller, conversation)} and id = ${before.toLowerCase()})`
    : sql``
  return sql<MessageRow[]>`
    select ${columns(sql)} from messages where ${inConversation(sql, caller, conversation)} ${from}
    order by created_time desc, id desc limit ${limit}`
}

/** The first messages about a task that the caller sees, oldest first, without the ids of its authors. */
export async function listTaskMessages(sql: Sql, caller: Caller, taskId: string, limit: number) {
  const conversation: Conversation = { about: "task", aboutId: taskId, title: "", hubIds: [], emails: [] }
  const rows = await sql<MessageRow[]>`
    select ${columns(sql)} from messages where ${inConversation(sql, caller, conversation)}
    order by created_time, id limit ${limit}`
  return rows.map(({ authorEmail, authorName, text, photos, writtenTime, createdTime }) => ({
    ...{ authorEmail, authorName, text, photos },
    writtenTime: writtenTime.toString(),
    createdTime: createdTime.toString(),
  }))
}

/** The message that the caller's client sent under this id before. */
export async function findSent(sql: Sql, caller: Caller, clientId: string): Promise<MessageRow | undefined> {
  const rows = await sql<MessageRow[]>`
    select ${columns(sql)} from messages
    where organization_id = ${caller.organizationId} and author_id = ${caller.userId} and client_id = ${clientId}`
  return rows[0]
}

/** False when a concurrent call has sent it already. */
export async function insertMessage(
  tx: Tx,
  caller: Caller,
  conversation: Conversation,
  message: MessageRow,
): Promise<boolean> {
  const { about, aboutId, hubIds, emails } = conversation
  const { organizationId } = caller
  await tx`
    insert into conversations (organization_id, about, about_id, hub_ids, emails, last_time)
    values (${organizationId}, ${about}, ${aboutId}, ${[...hubIds]}, ${[...emails]}, ${message.createdTime})
    on conflict (organization_id, about, about_id) do update set
      hub_ids = excluded.hub_ids, emails = excluded.emails, last_time = excluded.last_time`
  const inserted = await tx`
    insert into messages (organization_id, id, about, about_id, client_id, author_id, author_email, author_name, text,
      photos, mentions, written_time, created_time)
    values (${organizationId}, ${message.id}, ${about}, ${aboutId}, ${message.clientId}, ${message.authorId},
      ${message.authorEmail}, ${message.authorName}, ${message.text}, ${message.photos}, ${message.mentions},
      ${message.writtenTime}, ${message.createdTime})
    on conflict (organization_id, author_id, client_id) do nothing returning 1`
  return inserted.length > 0
}

/** E-mails of those who have written in a conversation. */
export async function listAuthors(sql: Sql, caller: Caller, conversation: Conversation): Promise<string[]> {
  const rows = await sql<{ authorEmail: string }[]>`
    select distinct author_email from messages where ${inConversation(sql, caller, conversation)}`
  return rows.map(({ authorEmail }) => authorEmail)
}

/** Marks the conversation as read up to a message; never less than before. Returns whether that is news. */
export async function markRead(
  tx: Tx,
  caller: Caller,
  conversation: Conversation,
  until: string,
): Promise<boolean> {
  const changed = await tx`
    insert into message_reads as known (organization_id, about, about_id, user_id, read_until)
    select organization_id, about, about_id, ${caller.userId}, created_time from messages
    where ${inConversation(tx, caller, conversation)} and id = ${until.toLowerCase()}
    on conflict (organization_id, about, about_id, user_id) do update set read_until = excluded.read_until
    where known.read_until < excluded.read_until returning 1`
  return changed.length > 0
}

export interface ReaderRow {
  userId: string
  readUntil: Temporal.Instant
}

export function listReaders(sql: Sql, caller: Caller, conversation: Conversation): Promise<ReaderRow[]> {
  return sql<ReaderRow[]>`
    select user_id, read_until from message_reads
    where ${inConversation(sql, caller, conversation)} and user_id <> ${caller.userId} order by read_until desc limit 50`
}

export interface ConversationRow {
  about: ConversationKind
  aboutId: string
  lastTime: Temporal.Instant
  lastAuthor: string
  lastText: string
  unread: number
}

const maxUnread = 100
/** More than a list shows: some of them may turn out to be out of the caller's sight. */
const maxConversations = 300

/** Conversations `c` that the caller may see at most. The task or the person decides. */
export function perhapsVisible(sql: Sql, caller: Caller): Fragment {
  const inHubs =
    caller.hubs === "all"
      ? sql`true`
      : sql`(c.hub_ids && ${[...caller.hubs]}::text[] or c.about = 'record' and c.hub_ids = '{}')`
  const mine = sql`c.emails @> array[${caller.email}]::text[]`
  // Of tasks; records and routes have no assignees.
  const ofTasks = caller.permissions.has("view/task/only-me") ? mine : sql`(${inHubs} or ${mine})`
  return sql`c.organization_id = ${caller.organizationId}
    and (c.about in ('task', 'person') and ${ofTasks} or c.about in ('record', 'route') and ${inHubs})`
}

/** Those that the caller may see at most, newest first. */
export function listConversations(sql: Sql, caller: Caller): Promise<ConversationRow[]> {
  const { userId } = caller
  return sql<ConversationRow[]>`
    select c.about, c.about_id, c.last_time, last.author_name as last_author, last.text as last_text, (
      select count(*)::int from (
        select 1 from messages m
        where m.organization_id = c.organization_id and m.about = c.about and m.about_id = c.about_id
          and m.author_id <> ${userId} and m.created_time > coalesce(r.read_until, '-infinity') limit ${maxUnread}
      ) fresh) as unread
    from conversations c
    cross join lateral (
      select author_name, text from messages m
      where m.organization_id = c.organization_id and m.about = c.about and m.about_id = c.about_id
      order by created_time desc, id desc limit 1) last
    left join message_reads r on r.organization_id = c.organization_id and r.about = c.about
      and r.about_id = c.about_id and r.user_id = ${userId}
    where ${perhapsVisible(sql, caller)}
    order by c.last_time desc limit ${maxConversations}`
}

/** The conversations whose messages carry a stored file. */
export async function conversationsWithPhoto(
  sql: Sql,
  caller: Caller,
  key: string,
): Promise<{ about: ConversationKind; aboutId: string }[]> {
  return sql<{ about: ConversationKind; aboutId: string }[]>`
    select distinct about, about_id from messages
    where organization_id = ${caller.organizationId} and photos @> array[${key}]::text[] and photos <> '{}' limit 10`
}
