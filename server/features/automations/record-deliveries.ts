import { randomBytes } from "node:crypto"
import { inTransaction, type Pool, type Sql, type Tx } from "#core/database.ts"
import type { Exchange } from "./call-webhook.ts"
import { type Delivery, type EndpointKey, releaseEndpoints } from "./delivery-queue.ts"
import { noteOutcomes } from "./endpoint-state.ts"
import { watchFailures } from "./failure-alert.ts"
import { masked } from "./mask.ts"
import type { AutomationRow } from "./queries.ts"
import type { LogOrigin } from "./write-log.ts"

/** One try that ended. */
export interface Tried {
  delivery: Delivery
  automation: AutomationRow
  exchange: Exchange
  referenceId: string
  /** When it is tried again; undefined when this was the last time. */
  retryAt: Temporal.Instant | undefined
}

/** What a worker knows and the database does not yet. */
export interface Results {
  tried: Tried[]
  /** Deliveries that are not sent: switched off, or the event is no longer kept. */
  dropped: Delivery[]
  /** Endpoints whose turn is over. */
  finished: EndpointKey[]
}

/** Writes results of many endpoints in one transaction: log, queue, state of the endpoints, alerts. */
export async function recordResults(
  sql: Pool,
  owner: string,
  { tried, dropped, finished }: Results,
  {
    now,
    wakeAt,
  }: {
    now: Temporal.Instant
    /** Sees to it that somebody looks for retries when they are due. */
    wakeAt(tx: Tx, moments: readonly Temporal.Instant[]): Promise<void>
  },
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    if (tried.length > 0) await insertEntries(tx, tried)
    const done = [...dropped, ...tried.filter(({ retryAt }) => !retryAt).map(({ delivery }) => delivery)]
    if (done.length > 0) await removeDeliveries(tx, done)
    const again = tried.flatMap(({ delivery, retryAt }) => (retryAt ? [{ ...delivery, retryAt }] : []))
    if (again.length > 0) await postpone(tx, again)
    const byEndpoint = Map.groupBy(tried, ({ delivery }) => delivery.automationId)
    const failing = [...byEndpoint.values()].filter((group) => group.some(hasFailed))
    for (const group of failing.toSorted(byAutomation)) await alert(tx, group, now)
    await countSuccesses(
      tx,
      [...byEndpoint.values()].filter((group) => !group.some(hasFailed)),
      now,
    )
    await noteOutcomes(tx, [...byEndpoint.values()], now)
    if (finished.length > 0) await releaseEndpoints(tx, owner, finished)
    await wakeAt(
      tx,
      again.map(({ retryAt }) => retryAt),
    )
  })
}

const hasFailed = ({ exchange }: Tried) => !exchange.isSuccess
const byAutomation = ([one]: Tried[], [other]: Tried[]) =>
  (one?.automation.id ?? "") < (other?.automation.id ?? "") ? -1 : 1

async function insertEntries(tx: Tx, tried: readonly Tried[]): Promise<void> {
  const rows = tried.map(({ delivery, automation, exchange, referenceId }) => ({
    organizationId: automation.organizationId,
    id: randomBytes(15).toString("base64url"),
    automationId: automation.id,
    eventXid: delivery.eventXid,
    eventNumber: delivery.eventNumber,
    origin: delivery.origin satisfies LogOrigin,
    attempt: delivery.attempt,
    isSuccess: exchange.isSuccess,
    statusCode: exchange.statusCode,
    name: automation.name,
    event: automation.event,
    automationType: automation.automationType,
    dataType: automation.dataType,
    details: masked(automation.details),
    url: exchange.url,
    request: exchange.request,
    response: exchange.response,
    responseHeaders: exchange.responseHeaders,
    referenceId,
    dispatchedTime: delivery.dispatchedTime,
    startedTime: exchange.startedTime,
    finishedTime: exchange.finishedTime,
  }))
  // A try that a worker made again, as it died before it could write, stands once.
  await tx`
    insert into automation_log (organization_id, id, automation_id, event_xid, event_number, origin, attempt, is_success,
      status_code, name, event, automation_type, data_type, details, url, request, response, response_headers,
      reference_id, dispatched_time, started_time, finished_time)
    select "organizationId", id, "automationId", "eventXid"::xid8, "eventNumber", origin, attempt, "isSuccess",
      "statusCode", name, event, "automationType", "dataType", details, url, request, response, "responseHeaders",
      "referenceId", "dispatchedTime", "startedTime", "finishedTime"
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as entry (
      "organizationId" text, id text, "automationId" text, "eventXid" text, "eventNumber" bigint, origin text,
      attempt smallint, "isSuccess" boolean, "statusCode" smallint, name text, event text, "automationType" text,
      "dataType" text, details jsonb, url text, request text, response text, "responseHeaders" jsonb,
      "referenceId" text, "dispatchedTime" timestamptz, "startedTime" timestamptz, "finishedTime" timestamptz)
    where exists (
      select from automations a where a.organization_id = entry."organizationId" and a.id = entry."automationId")
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

/** Successes count in the window of an endpoint that had failures; most have none. */
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
