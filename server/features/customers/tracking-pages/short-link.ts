import type { Sql } from "#core/database/database.ts"
import { ensureLink, type NewLink, type TrackingLink } from "./links.ts"

export interface ShortLink {
  url: string
  link: TrackingLink
}

interface LinkContext {
  sql: Sql
  /** The application's pool. */
  pool: Sql
  publicUrl: string
  now: Temporal.Instant
}

/** The address of the short link of a task or a shared position, which is created where it is missing. */
export async function shortLinkOf(context: LinkContext, target: NewLink): Promise<ShortLink> {
  const { sql, pool, publicUrl, now } = context
  const { code, link } = await ensureLink(sql, pool, target, now)
  return { url: `${publicUrl}/t/${code}`, link }
}

/** The tracking link of a task. It works for `expiresDays` after the end of its time window. */
export function trackingLinkOf(
  context: LinkContext,
  task: { organizationId: string; id: string; endTime: Temporal.Instant },
  { createdBy, expiresDays }: { createdBy: string | null; expiresDays: number },
): Promise<ShortLink> {
  const from = Temporal.Instant.compare(task.endTime, context.now) > 0 ? task.endTime : context.now
  return shortLinkOf(context, {
    organizationId: task.organizationId,
    kind: "task",
    targetId: task.id,
    createdBy,
    // At least a day, and a day for what ends late.
    expiresAt: from.add({ hours: 24 * (expiresDays + 1) }),
  })
}
