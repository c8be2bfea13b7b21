import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { newId } from "#core/ids.ts"
import { writeNotices } from "../notices/index.ts"
import { findConversation } from "./conversation.ts"
import { insertMessage, listAuthors } from "./queries.ts"
import { publishMessage } from "./send-message.ts"

/**
 * Writes what somebody without an account said about a task into its conversation, signed with the name of the system
 * caller, and notifies those who take part, and the given people.
 */
export async function sendFromOutside(
  tx: Tx,
  caller: Caller,
  { taskId, text, emails }: { taskId: string; text: string; emails: readonly (string | null)[] },
  { now, live }: { now: Temporal.Instant; live: LiveEvents },
): Promise<void> {
  const conversation = await findConversation(tx, caller, { taskId }, async () => undefined)
  if (!conversation || text === "") return
  const authors = await listAuthors(tx, caller, conversation)
  await insertMessage(tx, caller, conversation, {
    id: newId<"message">(now.epochMilliseconds),
    clientId: newId(),
    authorId: caller.userId,
    authorEmail: caller.email,
    authorName: caller.name,
    text,
    photos: [],
    mentions: [],
    writtenTime: now,
    createdTime: now,
  })
  await publishMessage(tx, live, caller, conversation)
  const known = [...conversation.emails, ...authors, ...emails].filter((email) => email !== null)
  const about = { taskId, about: null, aboutId: null, title: conversation.title }
  await writeNotices(tx, { organizationId: caller.organizationId, by: caller.email, now, live }, [
    { kind: "message", ...about, emails: [...new Set(known)] },
  ])
}
