import type { RowChange } from "#core/audit-trail/audited-object.ts"
import { withdrawNotices } from "../notices/index.ts"
import type { Conversation } from "./conversation.ts"
import { publishMessage } from "./send-message.ts"

/** A message that goes takes its notices along; one that comes back notifies nobody again. Its readers are shown the change. */
export async function undoMessage({ tx, caller, live, plan, row }: RowChange): Promise<void> {
  const { organizationId } = caller
  const [about, aboutId] = [String(row.about), String(row.about_id)]
  if (plan === "remove") {
    const message = { about, aboutId, by: String(row.author_email), createdTime: String(row.created_time) }
    await withdrawNotices(tx, { organizationId, live }, message)
  }
  const [conversation] = await tx<Omit<Conversation, "title">[]>`
    select about, about_id, hub_ids, emails from conversations
    where organization_id = ${organizationId} and about = ${about} and about_id = ${aboutId}`
  if (conversation) await publishMessage(tx, live, caller, { ...conversation, title: "" })
}
