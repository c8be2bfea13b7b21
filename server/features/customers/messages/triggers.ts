import type { StoredEventName } from "#core/domain-events.ts"

/** When customers are written to. `isUrgent`: worth nothing later, so that quiet hours drop it instead of delaying it. */
export const triggers = {
  planned: {},
  dayBefore: {},
  onTheWay: { isUrgent: true },
  nextStop: { isUrgent: true },
  arrived: { isUrgent: true },
  late: { isUrgent: true },
  done: {},
  failed: {},
  receipt: {},
  ratingRequest: {},
  requestReceived: {},
  requestApproved: {},
  requestRejected: {},
  notification: {},
} as const satisfies Record<string, { isUrgent?: true }>
export type Trigger = keyof typeof triggers

export const triggerNames = Object.keys(triggers) as Trigger[]

/** Triggers that follow an event of a task at once; the others follow from time and estimates. */
export const triggersOfEvent: Readonly<Partial<Record<StoredEventName, readonly Trigger[]>>> = {
  onTaskAssigned: ["planned"],
  onTaskArrived: ["arrived"],
  onTaskFinished: ["done", "receipt", "ratingRequest"],
  onTaskFailed: ["failed"],
}

export function isUrgent(trigger: Trigger): boolean {
  return (triggers[trigger] as { isUrgent?: true }).isUrgent === true
}

const unsuccessful: ReadonlySet<unknown> = new Set(["failed", "returned"])

/** A task that failed is finished too: its customer gets the message about the failure alone. */
export function suits(trigger: Trigger, outcome: unknown): boolean {
  if (trigger === "done" || trigger === "receipt" || trigger === "ratingRequest")
    return !unsuccessful.has(outcome)
  return true
}
