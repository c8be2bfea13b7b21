export interface BucketLimit {
  perSecond: number
  /** How many may come at once. */
  burst: number
}

const maxKeys = 20_000

/** Token buckets by key. Beyond 20,000 keys the least recently used are dropped. */
export class KeyedBuckets {
  readonly #limit: BucketLimit
  readonly #now: () => number
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  constructor(limit: BucketLimit, now: () => number = () => performance.now()) {
    this.#limit = limit
    this.#now = now
  }

  take(key: string, count = 1): boolean {
    return this.#take(key, count, false) === 0
  }

  /**
   * Takes some even if they are not there yet, and returns the milliseconds to wait until they are. What is borrowed is
   * bounded, so that nobody can make a key wait forever.
   */
  borrow(key: string, count: number): number {
    return this.#take(key, count, true)
  }

  #take(key: string, count: number, mayBorrow: boolean): number {
    const now = this.#now()
    const { perSecond, burst } = this.#limit
    const known = this.#buckets.get(key) ?? { tokens: burst, at: now }
    const tokens = Math.min(burst, known.tokens + ((now - known.at) / 1000) * perSecond)
    const isEnough = tokens >= count
    const left = isEnough || mayBorrow ? Math.max(tokens - count, -burst) : tokens
    this.#buckets.delete(key)
    this.#buckets.set(key, { tokens: left, at: now })
    if (this.#buckets.size > maxKeys) this.#buckets.delete(this.#buckets.keys().next().value ?? "")
    return isEnough ? 0 : ((count - tokens) / perSecond) * 1000
  }
}
