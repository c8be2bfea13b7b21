import { idTexts, jsonTexts, type Tx } from "./database.ts"

/** What integrations may want to know of, by the names of the wire. */
export const domainEvents = {
  onTaskCreated: "task",
  onTaskAssigned: "task",
  onTaskFinished: "task",
  onDataSourceCreated: "data",
  onRoutingResultFinished: "routingResult",
  onRoutingResultDispatched: "routingResult",
  onStartTrip: "locationHistory",
  onFinishTrip: "locationHistory",
} as const satisfies Record<string, "task" | "data" | "routingResult" | "locationHistory">
export type DomainEventName = keyof typeof domainEvents

/** A change, with the record as the wire has it. */
export type Happening = {
  referenceId: string
  hubId: string | null
} & ({ record: object } | { recordJson: string })

type Listener = (tx: Tx, organizationId: string, event: DomainEventName) => Promise<void>
const listeners: Listener[] = []

/** Registers who wants to act on events, in the transaction that they happen in. app.ts lists them. */
export function onDomainEvent(listener: Listener): void {
  if (!listeners.includes(listener)) listeners.push(listener)
}

/**
 * Keeps events with the change that causes them, with one statement for any number, and tells the listeners.
 * They are read by automations, webhooks and `GET /events/feed`; live events of the console are others.
 */
export async function emit(
  tx: Tx,
  organizationId: string,
  event: DomainEventName,
  happenings: readonly Happening[],
): Promise<void> {
  if (happenings.length === 0) return
  const column = <T>(read: (happening: Happening) => T): T[] => happenings.map(read)
  await tx`
    insert into domain_events (organization_id, event, reference_id, hub_id, record)
    select ${organizationId}, ${event}, reference_id, hub_id, record::jsonb
    from unnest(
      ${idTexts(
        tx,
        column(({ referenceId }) => referenceId),
      )}, ${idTexts(
        tx,
        column(({ hubId }) => hubId),
      )}, ${jsonTexts(tx, column(jsonOf))}
    ) as happened (reference_id, hub_id, record)`
  for (const listener of listeners) await listener(tx, organizationId, event)
}

function jsonOf(happening: Happening): string {
  return "recordJson" in happening ? happening.recordJson : JSON.stringify(happening.record)
}

/** What is emitted in this transaction from here on was caused by an automation at this depth. */
export async function setEventDepth(tx: Tx, depth: number): Promise<void> {
  await tx`select set_config('fieldway.event_depth', ${String(depth)}, true)`
}
