import { retryOf, webhookRetries } from "#shared/webhook-retries.ts"
import type { AutomationRow } from "../queries.ts"

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
  const seconds = webhookRetries[retryOf(details.retry)][attempt]
  if (seconds === undefined) return undefined
  const planned = now.add({ seconds })
  return notBefore && Temporal.Instant.compare(notBefore, planned) > 0 ? notBefore : planned
}
