import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"

export const movementStates = {
  moving: "Moving",
  still: "Still",
  silent: "Silent",
  "never-seen": "Never seen",
} as const
export type MovementState = keyof typeof movementStates

export interface SeenPoint {
  /** Milliseconds since 1970, device time. */
  readonly recordedAt: number
  readonly position: LngLat
  readonly accuracyMeters?: number | undefined
  readonly speedMetersPerSecond?: number | undefined
}

export interface MovementRules {
  /** Below this a person counts as idle: 3 km/h. */
  readonly movingMetersPerSecond: number
  /** No point for longer than this is silence. */
  readonly silentAfterSeconds: number
}

export const idleMetersPerSecond = 3 / 3.6

/**
 * How long a person may be quiet before it is worth telling someone: two intervals of the tracking profile, so that
 * one lost point is no alarm, and never under two minutes, since phones batch what they send.
 *
 * @param intervalMinutes minutes between points in the person's profile; null when the profile names none
 */
export function silentAfterSeconds(intervalMinutes: number | null): number {
  // 3 minutes is the interval of the default profile "Balance".
  return Math.max(120, (intervalMinutes ?? 3) * 2 * 60)
}

/**
 * What the map says of a person, from the two newest plausible points and the clock. The reported speed decides when
 * there is one: a receiver measures it better than two noisy places do. Otherwise the distance between the two points
 * counts as far as it exceeds what both claim as their error.
 */
export function movementState(
  latest: SeenPoint | undefined,
  previous: SeenPoint | undefined,
  now: number,
  rules: MovementRules,
): MovementState {
  if (!latest) return "never-seen"
  if (now - latest.recordedAt > rules.silentAfterSeconds * 1000) return "silent"
  if (latest.speedMetersPerSecond !== undefined) {
    return latest.speedMetersPerSecond >= rules.movingMetersPerSecond ? "moving" : "still"
  }
  if (!previous) return "still"
  const seconds = (latest.recordedAt - previous.recordedAt) / 1000
  // What someone did before a long silence says nothing about now.
  if (seconds <= 0 || seconds > rules.silentAfterSeconds) return "still"
  const error = Math.max(latest.accuracyMeters ?? 0, previous.accuracyMeters ?? 0)
  const meters = distanceMeters(previous.position, latest.position)
  return (meters - error) / seconds >= rules.movingMetersPerSecond ? "moving" : "still"
}
