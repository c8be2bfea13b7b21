import { type Caller, findCallerOfUser } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import { newId } from "#core/ids.ts"
import { uploadedBy } from "#core/objects/file-owners.ts"
import type { SignedLinks } from "#core/objects/signed-links.ts"
import { parseDateTime } from "#shared/wire-time.ts"
import { openInbox, writeNotices } from "../notices/index.ts"
import {
  type Conversation,
  type ConversationOf,
  type FindRoute,
  findConversation,
  openConversation,
} from "./conversation.ts"
import { messageErrors } from "./errors.ts"
import { findSent, insertMessage, listAuthors, type MessageRow, markRead } from "./queries.ts"
import type { NewMessage } from "./schemas.ts"

export interface MessageContext {
  now: Temporal.Instant
  live: LiveEvents
  links: SignedLinks
  findRoute: FindRoute
}

/** Sends a message once, however often the call is repeated, and notifies those who take part in the conversation. */
export async function sendMessage(
  tx: Tx,
  caller: Caller,
  body: NewMessage,
  { now, live, links, findRoute }: MessageContext,
): Promise<MessageRow> {
  const conversation = await openConversation(tx, caller, body, findRoute)
  const clientId = body.messageId ?? newId()
  const sent = await findSent(tx, caller, clientId)
  if (sent) return sent
  const text = readText(body.text ?? "")
  const photos = await readPhotos(tx, caller, links, body.photos ?? [])
  if (text === "" && photos.length === 0) throw messageErrors.empty()
  const mentioned = await readMentions(tx, caller, body, findRoute)
  const written = body.writtenTime === undefined ? undefined : parseDateTime(body.writtenTime)
  const message: MessageRow = {
    id: newId<"message">(now.epochMilliseconds),
    clientId,
    authorId: caller.userId,
    authorEmail: caller.email,
    authorName: caller.name,
    text,
    photos,
    mentions: mentioned.map(({ userId }) => userId),
    // A clock that is ahead does not put a message into the future.
    writtenTime: written === undefined ? now : earlier(Temporal.Instant.fromEpochMilliseconds(written), now),
    createdTime: now,
  }
  const authors = await listAuthors(tx, caller, conversation)
  if (!(await insertMessage(tx, caller, conversation, message)))
    return (await findSent(tx, caller, clientId)) ?? message
  await markRead(tx, caller, conversation, message.id)
  await publishMessage(tx, live, caller, conversation)
  for (const person of mentioned) await openInbox(tx, person, now)
  const named = new Set(mentioned.map(({ email }) => email))
  const { about, aboutId } = conversation
  const subject = {
    taskId: about === "task" ? aboutId : null,
    about: about === "task" ? null : about,
    aboutId: about === "task" ? null : aboutId,
    title: about === "person" ? caller.name : conversation.title,
  }
  const others = [...conversation.emails, ...authors].filter((email) => !named.has(email))
  await writeNotices(tx, { organizationId: caller.organizationId, by: caller.email, now, live }, [
    { kind: "message", ...subject, emails: [...new Set(others)] },
    { kind: "mention", ...subject, emails: [...named] },
  ])
  return message
}

/** The people whom a message names. What it is about must be in their sight too. */
async function readMentions(
  tx: Tx,
  caller: Caller,
  { mentions = [], ...key }: NewMessage,
  findRoute: FindRoute,
): Promise<Caller[]> {
  const people: Caller[] = []
  for (const userId of new Set(mentions.map((id) => id.toLowerCase()))) {
    const person = await findCallerOfUser(tx, caller.organizationId, userId)
    const sees = person && (await findConversation(tx, person, key, findRoute))
    if (!sees)
      throw messageErrors.badMention(
        person && { message: `${person.name} cannot see this. Mention others, or leave them out` },
      )
    people.push(person)
  }
  return people
}

/** Marks a conversation as read, which its other participants see. */
export async function readConversation(
  tx: Tx,
  caller: Caller,
  { until, ...key }: ConversationOf & { until: string },
  { live, findRoute }: Pick<MessageContext, "live" | "findRoute">,
): Promise<void> {
  const conversation = await openConversation(tx, caller, key, findRoute)
  if (await markRead(tx, caller, conversation, until)) await publishMessage(tx, live, caller, conversation)
}

/** Has the clients of everybody who sees the conversation read it again. */
export async function publishMessage(
  tx: Tx,
  live: LiveEvents,
  { organizationId }: Caller,
  { about, aboutId, hubIds, emails }: Conversation,
): Promise<void> {
  if (about === "task") {
    const content = { taskId: aboutId }
    for (const hubId of hubIds)
      await publish(tx, live, "message.task", { organizationId, hubId, emails, content })
    return
  }
  if (about === "record" || about === "route") {
    const content = about === "record" ? { recordId: aboutId } : { resultId: aboutId }
    const [hubId] = hubIds
    await publish(tx, live, `message.${about}`, { organizationId, ...(hubId ? { hubId } : {}), content })
    return
  }
  const [owner = ""] = emails
  // An empty hub is one that only those have who have all of them.
  for (const hubId of hubIds.length > 0 ? hubIds : [""])
    await publish(tx, live, "message.person", {
      organizationId,
      hubId,
      emails,
      owner,
      content: { userId: aboutId },
    })
}

function earlier(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) < 0 ? one : other
}

function readText(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll("\r\n", "\n")
    .replace(/[\u202A-\u202E\u2066-\u2069]/gu, "")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .toWellFormed()
    .trim()
}

async function readPhotos(
  tx: Tx,
  caller: Caller,
  links: SignedLinks,
  addresses: readonly string[],
): Promise<string[]> {
  const keys = addresses.map((address) => links.keyOf(address))
  const given = keys.filter((key) => key !== undefined)
  const own = given.length > 0 ? await uploadedBy(tx, caller, given) : new Set<string>()
  // Somebody else's photo would be opened to everybody who reads the message.
  if (keys.some((key) => key === undefined || !own.has(key))) throw messageErrors.badPhoto()
  return given
}
