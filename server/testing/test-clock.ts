import type { Clock } from "#core/clock.ts"

/** A clock that runs with the real one until it is moved. */
export interface TestClock extends Clock {
  /** Moves it by a duration such as `{ hours: 25 }` or to an instant such as `2031-05-04T03:00:00Z`. */
  move(to: Temporal.DurationLike | string): void
}

export function createTestClock(): TestClock {
  let offset = 0
  return {
    now: () => Temporal.Instant.fromEpochMilliseconds(Date.now() + offset),
    move(to) {
      if (typeof to === "string") offset = Temporal.Instant.from(to).epochMilliseconds - Date.now()
      else offset += Temporal.Duration.from(to).total("milliseconds")
    },
  }
}
