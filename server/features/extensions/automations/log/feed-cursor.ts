import { createHash } from "node:crypto"
import type { Sql } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"

/** A place in the feed: after this event. */
export interface FeedPlace {
  xid: string
  number: string
}

export const cursorPattern = "^([0-9a-f]{8}\\.)?\\d{1,20}-\\d{1,19}$"

/** Transaction numbers mean something in one database only, so a cursor names it. */
export async function readServerId(sql: Sql): Promise<string> {
  const rows = await sql<{ identity: string }[]>`
    select system_identifier || ' ' || (select oid from pg_database where datname = current_database()) as identity
    from pg_control_system()`
  return createHash("sha256").update(String(rows[0]?.identity)).digest("hex").slice(0, 8)
}

export function writeCursor(serverId: string, { xid, number }: { xid: string; number: number | string }) {
  return `${serverId}.${xid}-${number}`
}

/**
 * Reads a cursor. Throws 410 with the oldest valid cursor for one of another server (also after a restore from a backup)
 * and for one that lies before events which are no longer kept. A cursor without a server is of an earlier version.
 */
export async function readCursor(
  sql: Sql,
  organizationId: string,
  serverId: string,
  cursor: string | undefined,
): Promise<FeedPlace> {
  if (cursor === undefined) return { xid: "0", number: "0" }
  const [, server, xid = "0", number = "0"] = /^(?:(.{8})\.)?(\d+)-(\d+)$/.exec(cursor) ?? []
  const [state] = await sql<{ isAhead: boolean; isBehind: boolean; oldest: string }[]>`
    select ${xid}::numeric >= pg_snapshot_xmax(pg_current_snapshot())::text::numeric as is_ahead,
      coalesce((${xid}::numeric, ${number}::numeric) < (removed.xid::text::numeric, removed.number), false) as is_behind,
      coalesce(removed.xid::text, '0') || '-' || coalesce(removed.number, 0) as oldest
    from (select 1) one left join domain_event_removals removed on removed.organization_id = ${organizationId}`
  const isForeign = server !== undefined && server !== serverId
  if (state && !isForeign && !state.isAhead && !state.isBehind) return { xid, number }
  const [oldestXid = "0", oldestNumber = "0"] = (state?.oldest ?? "0-0").split("-")
  const oldest = writeCursor(serverId, { xid: oldestXid, number: oldestNumber })
  const reason =
    state?.isBehind && !isForeign ? "is older than the oldest stored event" : "belongs to another server"
  throw new AppError(
    410,
    "sys-041",
    `This cursor ${reason}. Read your objects again and continue from ${oldest}`,
    {
      fields: { after: [reason] },
      extra: { cursor: oldest },
    },
  )
}
