import type { Fragment, Sql, Tx } from "#core/database/database.ts"
import { silenceSeconds } from "#core/jobs/heartbeat.ts"
import type { AutomationRow } from "../queries.ts"

/** Identifies a webhook in the queue. */
export interface EndpointKey {
  organizationId: string
  automationId: string
}

export interface Delivery extends EndpointKey {
  sequence: number
  eventXid: string
  eventNumber: number
  origin: "event" | "replay"
  /** 0 is the first attempt. */
  attempt: number
  dispatchedTime: Temporal.Instant
}

export type NewDelivery = EndpointKey & Pick<Delivery, "eventXid" | "eventNumber" | "attempt">

const deliveriesPerStatement = 5_000

/**
 * Appends deliveries of one origin to their queues in the order given. Deliveries that are queued already or were
 * attempted are skipped, so the same events may be passed twice. Returns how many were new.
 */
export async function enqueueDeliveries(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  origin: Delivery["origin"],
  now: Temporal.Instant,
): Promise<number> {
  let count = 0
  for (let from = 0; from < deliveries.length; from += deliveriesPerStatement)
    count += await enqueueSome(tx, deliveries.slice(from, from + deliveriesPerStatement), origin, now)
  return count
}

async function enqueueSome(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  origin: Delivery["origin"],
  now: Temporal.Instant,
): Promise<number> {
  const wantedOf = (some: readonly NewDelivery[]) => tx`json_to_recordset(${JSON.stringify(some)}::text::json)
    as wanted ("organizationId" text, "automationId" text, "eventXid" text, "eventNumber" bigint, attempt smallint)`
  // Locks the endpoint first: a run that empties the queue releases it only after seeing these rows, and a concurrent
  // call with the same events sees them here.
  await tx`
    insert into webhook_endpoints as known (organization_id, automation_id, next_due)
    select distinct "organizationId", "automationId", ${now}::timestamptz from ${wantedOf(deliveries)} order by 1, 2
    on conflict (organization_id, automation_id) do update set
      next_due = least(coalesce(known.next_due, excluded.next_due), excluded.next_due)`
  const untried = origin === "replay" ? deliveries : await withoutTried(tx, deliveries)
  if (untried.length === 0) return 0
  const added = await tx`
    insert into webhook_deliveries (organization_id, automation_id, event_xid, event_number, origin, attempt, due_time, dispatched_time)
    select "organizationId", "automationId", "eventXid"::xid8, "eventNumber", ${origin}, attempt, ${now}, ${now} from ${wantedOf(untried)}
    where ${origin} = 'replay' or not exists (
      select from webhook_deliveries waiting
      where waiting.organization_id = "organizationId" and waiting.automation_id = "automationId"
        and waiting.event_xid = "eventXid"::xid8 and waiting.event_number = "eventNumber" and waiting.origin = 'event')`
  return added.count
}

/** Those that the log has no attempt of. The log may be on another machine, so each organization is asked for by itself. */
async function withoutTried(tx: Tx, deliveries: readonly NewDelivery[]): Promise<NewDelivery[]> {
  const untried: NewDelivery[] = []
  for (const [organizationId, own] of Map.groupBy(deliveries, (delivery) => delivery.organizationId)) {
    const tried = await tx<Omit<NewDelivery, "organizationId">[]>`
      select automation_id, event_xid::text, event_number, attempt from automation_log
      where organization_id = ${organizationId} and origin = 'event' and (automation_id, event_xid, event_number, attempt) in (
        select automation, xid::xid8, number, attempt from unnest(${own.map((one) => one.automationId)}::text[],
          ${own.map((one) => one.eventXid)}::text[], ${own.map((one) => one.eventNumber)}::bigint[],
          ${own.map((one) => one.attempt)}::smallint[]) as wanted (automation, xid, number, attempt))`
    const keyOf = (one: Omit<NewDelivery, "organizationId">) =>
      `${one.automationId} ${one.eventXid} ${one.eventNumber} ${one.attempt}`
    const known = new Set(tried.map(keyOf))
    untried.push(...own.filter((one) => !known.has(keyOf(one))))
  }
  return untried
}

export interface ClaimedEndpoint extends EndpointKey {
  /** Whether its last attempt failed. */
  isFailing: boolean
  /** Whether its failures count towards an alert. */
  isWatched: boolean
}

/**
 * Claims up to `count` endpoints that have due deliveries and no live lease: working endpoints first, and at most
 * `failingCount` whose last attempt failed. A dead worker's leases end when its heartbeat is old. The commit is
 * asynchronous: a crash of the database server that loses a claim also ends the work on it.
 */
export async function claimEndpoints(
  sql: Sql,
  owner: string,
  { count, failingCount, now }: { count: number; failingCount: number; now: Temporal.Instant },
): Promise<ClaimedEndpoint[]> {
  const claim = (condition: Fragment, max: number) => sql<ClaimedEndpoint[]>`
    with quick as (select set_config('synchronous_commit', 'off', true))
    update webhook_endpoints state set lease_owner = ${owner}
    from quick, (
      select organization_id, automation_id from webhook_endpoints
      where next_due <= ${now} and paused_time is null and (not_before is null or not_before <= ${now}) and ${condition}
        and (lease_owner is null or not exists (
          select from worker_heartbeats
          where worker_id = lease_owner and seen_at > now() - make_interval(secs => ${silenceSeconds})))
      order by next_due limit ${max} for update skip locked) chosen
    where state.organization_id = chosen.organization_id and state.automation_id = chosen.automation_id
    returning state.organization_id, state.automation_id, failing_since is not null as is_failing, exists (
      select from webhook_failures watched
      where watched.organization_id = state.organization_id and watched.automation_id = state.automation_id) as is_watched`
  const working = await claim(sql`failing_since is null`, count)
  const room = Math.min(failingCount, count - working.length)
  if (room <= 0) return working
  return [...working, ...(await claim(sql`failing_since is not null`, room))]
}

/** The first due deliveries of each endpoint, at most `max` each, in sending order. */
export function listDueDeliveries(
  sql: Sql,
  endpoints: readonly EndpointKey[],
  max: number,
  now: Temporal.Instant,
): Promise<Delivery[]> {
  return sql<Delivery[]>`
    select due.* from ${keysOf(sql, endpoints)}
    cross join lateral (
      select organization_id, automation_id, sequence, event_xid::text, event_number, origin, attempt, dispatched_time
      from webhook_deliveries waiting
      where waiting.organization_id = endpoint."organizationId" and waiting.automation_id = endpoint."automationId"
        and waiting.due_time <= ${now}
      order by due_time, sequence limit ${max}) due`
}

/** Ends leases. The next due time is read after locking, see `enqueueDeliveries`. */
export async function releaseEndpoints(
  tx: Tx,
  owner: string,
  endpoints: readonly EndpointKey[],
): Promise<void> {
  await lockEndpoints(tx, endpoints)
  await tx`
    update webhook_endpoints state set lease_owner = null, next_due = (
      select min(due_time) from webhook_deliveries waiting
      where waiting.organization_id = state.organization_id and waiting.automation_id = state.automation_id)
    from ${keysOf(tx, endpoints)}
    where state.organization_id = endpoint."organizationId" and state.automation_id = endpoint."automationId"
      and state.lease_owner = ${owner}`
}

/** Always in the same order, which prevents deadlocks. */
export async function lockEndpoints(tx: Tx, endpoints: readonly EndpointKey[]): Promise<void> {
  await tx`
    select from webhook_endpoints state join ${keysOf(tx, endpoints)}
      on state.organization_id = endpoint."organizationId" and state.automation_id = endpoint."automationId"
    order by state.organization_id, state.automation_id for update of state`
}

export function keyOf({ organizationId, id }: Pick<AutomationRow, "organizationId" | "id">): EndpointKey {
  return { organizationId, automationId: id }
}

/** Endpoints as the table `endpoint` of a query. */
export function keysOf(sql: Sql, endpoints: readonly EndpointKey[]) {
  const keys = endpoints.map(({ organizationId, automationId }) => ({ organizationId, automationId }))
  return sql`json_to_recordset(${JSON.stringify(keys)}::text::json) as endpoint ("organizationId" text, "automationId" text)`
}
