import type { AutomationRow } from "../queries.ts"

/** Seconds until the next attempt: three times two minutes, or growing delays if the webhook is configured so. */
const steady = [120, 120, 120]
const growing = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800]

/**
 * When a delivery is retried after `attempt` failed; undefined when that was the last. Never before the receiver's
 * Retry-After.
 */
export function nextTry(
  { details }: Pick<AutomationRow, "details">,
  attempt: number,
  now: Temporal.Instant,
  notBefore?: Temporal.Instant,
): Temporal.Instant | undefined {
  const seconds = (details.retry === "exponential" ? growing : steady)[attempt]
  if (seconds === undefined) return undefined
  const planned = now.add({ seconds })
  return notBefore && Temporal.Instant.compare(notBefore, planned) > 0 ? notBefore : planned
}
