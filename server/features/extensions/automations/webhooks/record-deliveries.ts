import { randomBytes } from "node:crypto"
import { inTransaction, type Pool, type Sql, type Tx } from "#core/database/database.ts"
import type { Trace } from "#core/telemetry/trace-context.ts"
import { watchFailures } from "../failure-alert.ts"
import type { LogOrigin } from "../log/write-log.ts"
import type { AutomationRow } from "../queries.ts"
import type { Exchange } from "./call-webhook.ts"
import { type ClaimedEndpoint, type Delivery, keysOf, releaseEndpoints } from "./delivery-queue.ts"
import { noteOutcomes } from "./endpoint-state.ts"

/** A finished attempt. */
export interface Tried {
  delivery: Delivery
  automation: AutomationRow
  exchange: Exchange
  referenceId: string
  trace: Trace | undefined
  /** When it is retried; undefined when this was the last attempt. */
  retryAt: Temporal.Instant | undefined
}

/** Results that are not yet in the database. */
export interface Results {
  tried: Tried[]
  /** Deliveries that are not sent: the automation is off, or the event is no longer stored. */
  dropped: Delivery[]
  /** Endpoints whose lease has ended. */
  finished: ClaimedEndpoint[]
}

/**
 * Writes results of many endpoints in one transaction: log, queue, endpoint states, alerts. The commit is
 * asynchronous: deliveries whose results a crash of the database server loses are sent and recorded again.
 */
export async function recordResults(
  sql: Pool,
  owner: string,
  { tried, dropped, finished }: Results,
  {
    now,
    wakeAt,
  }: {
    now: Temporal.Instant
    /** Schedules runs for the retries. */
    wakeAt(tx: Tx, moments: readonly Temporal.Instant[]): Promise<void>
  },
): Promise<void> {
  const done = [...dropped, ...tried.filter(({ retryAt }) => !retryAt).map(({ delivery }) => delivery)]
  const again = tried.flatMap(({ delivery, retryAt }) => (retryAt ? [{ ...delivery, retryAt }] : []))
  const groups = [...Map.groupBy(tried, ({ delivery }) => delivery.automationId).values()]
  const failing = groups.filter((group) => group.some(hasFailed))
  const watched = new Set(finished.filter(({ isWatched }) => isWatched).map((key) => key.automationId))
  const troubled = new Set(finished.filter(({ isFailing }) => isFailing).map((key) => key.automationId))
  const isOf = (keys: ReadonlySet<string>) => (group: readonly Tried[]) =>
    keys.has(group[0]?.automation.id ?? "")
  await inTransaction(sql, async (tx) => {
    // Pipelined: the database runs them in this order.
    const statements = [
      tx`set local synchronous_commit = off`,
      holdAutomations(tx, groups),
      tried.length > 0 && insertEntries(tx, tried),
      done.length > 0 && removeDeliveries(tx, done),
      again.length > 0 && postpone(tx, again),
      countSuccesses(
        tx,
        groups.filter((group) => isOf(watched)(group) && !group.some(hasFailed)),
        now,
      ),
    ]
    await Promise.all(statements)
    for (const group of failing.toSorted(byAutomation)) await alert(tx, group, now)
    await noteOutcomes(
      tx,
      groups.filter((group) => failing.includes(group) || isOf(troubled)(group)),
      now,
    )
    if (finished.length > 0) await releaseEndpoints(tx, owner, finished)
    const holds = tried.flatMap(({ exchange }) => exchange.notBefore ?? [])
    await wakeAt(tx, [...again.map(({ retryAt }) => retryAt), ...holds])
  })
}

const hasFailed = ({ exchange }: Tried) => !exchange.isSuccess
const byAutomation = ([one]: Tried[], [other]: Tried[]) =>
  (one?.automation.id ?? "") < (other?.automation.id ?? "") ? -1 : 1

/** Locks the automations, so that none is deleted before the log entries that reference it are visible. */
async function holdAutomations(tx: Tx, groups: readonly (readonly Tried[])[]): Promise<void> {
  const keys = groups.flatMap((group) => group.slice(0, 1).map(({ delivery }) => delivery))
  await tx`
    select from automations join ${keysOf(tx, keys)}
      on automations.organization_id = endpoint."organizationId" and automations.id = endpoint."automationId"
    order by automations.organization_id, automations.id for key share of automations`
}

async function insertEntries(tx: Tx, tried: readonly Tried[]): Promise<void> {
  // Many endpoints often receive the same record: it is sent to the database once.
  const bodies = [...new Set(tried.map(({ exchange }) => exchange.request))]
  const places = new Map(bodies.map((body, index) => [body, index + 1]))
  const rows = tried.map(({ delivery, automation, exchange, referenceId, trace }) => ({
    o: automation.organizationId,
    a: automation.id,
    id: randomBytes(15).toString("base64url"),
    xid: delivery.eventXid,
    n: delivery.eventNumber,
    origin: delivery.origin satisfies LogOrigin,
    attempt: delivery.attempt,
    ok: exchange.isSuccess,
    status: exchange.statusCode,
    url: exchange.url,
    body: places.get(exchange.request),
    response: exchange.response,
    headers: exchange.responseHeaders,
    reference: referenceId,
    traceparent: trace?.traceparent ?? null,
    request: trace?.requestId ?? null,
    dispatched: delivery.dispatchedTime,
    started: exchange.startedTime,
    finished: exchange.finishedTime,
  }))
  // An attempt that was repeated because a worker died before writing is stored once. A deleted automation has no log.
  await tx`
    insert into automation_log (organization_id, id, automation_id, event_xid, event_number, origin, attempt, is_success,
      status_code, name, event, automation_type, data_type, details, url, request, response, response_headers,
      reference_id, traceparent, request_id, dispatched_time, started_time, finished_time)
    select a.organization_id, entry.id, a.id, entry.xid::xid8, entry.n, entry.origin, entry.attempt, entry.ok, entry.status,
      a.name, a.event, a.automation_type, a.data_type, a.details, entry.url, bodies.body, entry.response, entry.headers,
      entry.reference, entry.traceparent, entry.request, entry.dispatched, entry.started, entry.finished
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as entry (
      o text, a text, id text, xid text, n bigint, origin text, attempt smallint, ok boolean, status smallint, url text,
      body int, response text, headers jsonb, reference text, traceparent text, request text, dispatched timestamptz, started timestamptz, finished timestamptz)
    join automations a on a.organization_id = entry.o and a.id = entry.a
    join json_array_elements_text(${JSON.stringify(bodies)}::text::json) with ordinality as bodies (body, place)
      on bodies.place = entry.body
    on conflict do nothing`
}

async function removeDeliveries(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
  await tx`
    delete from webhook_deliveries waiting using ${placesOf(tx, deliveries)}
    where waiting.organization_id = place."organizationId" and waiting.automation_id = place."automationId"
      and waiting.sequence = place.sequence`
}

async function postpone(
  tx: Tx,
  deliveries: readonly (Delivery & { retryAt: Temporal.Instant })[],
): Promise<void> {
  await tx`
    update webhook_deliveries waiting set attempt = place.attempt + 1, due_time = place."retryAt"
    from ${placesOf(tx, deliveries)}
    where waiting.organization_id = place."organizationId" and waiting.automation_id = place."automationId"
      and waiting.sequence = place.sequence`
}

function placesOf(sql: Sql, deliveries: readonly (Delivery & { retryAt?: Temporal.Instant })[]) {
  const places = deliveries.map(({ organizationId, automationId, sequence, attempt, retryAt }) => ({
    organizationId,
    automationId,
    sequence,
    attempt,
    retryAt,
  }))
  return sql`json_to_recordset(${JSON.stringify(places)}::text::json) as place (
    "organizationId" text, "automationId" text, sequence bigint, attempt smallint, "retryAt" timestamptz)`
}

async function alert(tx: Tx, group: readonly Tried[], now: Temporal.Instant): Promise<void> {
  const automation = group[0]?.automation
  if (!automation) return
  await watchFailures(
    tx,
    automation,
    { attempted: group.length, failed: group.filter(hasFailed).length },
    now,
  )
}

/** Counts successes in the alert window of endpoints that had failures; most have none. */
async function countSuccesses(
  tx: Tx,
  groups: readonly (readonly Tried[])[],
  now: Temporal.Instant,
): Promise<void> {
  const counts = groups.flatMap((group) => {
    const automation = group[0]?.automation
    return automation
      ? [{ organizationId: automation.organizationId, automationId: automation.id, count: group.length }]
      : []
  })
  if (counts.length === 0) return
  await tx`
    update webhook_failures failures set attempted = attempted + counted.count
    from json_to_recordset(${JSON.stringify(counts)}::text::json)
      as counted ("organizationId" text, "automationId" text, count int)
    where failures.organization_id = counted."organizationId" and failures.automation_id = counted."automationId"
      and started_time > ${now.subtract({ hours: 1 })}`
}
