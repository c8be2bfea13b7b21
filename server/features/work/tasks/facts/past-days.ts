import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { type Day, dayOf } from "./day-rows.ts"
import { type PastDay, readPastDay, settledAfter } from "./past-day.ts"

/** Bytes that were read for all days in memory, where they take up to five times as much. */
const maxSize = 24_000_000
/** Days of which one moment was asked for are kept too, without their tasks. */
const maxDays = 200
const keptMilliseconds = 15 * 60_000

/** Days that people move through, in memory: a moment of one is found without the database. */
export interface PastDays {
  /** The day of a moment. Undefined where the moment may still change, and where it is better read by itself. */
  find(sql: Sql, caller: Caller, at: Temporal.Instant): PastDay | undefined
}

interface Entry {
  /** Undefined until it has been read. */
  past?: PastDay
  /** Also after it could not be read, or was too large. */
  wasRead: boolean
  size: number
}

/** Who opens a link looks at one moment of a day. With the second one, the day is read, and those until then by themselves. */
export function pastDays(): PastDays {
  const entries = new Map<string, Entry>()
  let isReading = false

  function add(key: string): void {
    const entry = { size: 0, wasRead: false }
    entries.set(key, entry)
    const forget = () => entries.get(key) === entry && entries.delete(key)
    setTimeout(forget, keptMilliseconds).unref()
  }

  function dropOldest(): void {
    let [size, count] = [0, 0]
    for (const [key, entry] of [...entries].toReversed()) {
      ;[size, count] = [size + entry.size, count + 1]
      if (size > maxSize || count > maxDays) entries.delete(key)
    }
  }

  /** Reads one day at a time: each takes a few times its size meanwhile. */
  async function read(sql: Sql, caller: Caller, day: Day, entry: Entry): Promise<void> {
    ;[isReading, entry.wasRead] = [true, true]
    try {
      const past = await readPastDay(sql, caller, day)
      if (past) [entry.past, entry.size] = [past, past.size]
      dropOldest()
    } catch {
      // Each moment of the day is read by itself, as of one that is too large.
    } finally {
      isReading = false
    }
  }

  return {
    find(sql, caller, at) {
      if (at.epochMilliseconds > Date.now() - settledAfter.minutes * 60_000) return undefined
      const day = dayOf(caller, at)
      const key = `${caller.organizationId} ${day.from.epochMilliseconds}`
      const entry = entries.get(key)
      if (!entry) {
        add(key)
        dropOldest()
        return undefined
      }
      entries.delete(key)
      entries.set(key, entry)
      if (!entry.wasRead && !isReading) void read(sql, caller, day, entry)
      return entry.past && at.epochMilliseconds < entry.past.settledUntil ? entry.past : undefined
    },
  }
}
