import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { mapInSlices } from "#core/http/limits/large-lists.ts"
import { type Day, dayOf, pastIds } from "./past-ids.ts"
import { addChanges, type History, type PastTask, readHistories, taskAt } from "./past-tasks.ts"

/** A transaction writes its changes with the time of its beginning, and is over after so long. */
const settledAfter = { minutes: 10 }
/** Bytes that were read, of one day and of all in memory, where they take up to five times as much. */
const maxSizeOfDay = 16_000_000
const maxSize = 24_000_000
/** Days of which one moment was asked for are kept too, without their tasks. */
const maxDays = 200
const keptMilliseconds = 15 * 60_000

/** Moments of the past. Days that people look at are kept in memory: further moments of a day need little or no reading. */
export interface PastDays {
  /** The tasks of a moment's day as they were, unsorted; `isPart`: there were too many to look at all. */
  tasksAt(sql: Sql, caller: Caller, at: Temporal.Instant): Promise<{ tasks: PastTask[]; isPart: boolean }>
}

/** A day in memory. */
interface PastDay {
  /** By id, with their changes since a moment. */
  histories: Map<string, History>
  since: Temporal.Instant
  /** Moments from here on, in epoch milliseconds, may still change. */
  settledUntil: number
  size: number
}

/** Of undefined if the day could not be read, or is too large. */
type Reading = Promise<PastDay | undefined>

interface Entry {
  past?: Reading
  /** The day has, or will have once it is read, what moments from here on need, in epoch milliseconds. */
  since: number
  size: number
}

export function pastDays(): PastDays {
  const entries = new Map<string, Entry>()
  let reading: Entry | undefined

  function dropOldest(): void {
    let [size, count] = [0, 0]
    for (const [key, entry] of [...entries].toReversed()) {
      ;[size, count] = [size + entry.size, count + 1]
      if (size > maxSize || count > maxDays) entries.delete(key)
    }
  }

  function entryOf(key: string): Entry {
    const known = entries.get(key)
    const entry = known ?? { since: Number.POSITIVE_INFINITY, size: 0 }
    entries.delete(key)
    entries.set(key, entry)
    if (!known) {
      const forget = () => entries.get(key) === entry && entries.delete(key)
      setTimeout(forget, keptMilliseconds).unref()
      dropOldest()
    }
    return entry
  }

  /** The first moment reads what later ones need as well, and the first one before it the rest of the day. */
  function find(sql: Sql, caller: Caller, at: Temporal.Instant, day: Day): Reading | undefined {
    const entry = entryOf(`${caller.organizationId} ${day.from.epochMilliseconds}`)
    if (entry.since <= at.epochMilliseconds) return entry.past
    // One day at a time: each takes a few times its size meanwhile. Moments of others are read by themselves.
    if (reading && reading !== entry) return undefined
    const since = entry.past ? day.from : at
    entry.since = since.epochMilliseconds
    entry.past = read(sql, caller, { entry, before: entry.past, since, day })
    return entry.past
  }

  async function read(
    sql: Sql,
    caller: Caller,
    {
      entry,
      before,
      since,
      day,
    }: { entry: Entry; before: Reading | undefined; since: Temporal.Instant; day: Day },
  ): Promise<PastDay | undefined> {
    reading = entry
    try {
      const known = await before
      reading = entry
      const past = before && !known ? undefined : await readDay(sql, caller, { day, since, known })
      entry.size = past?.size ?? 0
      dropOldest()
      return past
    } catch {
      // Each moment of the day is read by itself, as of one that is too large.
      return undefined
    } finally {
      reading = undefined
    }
  }

  return {
    async tasksAt(sql, caller, at) {
      const time = at.epochMilliseconds
      const day = dayOf(caller, at)
      const past = time < settledTime() ? await find(sql, caller, at, day) : undefined
      if (past && time < past.settledUntil) {
        const tasks = await mapInSlices([...past.histories.values()], (history) => taskAt(history, time, day))
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

/** Reads the day since a moment, or what is known of it lacks. Undefined when it is too large to be kept. */
async function readDay(
  sql: Sql,
  caller: Caller,
  { day, since, known }: { day: Day; since: Temporal.Instant; known: PastDay | undefined },
): Promise<PastDay | undefined> {
  const { organizationId } = caller
  const settledUntil = known?.settledUntil ?? Math.min(settledTime(), day.until.epochMilliseconds)
  const { ids, isPart } = await pastIds(sql, caller, since, day)
  if (isPart) return undefined
  const histories = known?.histories ?? new Map<string, History>()
  let size = known?.size ?? 0
  const add = (history: History) => {
    size += history.size
    if (size <= maxSizeOfDay) histories.set(history.present.id, history)
  }
  const fresh = ids.filter((id) => !histories.has(id))
  if (known) size += await addChanges(sql, organizationId, { histories, since, until: known.since })
  await readHistories(sql, organizationId, { ids: fresh, since, make: add })
  return size > maxSizeOfDay ? undefined : { histories, since, settledUntil, size }
}
