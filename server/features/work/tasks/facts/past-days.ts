import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { mapInSlices } from "#core/http/limits/large-lists.ts"
import { type Day, dayOf, pastIds } from "./past-ids.ts"
import { type History, type PastTask, readHistories, taskAt } from "./past-tasks.ts"

/** A transaction writes its changes with the time of its beginning, and is over after so long. */
const settledAfter = { minutes: 10 }
/** Bytes that were read, of one day and of all in memory, where they take up to five times as much. */
const maxSizeOfDay = 16_000_000
const maxSize = 24_000_000
/** Days of which one moment was asked for are kept too, without their tasks. */
const maxDays = 200
const keptMilliseconds = 15 * 60_000

/** Moments of the past. Days that people move through are kept in memory: their moments need no database. */
export interface PastDays {
  /** The tasks of a moment's day as they were, unsorted; `isPart`: there were too many to look at all. */
  tasksAt(sql: Sql, caller: Caller, at: Temporal.Instant): Promise<{ tasks: PastTask[]; isPart: boolean }>
}

/** A day in memory. */
interface PastDay {
  histories: History[]
  /** Moments from here on, in epoch milliseconds, may still change. */
  settledUntil: number
  size: number
}

interface Entry {
  /** Undefined until it is read; then of undefined if it could not be read, or was too large. */
  past?: Promise<PastDay | undefined>
  size: number
}

export function pastDays(): PastDays {
  const entries = new Map<string, Entry>()
  let isReading = false

  function dropOldest(): void {
    let [size, count] = [0, 0]
    for (const [key, entry] of [...entries].toReversed()) {
      ;[size, count] = [size + entry.size, count + 1]
      if (size > maxSize || count > maxDays) entries.delete(key)
    }
  }

  function add(key: string): void {
    const entry = { size: 0 }
    entries.set(key, entry)
    const forget = () => entries.get(key) === entry && entries.delete(key)
    setTimeout(forget, keptMilliseconds).unref()
    dropOldest()
  }

  /** Who opens a link looks at one moment, which is read by itself. With the second one, the day is read. */
  function find(sql: Sql, caller: Caller, day: Day): Promise<PastDay | undefined> | undefined {
    const key = `${caller.organizationId} ${day.from.epochMilliseconds}`
    const entry = entries.get(key)
    if (!entry) {
      add(key)
      return undefined
    }
    entries.delete(key)
    entries.set(key, entry)
    if (!isReading) entry.past ??= read(sql, caller, day, entry)
    return entry.past
  }

  /** Reads one day at a time: each takes a few times its size meanwhile. */
  async function read(sql: Sql, caller: Caller, day: Day, entry: Entry): Promise<PastDay | undefined> {
    isReading = true
    try {
      const past = await readDay(sql, caller, day)
      entry.size = past?.size ?? 0
      dropOldest()
      return past
    } catch {
      // Each moment of the day is read by itself, as of one that is too large.
      return undefined
    } finally {
      isReading = false
    }
  }

  return {
    async tasksAt(sql, caller, at) {
      const time = at.epochMilliseconds
      const day = dayOf(caller, at)
      const past = time < settledTime() ? await find(sql, caller, day) : undefined
      if (past && time < past.settledUntil) {
        const tasks = await mapInSlices(past.histories, (history) => taskAt(history, time, day))
        return { tasks: tasks.filter((task) => task !== undefined), isPart: false }
      }
      const { ids, isPart } = await pastIds(sql, caller, at, day)
      const make = (history: History) => taskAt(history, time, day)
      const tasks = await readHistories(sql, caller.organizationId, { ids, since: at, make })
      return { tasks, isPart }
    },
  }
}

function settledTime(): number {
  return Temporal.Now.instant().subtract(settledAfter).epochMilliseconds
}

/** Reads a day. Undefined when it is too large to be kept. */
async function readDay(sql: Sql, caller: Caller, day: Day): Promise<PastDay | undefined> {
  const settledUntil = Math.min(settledTime(), day.until.epochMilliseconds)
  const { ids, isPart } = await pastIds(sql, caller, day.from, day)
  let size = 0
  const make = (history: History) => {
    size += history.size
    return size > maxSizeOfDay ? undefined : history
  }
  const histories = isPart
    ? []
    : await readHistories(sql, caller.organizationId, { ids, since: day.from, make })
  return isPart || size > maxSizeOfDay ? undefined : { histories, settledUntil, size }
}
