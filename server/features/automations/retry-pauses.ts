import type { AutomationRow } from "./queries.ts"

/** Seconds until the next try: three times two minutes, or growing up to 24 hours where the webhook asks for it. */
const steady = [120, 120, 120]
const growing = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800]

/** When a delivery is tried again after its try number `attempt` failed; undefined when that was the last. */
export function nextTry(
  { details }: Pick<AutomationRow, "details">,
  attempt: number,
  now: Temporal.Instant,
): Temporal.Instant | undefined {
  const seconds = (details.retry === "exponential" ? growing : steady)[attempt]
  return seconds === undefined ? undefined : now.add({ seconds })
}
