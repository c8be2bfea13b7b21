import { type Fragment, idTexts, type Pool, type Sql, type Tx } from "./database/database.ts"
import type { LiveEvents } from "./events/live-events.ts"
import { currentTrace, type Trace } from "./telemetry/trace-context.ts"

/** What integrations may want to know of, by the names of the wire. */
export const domainEvents = {
  onTaskCreated: "task",
  onTaskAssigned: "task",
  onTaskFinished: "task",
  onTaskUpdated: "task",
  onTaskMoved: "task",
  onTaskDeleted: "task",
  onTaskArrived: "task",
  onTaskLeft: "task",
  onTaskFailed: "task",
  onEtaChanged: "task",
  onTaskLate: "task",
  onDataSourceCreated: "data",
  onRecordCreated: "data",
  onRecordUpdated: "data",
  onRecordDeleted: "data",
  onRoutingResultFinished: "routingResult",
  onRoutingResultDispatched: "routingResult",
  onStartTrip: "locationHistory",
  onFinishTrip: "locationHistory",
  onGeofence: "visit",
  onWorkerSilent: "person",
  onAlert: "alert",
} as const satisfies Record<
  string,
  "task" | "data" | "routingResult" | "locationHistory" | "visit" | "person" | "alert"
>
export type DomainEventName = keyof typeof domainEvents
/** `onRecordCreated` is the newer name of `onDataSourceCreated`: automations take either, and one event is stored. */
export type StoredEventName = Exclude<DomainEventName, "onRecordCreated">

/** The name that an event is stored under. */
export function storedName(event: DomainEventName): StoredEventName {
  return event === "onRecordCreated" ? "onDataSourceCreated" : event
}

/** The names that automations may know a stored event by. */
export function namesOf(event: StoredEventName): DomainEventName[] {
  return event === "onDataSourceCreated" ? [event, "onRecordCreated"] : [event]
}

/** A change, with the record as the wire has it. */
export type DomainEvent = {
  referenceId: string
  hubId: string | null
} & ({ record: object } | { recordJson: string })

type EventChange = [tx: Tx, organizationId: string, event: StoredEventName, events: readonly DomainEvent[]]
/** Runs in the transaction of each event; the pool is for what happens after its commit. */
export type DomainEventListener = (...change: [...EventChange, pool: Pool]) => Promise<void>
export type BoundEventListener = (...change: EventChange) => Promise<void>

/** The maximum number of events in a row; row numbers differ by this amount. */
export const eventsPerRow = 64
/** And of about so many characters, so that reading one event does not read much more. */
const rowCharacters = 64 * 1024

/**
 * Keeps events with the change that causes them, with one statement for any number, and notifies the listeners.
 * They are read by automations, webhooks and `GET /events/feed`; live events of the console are others.
 */
export async function emit(
  tx: Tx,
  { listeners }: Pick<LiveEvents, "listeners">,
  organizationId: string,
  event: StoredEventName,
  events: readonly DomainEvent[],
): Promise<void> {
  if (events.length === 0) return
  const rows = rowsOf(events)
  const column = (read: (row: EventRow) => string) => rows.map(read).join(rowEnd)
  const trace = currentTrace()
  const insertion = tx`
    insert into domain_events (organization_id, event, hub_id, reference_ids, records, traceparent, request_id)
    select ${organizationId}, ${event}, hub_id, reference_ids, records, ${trace?.traceparent ?? null}, ${trace?.requestId ?? null}
    from unnest(
      ${idTexts(
        tx,
        rows.map(({ hubId }) => hubId),
      )}, string_to_array(${column(({ ids }) => ids.join(","))}::text, chr(30)),
      string_to_array(${column(({ records }) => records.join(recordEnd))}::text, chr(30))
    ) as domain_event (hub_id, reference_ids, records)`.reusePlan()
  await Promise.all([insertion, ...listeners.map((listener) => listener(tx, organizationId, event, events))])
}

/** Neither character occurs in JSON unescaped. */
const [rowEnd, recordEnd] = ["\u001e", "\u001f"] as const

interface EventRow {
  hubId: string | null
  ids: string[]
  records: string[]
  characters: number
}

/** In the order given; a row ends where the hub changes, and when it is full. */
function rowsOf(events: readonly DomainEvent[]): EventRow[] {
  const rows: EventRow[] = []
  let row: EventRow | undefined
  for (const domainEvent of events) {
    const { hubId, referenceId } = domainEvent
    const isFull = !row || row.ids.length === eventsPerRow || row.characters >= rowCharacters
    if (!row || isFull || row.hubId !== hubId) {
      row = { hubId, ids: [], records: [], characters: 0 }
      rows.push(row)
    }
    const record = jsonOf(domainEvent)
    row.ids.push(referenceId)
    row.records.push(record)
    row.characters += record.length
  }
  return rows
}

function jsonOf(domainEvent: DomainEvent): string {
  return "recordJson" in domainEvent ? domainEvent.recordJson : JSON.stringify(domainEvent.record)
}

/**
 * Events one by one, to select from: organization_id, xid, number, event, reference_id, hub_id, depth, created_time and
 * record. `stored` is a condition on the rows of domain_events, such as `fromNumber` and all that has an index.
 */
export function eachEvent(sql: Sql, stored: Fragment): Fragment {
  return sql`(
    select e.organization_id, e.xid, e.number + each.place - 1 as number, e.event, each.reference_id, e.hub_id, e.depth,
      e.created_time, each.record::jsonb as record
    from (
      select *, coalesce(reference_ids, reference_id) as ids, coalesce(records, record::text) as texts
      from domain_events where ${stored}
    ) e cross join lateral rows from (
      string_to_table(e.ids, ','), string_to_table(e.texts, chr(31))
    ) with ordinality as each (reference_id, record, place)
  )`
}

/** For `eachEvent`: rows that hold events from this number of a transaction on, and few others. */
export function fromNumber(sql: Sql, number: number | string): Fragment {
  return sql`number > ${String(number)}::text::bigint - ${eventsPerRow}::int`
}

export interface KeptEvent {
  number: number
  event: StoredEventName
  referenceId: string
  depth: number
  record: Record<string, unknown>
}

/** One event; undefined when it is no longer kept. */
export async function findEvent(
  sql: Sql,
  organizationId: string,
  { xid, number }: { xid: string; number: number },
): Promise<KeptEvent | undefined> {
  const stored = sql`organization_id = ${organizationId} and xid = ${xid}::text::xid8
    and ${fromNumber(sql, number)} and number <= ${number}`
  const rows = await sql<KeptEvent[]>`
    select number, event, reference_id, depth, record from ${eachEvent(sql, stored)} domain_event where number = ${number}`
  return rows[0]
}

export interface EventText {
  organizationId: string
  number: number
  event: StoredEventName
  referenceId: string
  createdTime: Temporal.Instant
  /** What it follows from; undefined for events from before traces were kept. */
  trace: Trace | undefined
  /** The record as JSON, as it was written. */
  record: string
}

/** Events of any organizations with their neighbours in the same rows; those that are no longer kept are missing. */
export async function listEventTexts(
  sql: Sql,
  wanted: readonly { organizationId: string; xid: string; number: number }[],
): Promise<EventText[]> {
  const keys = new Map(wanted.map((key) => [`${key.organizationId} ${key.number}`, key]))
  const rows = await sql<
    {
      organizationId: string
      number: number
      event: StoredEventName
      createdTime: Temporal.Instant
      traceparent: string | null
      requestId: string | null
      ids: string
      texts: string
    }[]
  >`
    select distinct on (e.organization_id, e.xid, e.number) e.organization_id, e.number, e.event, e.created_time,
      e.traceparent, e.request_id, coalesce(reference_ids, reference_id) as ids, coalesce(records, record::text) as texts
    from json_to_recordset(${JSON.stringify([...keys.values()])}::text::json)
      as key ("organizationId" text, xid text, number bigint)
    join domain_events e on e.organization_id = key."organizationId" and e.xid = key.xid::xid8
      and e.number > key.number - ${eventsPerRow}::int and e.number <= key.number`
  return rows.flatMap(
    ({ organizationId, number, event, createdTime, traceparent, requestId, ids, texts }) => {
      const records = texts.split(recordEnd)
      const trace = traceparent === null ? undefined : { traceparent, requestId }
      return ids.split(",").map((referenceId, place) => ({
        organizationId,
        number: number + place,
        event,
        createdTime,
        trace,
        referenceId,
        record: records[place] ?? "null",
      }))
    },
  )
}

/** What is emitted in this transaction from here on was caused by an automation at this depth. */
export async function setEventDepth(tx: Tx, depth: number): Promise<void> {
  await tx`select set_config('fieldway.event_depth', ${String(depth)}, true)`
}
