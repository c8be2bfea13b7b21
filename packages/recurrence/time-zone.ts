import { millisecondsPerDay, millisecondsPerMinute } from "./calendar.ts"

/**
 * The wall clock of one place: the only thing that the engine must know about a time zone.
 * Instants are milliseconds since the epoch, wall times minutes since 1970-01-01 00:00 on that clock.
 */
export type WallClock = {
  /**
   * The instant of a wall time. A wall time inside a gap (clocks go forward) gives the first valid
   * minute after it; one that occurs twice (clocks go back) gives the first pass. Never decreases when
   * the wall time grows.
   */
  toInstant(wallMinute: number): number
  /** The wall time that the clock shows at an instant, cut to the minute. */
  toWallMinute(instant: number): number
}

export const utcClock: WallClock = {
  toInstant: (wallMinute) => wallMinute * millisecondsPerMinute,
  toWallMinute: (instant) => Math.floor(instant / millisecondsPerMinute),
}

// Names differing only in case are the same zone to Intl, so a caller could otherwise grow the cache at will.
const cachedClocks = 1000

const clocks = new Map<string, WallClock>()

/**
 * The wall clock of an IANA time zone, or undefined where the name is unknown. Names are not case
 * sensitive; fixed offsets such as `+07:00` are no names.
 * Works from `Intl` alone, which every browser and server has, and reads each day's offset only once.
 */
export function wallClockOf(timeZone: string): WallClock | undefined {
  const known = clocks.get(timeZone)
  if (known) return known
  if (!/^[A-Za-z]/.test(timeZone)) return undefined
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
  const canonical = format.resolvedOptions().timeZone
  const clock = canonical === "UTC" ? utcClock : clockFrom((instant) => readOffset(format, instant))
  if (clocks.size >= cachedClocks) clocks.clear()
  clocks.set(timeZone, clock)
  return clock
}

/** A wall clock from its offset function: milliseconds ahead of UTC at an instant. */
function clockFrom(readOffsetAt: (instant: number) => number): WallClock {
  const { offsetAt, changeOnDay } = offsetCache(readOffsetAt)

  /** The end of the gap that swallows a wall time: the only change after `before` and up to `until`. */
  function changeBetween(before: number, until: number): number {
    for (let day = utcDayOf(before); day <= utcDayOf(until); day++) {
      const change = changeOnDay(day)
      if (change && change.at > before && change.at <= until) return change.at
    }
    return until
  }

  return {
    toInstant(wallMinute) {
      const wall = wallMinute * millisecondsPerMinute
      // No zone is more than 14 hours from UTC, so the instant lies within a day of the wall time.
      const before = offsetAt(wall - millisecondsPerDay)
      const after = offsetAt(wall + millisecondsPerDay)
      const firstPass = wall - before
      if (before === after || offsetAt(firstPass) === before) return firstPass
      const later = wall - after
      if (offsetAt(later) === after) return later
      // Rounded up for the few old zones whose offset had seconds.
      return Math.ceil(changeBetween(later, firstPass) / millisecondsPerMinute) * millisecondsPerMinute
    },
    toWallMinute: (instant) => Math.floor((instant + offsetAt(instant)) / millisecondsPerMinute),
  }
}

type OffsetChange = { readonly at: number; readonly before: number; readonly after: number }

// A power of two: days are found by shifting and masking 32-bit integers.
const blockBits = 9
const daysPerBlock = 1 << blockBits
const cachedBlocks = 64

/**
 * Caches the offset of each UTC day that was asked for: reading one takes some microseconds, and a
 * schedule asks for the same days again and again. From 1900 to 2099 no two changes of a zone are less than
 * 167 hours apart (counted over all zones of tz 2026c), so a UTC day has one change at most.
 */
function offsetCache(readOffsetAt: (instant: number) => number) {
  /** NaN: not read yet. Infinity: the offset changes during the day. */
  const blocks = new Map<number, Float64Array>()
  const changes = new Map<number, OffsetChange>()
  let recentIndex = Number.NaN
  let recent: Float64Array = new Float64Array(0)

  function blockOf(utcDay: number): Float64Array {
    const index = utcDay >> blockBits
    if (index === recentIndex) return recent
    let block = blocks.get(index)
    if (!block) {
      if (blocks.size >= cachedBlocks) blocks.clear()
      block = new Float64Array(daysPerBlock).fill(Number.NaN)
      blocks.set(index, block)
    }
    recentIndex = index
    recent = block
    return block
  }

  function readDay(utcDay: number): number {
    const start = utcDay * millisecondsPerDay
    const before = readOffsetAt(start)
    const after = readOffsetAt(start + millisecondsPerDay)
    if (before === after) return before
    changes.set(utcDay, { at: findChange(readOffsetAt, start, before), before, after })
    return Number.POSITIVE_INFINITY
  }

  function offsetOfDay(utcDay: number): number {
    const block = blockOf(utcDay)
    const index = utcDay & (daysPerBlock - 1)
    const known = block[index] ?? Number.NaN
    if (!Number.isNaN(known)) return known
    const offset = readDay(utcDay)
    block[index] = offset
    return offset
  }

  function changeOnDay(utcDay: number): OffsetChange | undefined {
    return offsetOfDay(utcDay) === Number.POSITIVE_INFINITY ? changes.get(utcDay) : undefined
  }

  function offsetAt(instant: number): number {
    const utcDay = utcDayOf(instant)
    const offset = offsetOfDay(utcDay)
    if (offset !== Number.POSITIVE_INFINITY) return offset
    const change = changes.get(utcDay)
    if (!change) throw new Error("A clock change is missing")
    return instant < change.at ? change.before : change.after
  }

  return { offsetAt, changeOnDay }
}

function utcDayOf(instant: number): number {
  return Math.floor(instant / millisecondsPerDay) | 0
}

/** First instant of the day that starts at `start` with an offset other than `before`; changes fall on seconds. */
function findChange(readOffsetAt: (instant: number) => number, start: number, before: number): number {
  let unchanged = 0
  let changed = millisecondsPerDay / 1000
  while (changed - unchanged > 1) {
    const middle = Math.floor((unchanged + changed) / 2)
    if (readOffsetAt(start + middle * 1000) === before) unchanged = middle
    else changed = middle
  }
  return start + changed * 1000
}

/** Reads the `GMT+05:45` at the end of a formatted date; `GMT` alone is zero. */
function readOffset(format: Intl.DateTimeFormat, instant: number): number {
  const parts = /GMT(?:([+-])(\d{1,2}):?(\d{2})?(?::(\d{2}))?)?$/.exec(format.format(instant))
  if (!parts) throw new Error(`No offset in "${format.format(instant)}"`)
  const seconds = Number(parts[2] ?? 0) * 3600 + Number(parts[3] ?? 0) * 60 + Number(parts[4] ?? 0)
  return (parts[1] === "-" ? -seconds : seconds) * 1000
}
