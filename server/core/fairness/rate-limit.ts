import type { Log } from "../telemetry/log.ts"

/** Counts events per key within the current second, or a longer window. */
export interface RateLimiter {
  /** Counts one event and returns whether it is within the limit. */
  take(key: string, limit: number, windowSeconds?: number): Promise<boolean>
  /** The same for the current second; returns how many more fit, negative when this one did not. */
  takeOne(key: string, limit: number): Promise<number>
  /** Whether one more would fit, without counting it. */
  hasRoom(key: string, limit: number, windowSeconds?: number): Promise<boolean>
  close(): Promise<void>
}

const maxLongCounters = 100_000

/** Counters of this process alone. */
export function localRateLimiter(nowMilliseconds: () => number = Date.now): RateLimiter {
  let second = 0
  let counts = new Map<string, number>()
  const long = new Map<string, { window: number; count: number }>()

  const windowOf = (seconds: number) => Math.floor(nowMilliseconds() / 1000 / seconds)
  const longCount = (key: string, windowSeconds: number) => {
    const known = long.get(`${windowSeconds}:${key}`)
    return known?.window === windowOf(windowSeconds) ? known.count : 0
  }
  const evictExpired = () => {
    for (const [name, { window }] of long)
      if (window !== windowOf(Number(name.slice(0, name.indexOf(":"))))) long.delete(name)
  }

  const countOne = (key: string) => {
    const now = windowOf(1)
    if (now !== second) {
      second = now
      counts = new Map()
    }
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count
  }

  return {
    takeOne: async (key, limit) => limit - countOne(key),
    async take(key, limit, windowSeconds = 1) {
      if (windowSeconds > 1) {
        const count = longCount(key, windowSeconds) + 1
        if (long.size >= maxLongCounters) evictExpired()
        long.set(`${windowSeconds}:${key}`, { window: windowOf(windowSeconds), count })
        return count <= limit
      }
      return countOne(key) <= limit
    },
    hasRoom: async (key, limit, windowSeconds = 1) =>
      (windowSeconds > 1 ? longCount(key, windowSeconds) : (counts.get(key) ?? 0)) < limit,
    close: async () => undefined,
  }
}

const timeoutMilliseconds = 100

/**
 * Counters shared by all nodes through Redis. While Redis is away or slow each node counts for itself:
 * a limit that is too generous for a while is better than refusing everybody.
 */
export async function sharedRateLimiter(url: string, log: Log): Promise<RateLimiter> {
  const { createClient } = await import("redis")
  const local = localRateLimiter()
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 2000, reconnectStrategy: (tries: number) => Math.min(100 * 2 ** tries, 5000) },
  })
  let isHealthy = false
  client.on("ready", () => {
    isHealthy = true
  })
  client.on("error", (error: unknown) => {
    if (isHealthy)
      log.warn({ reason: String(error) }, "Redis is unavailable: rate limits are counted per process")
    isHealthy = false
  })
  client.connect().catch(() => undefined)
  /** Undefined while Redis is away or slow. */
  const count = async (key: string, windowSeconds: number): Promise<number | undefined> => {
    if (!isHealthy) return undefined
    const name = counterName(key, windowSeconds)
    const counted = client
      .multi()
      .incr(name)
      .expire(name, windowSeconds + 2)
      .exec()
    counted.catch(() => undefined)
    const outcome = await Promise.race([counted, afterDelay(timeoutMilliseconds)]).catch(() => undefined)
    return outcome && Number(outcome[0])
  }
  return {
    async take(key, limit, windowSeconds = 1) {
      const counted = await count(key, windowSeconds)
      return counted === undefined ? local.take(key, limit, windowSeconds) : counted <= limit
    },
    async takeOne(key, limit) {
      const counted = await count(key, 1)
      return counted === undefined ? local.takeOne(key, limit) : limit - counted
    },
    async hasRoom(key, limit, windowSeconds = 1) {
      if (!isHealthy) return local.hasRoom(key, limit, windowSeconds)
      const read = client.get(counterName(key, windowSeconds))
      read.catch(() => undefined)
      const count = await Promise.race([read, afterDelay(timeoutMilliseconds)]).catch(() => undefined)
      return Number(count ?? 0) < limit
    },
    close: async () => {
      client.destroy()
    },
  }
}

function counterName(key: string, windowSeconds: number): string {
  return `fieldway:rate:${key}:${windowSeconds}:${Math.floor(Date.now() / 1000 / windowSeconds)}`
}

function afterDelay(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, undefined).unref())
}
