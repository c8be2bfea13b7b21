interface Entry<Value> {
  value: Promise<Value>
  ends: number
}

const maxEntries = 10_000

/** Values that may be a few seconds old, by key. Concurrent reads of one key share a load; failures are not kept. */
export interface ShortCache<Value> {
  get(key: string, load: () => Promise<Value>): Promise<Value>
  delete(key: string): void
}

export function shortCache<Value>(milliseconds: number): ShortCache<Value> {
  const entries = new Map<string, Entry<Value>>()
  const evict = (now: number) => {
    for (const [key, { ends }] of entries) if (ends <= now) entries.delete(key)
    if (entries.size >= maxEntries) entries.clear()
  }
  return {
    get(key, load) {
      const now = performance.now()
      const known = entries.get(key)
      if (known && known.ends > now) return known.value
      if (entries.size >= maxEntries) evict(now)
      const entry = { value: load(), ends: now + milliseconds }
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key)
      })
      entries.set(key, entry)
      return entry.value
    },
    delete: (key) => entries.delete(key),
  }
}
