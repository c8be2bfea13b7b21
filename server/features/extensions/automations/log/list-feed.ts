import { type Caller, inCallersHubs, may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import {
  type DomainEventName,
  domainEvents,
  eachEvent,
  fromNumber,
  type StoredEventName,
} from "#core/domain-events.ts"
import { seesAllEvents, seesEvent } from "./visible-events.ts"

interface FeedRow {
  xid: string
  number: number
  event: StoredEventName
  referenceId: string
  createdTime: Temporal.Instant
  record: Record<string, unknown>
}

const dataTypes = [
  ["view/task", "task"],
  ["view/data", "data"],
  ["view/result", "routingResult"],
  ["view/tracking", "locationHistory"],
  ["view/tracking", "visit"],
  ["view/tracking", "person"],
  ["view/tracking", "alert"],
] as const
const eventNames = Object.keys(domainEvents) as DomainEventName[]

/** Events after a cursor that the caller may see, oldest first. */
export async function listFeed(
  sql: Sql,
  caller: Caller,
  { xid, number }: { xid: string; number: string | number },
  limit: number,
): Promise<FeedRow[]> {
  const kinds = dataTypes.flatMap(([permission, kind]) => (may(caller, permission) ? [kind] : []))
  const events = eventNames.filter((name) => (kinds as readonly string[]).includes(domainEvents[name]))
  // Below the oldest open transaction nothing can still appear, so the cursor skips nothing.
  const stored = sql`organization_id = ${caller.organizationId} and xid >= ${xid}::text::xid8
    and (xid > ${xid}::text::xid8 or ${fromNumber(sql, number)}) and xid < pg_snapshot_xmin(pg_current_snapshot())
    and event = any (${events}) and (hub_id is null or ${inCallersHubs(sql, caller, sql`hub_id`)})`
  return sql<FeedRow[]>`
    select xid::text, number, event, reference_id, created_time, record from ${eachEvent(sql, stored)} domain_event
    where (xid, number) > (${xid}::text::xid8, ${number}::text::bigint) 
      ${seesAllEvents(caller) ? sql`` : sql`and ${seesEvent(sql, caller)}`}
    order by domain_event.xid, domain_event.number limit ${limit}`
}
