import { afterCommit, json, type Tx } from "../database/database.ts"
import { newId } from "../ids.ts"
import type { LiveEventType } from "./live-event-types.ts"
import type { LiveEvents } from "./live-events.ts"

export interface Announcement {
  organizationId: string
  hubId?: string | null
  emails?: readonly string[] | null
  /** E-mail of the member who receives it whatever their permissions, because it is about this member. */
  owner?: string
  /** Ids, never copies of rows. */
  content: Record<string, unknown>
}

/** Writes the event with the change that causes it, and wakes the readers when that has committed. */
export async function publish(
  tx: Tx,
  live: LiveEvents,
  type: LiveEventType,
  announcement: Announcement,
): Promise<void> {
  await tx`
    insert into live_events (organization_id, id, type, hub_id, emails, owner, content)
    values (${announcement.organizationId}, ${newId()}, ${type}, ${announcement.hubId ?? null},
      ${announcement.emails ? [...announcement.emails] : null}, ${announcement.owner ?? null}, ${json(tx, announcement.content)})`.reusePlan()
  afterCommit(tx, () => live.wake())
}

/** As `publish`, for several events with one statement. */
export async function publishAll(
  tx: Tx,
  live: LiveEvents,
  type: LiveEventType,
  announcements: readonly Announcement[],
): Promise<void> {
  const [only] = announcements
  if (!only) return
  if (announcements.length === 1) return publish(tx, live, type, only)
  const rows = announcements.map((announcement) => ({ ...announcement, id: newId() }))
  await tx`
    insert into live_events (organization_id, id, type, hub_id, emails, owner, content)
    select "organizationId", id, ${type}, "hubId", emails, owner, content
    from jsonb_to_recordset(${json(tx, rows)}::jsonb)
      as event ("organizationId" text, id text, "hubId" text, emails text[], owner text, content jsonb)`
  afterCommit(tx, () => live.wake())
}
