/** The time as the product sees it. Injected, so that tests move it. */
export interface Clock {
  now(): Temporal.Instant
}

/** To the microsecond, as PostgreSQL stores it: what is written is what is read. */
export const systemClock: Clock = {
  now: () => Temporal.Now.instant().round({ smallestUnit: "microsecond", roundingMode: "trunc" }),
}
