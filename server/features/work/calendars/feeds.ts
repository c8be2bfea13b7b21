import { type Caller, findCallerOfUser, may } from "#core/access/caller.ts"
import { newToken, parseToken } from "#core/access/token.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { RowChange } from "#core/audit-trail/audited-object.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { findHub } from "../../organization/hubs/index.ts"
import { findVisibleUser, lockUsers } from "../../people/users/index.ts"
import { findSchedule } from "../task-schedules/index.ts"
import { calendarErrors } from "./errors.ts"

export type FeedKind = "person" | "hub" | "schedule"

export interface FeedRow {
  id: Id<"calendarFeed">
  kind: FeedKind
  targetId: string
  createdTime: Temporal.Instant
  readTime: Temporal.Instant | null
}

/** What a feed is about, as its caller may see it now. */
export type FeedTarget =
  | { kind: "person"; id: string; name: string; email: string }
  | { kind: "hub"; id: string; name: string }
  | { kind: "schedule"; id: string; name: string }

const maxFeeds = 20
/** `read_time` shows people which feeds are in use. It is written at most this often. */
const readTimeMinutes = 10

export function listFeeds(sql: Sql, caller: Caller): Promise<FeedRow[]> {
  return sql<FeedRow[]>`
    select id, kind, target_id, created_time, read_time from calendar_feeds
    where organization_id = ${caller.organizationId} and user_id = ${caller.userId} order by created_time, id`
}

/** Undefined when the target is gone, or out of the caller's sight. */
export async function findTarget(
  sql: Sql,
  caller: Caller,
  kind: FeedKind,
  targetId: string,
): Promise<FeedTarget | undefined> {
  if (kind === "hub") {
    const hub = await findHub(sql, caller, targetId)
    return hub && { kind, id: hub.id, name: hub.name }
  }
  if (kind === "schedule") {
    const schedule = may(caller, "view/schedule") ? await findSchedule(sql, caller, targetId) : undefined
    return schedule && { kind, id: schedule.id, name: schedule.name }
  }
  if (targetId === caller.userId) return { kind, id: caller.userId, name: caller.name, email: caller.email }
  const user = may(caller, "view/user") ? await findVisibleUser(sql, caller, { id: targetId }) : undefined
  return user && { kind, id: user.id, name: user.name, email: user.email }
}

/** Returns the token once; only its hash is stored. At most 20 feeds a person, counted under the person's lock. */
export async function createFeed(
  tx: Tx,
  caller: Caller,
  { kind, targetId }: { kind: FeedKind; targetId: string },
  now: Temporal.Instant,
  address: string,
): Promise<{ row: FeedRow; target: FeedTarget; token: string }> {
  const target = await findTarget(tx, caller, kind, targetId)
  if (!target) throw calendarErrors.noTarget()
  await lockUsers(tx, caller, [caller.userId])
  if ((await countFeeds(tx, caller)) >= maxFeeds) throw calendarErrors.tooMany()
  const { token, hash } = newToken(caller.organizationId)
  const row: FeedRow = {
    id: newId<"calendarFeed">(),
    kind,
    targetId: target.id,
    createdTime: now,
    readTime: null,
  }
  await tx`
    insert into calendar_feeds (organization_id, id, hash, kind, target_id, user_id, created_time)
    values (${caller.organizationId}, ${row.id}, ${hash}, ${kind}, ${target.id}, ${caller.userId}, ${now})`
  await note(tx, caller, "calendar-feed.create", row.id, target.name, address)
  return { row, target, token }
}

async function countFeeds(tx: Tx, { organizationId, userId }: Caller): Promise<number> {
  const [counted] = await tx<{ count: number }[]>`
    select count(*) as count from calendar_feeds
    where organization_id = ${organizationId} and user_id = ${userId}`
  return counted?.count ?? 0
}

/** A feed that its owner has back counts again. */
export async function undoFeedChange({ tx, caller, plan }: RowChange): Promise<void> {
  await lockUsers(tx, caller, [caller.userId])
  if (plan === "restore" && (await countFeeds(tx, caller)) > maxFeeds) throw calendarErrors.tooMany()
}

export async function deleteFeed(tx: Tx, caller: Caller, feedId: string, address: string): Promise<void> {
  const rows = await tx<{ kind: string }[]>`
    delete from calendar_feeds
    where organization_id = ${caller.organizationId} and user_id = ${caller.userId} and id = ${feedId.toLowerCase()}
    returning kind`
  if (!rows[0]) throw calendarErrors.notFound()
  await note(tx, caller, "calendar-feed.delete", feedId.toLowerCase(), rows[0].kind, address)
}

/** Ends all feeds of members: their addresses work for everybody who knows them. */
export async function endFeeds(
  tx: Tx,
  members: readonly { organizationId: string; userId: string }[],
): Promise<void> {
  for (const { organizationId, userId } of members)
    await tx`delete from calendar_feeds where organization_id = ${organizationId} and user_id = ${userId}`
}

/**
 * The feed of an address, with the rights that its owner has now. Undefined when it was deleted, its owner is no longer
 * active or may no longer see tasks, or its target is out of sight.
 */
export async function openFeed(
  sql: Sql,
  token: string,
  now: Temporal.Instant,
): Promise<{ caller: Caller; target: FeedTarget } | undefined> {
  const parsed = parseToken(token)
  if (!parsed) return undefined
  const rows = await sql<(FeedRow & { userId: string })[]>`
    select id, kind, target_id, user_id, created_time, read_time from calendar_feeds
    where organization_id = ${parsed.organizationId} and hash = ${parsed.hash}`
  const feed = rows[0]
  const caller = feed && (await findCallerOfUser(sql, parsed.organizationId, feed.userId))
  if (!caller || !may(caller, "view/task")) return undefined
  const target = await findTarget(sql, caller, feed.kind, feed.targetId)
  if (!target) return undefined
  const known = feed.readTime?.epochMilliseconds ?? 0
  if (now.epochMilliseconds - known > readTimeMinutes * 60_000)
    await sql`
      update calendar_feeds set read_time = ${now}
      where organization_id = ${caller.organizationId} and id = ${feed.id}`
  return { caller, target }
}

function note(
  tx: Tx,
  caller: Caller,
  action: string,
  targetId: string,
  targetName: string,
  address: string,
): Promise<void> {
  return audit(tx, actorOf(caller, address), { action, targetType: "calendarFeed", targetId, targetName })
}
