import type { Log } from "./log.ts"

/** Counts requests of the current second per key. `take` answers whether this one still fits the limit. */
export interface RateLimiter {
  take(key: string, limitPerSecond: number): Promise<boolean>
  close(): Promise<void>
}

/** Counters of this process alone. */
export function localRateLimiter(nowMilliseconds: () => number = Date.now): RateLimiter {
  let second = 0
  let counts = new Map<string, number>()
  return {
    async take(key, limit) {
      const now = Math.floor(nowMilliseconds() / 1000)
      if (now !== second) {
        second = now
        counts = new Map()
      }
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count <= limit
    },
    close: async () => undefined,
  }
}

const answerWithinMilliseconds = 100

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
    if (isHealthy) log.warn({ reason: String(error) }, "rate limit counters are local while Redis is away")
    isHealthy = false
  })
  client.connect().catch(() => undefined)
  return {
    async take(key, limit) {
      if (!isHealthy) return local.take(key, limit)
      const name = `fieldway:rate:${key}:${Math.floor(Date.now() / 1000)}`
      const counted = client.multi().incr(name).expire(name, 3).exec()
      counted.catch(() => undefined)
      const outcome = await Promise.race([counted, afterDelay(answerWithinMilliseconds)]).catch(
        () => undefined,
      )
      if (!outcome) return local.take(key, limit)
      return Number(outcome[0]) <= limit
    },
    close: async () => {
      client.destroy()
    },
  }
}

function afterDelay(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, undefined).unref())
}
