import { AppError } from "../errors.ts"

/** A bounded number of slots, shared fairly between keys (organizations). */
export interface FairSlots {
  /** Takes a slot at once, or returns false when the key has to wait. */
  tryTake(key: string): boolean
  /**
   * Takes a slot, after waiting where it must. Rejects with a 429 when the key has too many waiting, with a 503 after
   * `waitMilliseconds`, and with the signal's reason when it is aborted while waiting.
   */
  take(key: string, signal?: AbortSignal): Promise<void>
  /** Gives a slot of the key back. */
  release(key: string): void
  /** True when no other key asked for a slot within the last second. */
  isAlone(key: string): boolean
  readonly running: number
  readonly waiting: number
}

export interface FairSlotsOptions {
  slots: number
  /** Of one key at a time, however many slots are free: a slot that another key needs is never far away. */
  perKey: number
  /** Of one key at a time while others use slots too; what is above is lent to a key that is alone. Default `perKey`. */
  perKeyShared?: number
  /** Waiting at a time for one key. */
  waitingPerKey: number
  waitMilliseconds: number
}

interface Waiter {
  start(): void
}

/** How long a key that used a slot counts as one that others share with. */
const sharedMilliseconds = 1_000

/**
 * Slots are given to the keys by turns: one key with a hundred waiting delays another one by a single slot's time at
 * most. Taking a free slot costs two lookups in a map and no promise.
 */
export function createFairSlots(options: FairSlotsOptions): FairSlots {
  const running = new Map<string, number>()
  /** In the order of their turns. */
  const waiting = new Map<string, Waiter[]>()
  let runningCount = 0
  let waitingCount = 0

  const { perKey, perKeyShared = perKey } = options
  /** The key that asked last, and the one before it that was another one. */
  let last = { key: "", at: -Infinity }
  let lastOther = { key: "", at: -Infinity }
  const noteUse = (key: string) => {
    if (last.key !== key) lastOther = last
    last = { key, at: performance.now() }
  }
  const isAlone = (key: string) =>
    performance.now() - (last.key === key ? lastOther : last).at > sharedMilliseconds
  const hasRoom = (key: string) => {
    const own = running.get(key) ?? 0
    return runningCount < options.slots && own < perKey && (own < perKeyShared || isAlone(key))
  }
  const occupy = (key: string) => {
    runningCount += 1
    running.set(key, (running.get(key) ?? 0) + 1)
  }
  const leave = (key: string, waiter: Waiter) => {
    const line = waiting.get(key)
    const place = line?.indexOf(waiter) ?? -1
    if (!line || place === -1) return
    line.splice(place, 1)
    waitingCount -= 1
    if (line.length === 0) waiting.delete(key)
  }
  const startNext = () => {
    for (const [key, line] of waiting) {
      if (runningCount >= options.slots) return
      const [next] = line
      if (!next || !hasRoom(key)) continue
      leave(key, next)
      // The key goes to the end of the turns; the iteration meets it there again.
      if (waiting.delete(key)) waiting.set(key, line)
      occupy(key)
      next.start()
    }
  }

  function wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    const line = waiting.get(key) ?? []
    if (line.length >= options.waitingPerKey)
      return Promise.reject(busy(429, "sys-036", "Too many requests are waiting"))
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener("abort", abort)
      }
      const waiter: Waiter = {
        start() {
          end()
          resolve()
        },
      }
      const giveUp = (reason: unknown) => {
        end()
        leave(key, waiter)
        reject(reason)
      }
      const abort = () => giveUp(signal?.reason)
      const timer = setTimeout(() => {
        giveUp(busy(503, "sys-045", "Requests before this one are still in progress"))
      }, options.waitMilliseconds)
      signal?.addEventListener("abort", abort, { once: true })
      line.push(waiter)
      waiting.set(key, line)
      waitingCount += 1
    })
  }

  const slots: FairSlots = {
    isAlone,
    tryTake(key) {
      noteUse(key)
      // Who comes while others of the same key wait goes behind them.
      if (!hasRoom(key) || waiting.has(key)) return false
      occupy(key)
      return true
    },
    take(key, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason)
      return slots.tryTake(key) ? Promise.resolve() : wait(key, signal)
    },
    release(key) {
      const count = running.get(key)
      if (count === undefined) throw new Error("a slot was released that had not been acquired")
      if (count === 1) running.delete(key)
      else running.set(key, count - 1)
      runningCount -= 1
      if (waitingCount > 0) startNext()
    },
    get running() {
      return runningCount
    },
    get waiting() {
      return waitingCount
    },
  }
  return slots
}

function busy(http: number, code: string, reason: string): AppError {
  const seconds = http === 429 ? 1 : 5
  return new AppError(
    http,
    code,
    `${reason}. Retry after ${seconds === 1 ? "one second" : "five seconds"}.`,
    {
      headers: { "retry-after": String(seconds) },
    },
  )
}
