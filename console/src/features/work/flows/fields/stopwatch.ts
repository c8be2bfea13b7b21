import { valueNumber } from "#shared/values.ts"

/** A timer that runs: the seconds of earlier stretches, and when the present one began (epoch milliseconds). */
export interface Stopwatch {
  seconds: number
  since: number
}

export function isRunning(value: unknown): value is Stopwatch {
  return typeof value === "object" && value !== null && "since" in value && "seconds" in value
}

/** Whole seconds until `now`, of a running or stopped timer. */
export function secondsOf(value: unknown, now: number): number {
  if (isRunning(value)) return value.seconds + Math.max(0, Math.round((now - value.since) / 1000))
  return valueNumber(value) ?? 0
}

/** What was entered, with every running timer stopped at `now`: the server stores seconds. */
export function stopTimers(values: Readonly<Record<string, unknown>>, now: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([id, value]) => [id, isRunning(value) ? secondsOf(value, now) : value]),
  )
}
