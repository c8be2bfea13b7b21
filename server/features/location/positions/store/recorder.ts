import { databaseErrorOf, type Pool } from "#core/database/database.ts"
import { ownedState } from "#core/owned-state.ts"
import { locationErrors } from "../errors.ts"
import type { Tenant } from "./people.ts"
import { type NewPoint, type StoredPoint, storePoints } from "./store-points.ts"

/**
 * Stores points of many callers together. While one statement is on its way, what arrives meanwhile waits and
 * leaves as the next one; no request gets a response before the commit of its points. A phone's single point
 * then costs a row, not a commit of its own.
 */
export interface Recorder {
  /** Resolves after the commit. Refuses with 503 when too much is waiting already. */
  record(tenant: Tenant, points: readonly NewPoint[], now: number): Promise<StoredPoint[]>
}

interface Waiting {
  points: readonly NewPoint[]
  now: number
  resolve(outcomes: StoredPoint[]): void
  reject(error: unknown): void
}

interface Queue {
  tenant: Tenant
  waiting: Waiting[]
  running: number
  /** Points of everybody who waits for this queue. */
  points: number
}

/** More in one statement brings little, and makes the others wait. */
const batchPoints = 2_000
/** Two statements of one organization at a time: one is sent while the other one commits. */
const parallelBatches = 2
/** Of one organization: about a second's work of a small machine; beyond it a caller does better to come back. */
const maxWaitingPoints = 50_000

/** The one recorder of a pool: all ways in share it. */
export const recorderOf = ownedState(createRecorder)

function createRecorder(sql: Pool): Recorder {
  const queues = new Map<number, Queue>()

  const flush = async (queue: Queue): Promise<void> => {
    if (queue.running >= parallelBatches) return
    queue.running += 1
    try {
      while (queue.waiting.length > 0) await store(takeBatch(queue), queue.tenant)
    } finally {
      queue.running -= 1
      if (queue.running === 0 && queue.waiting.length === 0) queues.delete(queue.tenant.organizationNumber)
    }
  }

  const store = async (batch: readonly Waiting[], tenant: Tenant): Promise<void> => {
    const points = batch.flatMap((entry) => entry.points)
    try {
      const now = Math.max(...batch.map((entry) => entry.now))
      const outcomes = await storePoints(sql, tenant, points, now)
      let from = 0
      for (const entry of batch) {
        entry.resolve(outcomes.slice(from, from + entry.points.length))
        from += entry.points.length
      }
    } catch (error) {
      if (batch.length > 1 && databaseErrorOf(error) !== undefined) {
        // One caller's points must not cost the others theirs.
        for (const entry of batch) await store([entry], tenant)
        return
      }
      for (const entry of batch) entry.reject(error)
    }
  }

  return {
    async record(tenant, points, now) {
      const queue = queues.get(tenant.organizationNumber) ?? { tenant, waiting: [], running: 0, points: 0 }
      if (queue.points + points.length > maxWaitingPoints && queue.points > 0)
        throw locationErrors.overloaded({ headers: { "retry-after": "2" } })
      queue.points += points.length
      queues.set(tenant.organizationNumber, queue)
      return new Promise<StoredPoint[]>((resolve, reject) => {
        queue.waiting.push({ points, now, resolve, reject })
        // The requests that arrived in the same turn of the loop go together.
        if (queue.running < parallelBatches && queue.waiting.length === 1)
          setImmediate(() => void flush(queue))
      }).finally(() => {
        queue.points -= points.length
      })
    },
  }
}

function takeBatch(queue: Queue): Waiting[] {
  let count = 0
  let length = 0
  for (const entry of queue.waiting) {
    if (length > 0 && count + entry.points.length > batchPoints) break
    count += entry.points.length
    length += 1
  }
  return queue.waiting.splice(0, length)
}
