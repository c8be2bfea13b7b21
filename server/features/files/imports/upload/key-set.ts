const bytesPerKey = 8
const firstCapacity = 1024

/**
 * The keys of a file, by 8 bytes of their hash: a million take 16 MB. Two different keys among a million have the
 * same 8 bytes once in forty million files.
 */
export interface KeySet {
  readonly size: number
  has(hash: Buffer): boolean
  /** Adds hashes that stand one after the other. */
  addAll(hashes: Buffer): void
}

/** An empty set. Open addressing in one array of pairs, at most half full; (0, 0) is an empty place. */
export function createKeySet(): KeySet {
  let slots = new Uint32Array(firstCapacity * 2)
  let size = 0

  /** Where a pair stands or would stand. */
  function placeOf(high: number, low: number): number {
    const mask = slots.length / 2 - 1
    for (let place = low & mask; ; place = (place + 1) & mask) {
      const [storedHigh, storedLow] = [slots[place * 2], slots[place * 2 + 1]]
      if ((storedHigh === high && storedLow === low) || (storedHigh === 0 && storedLow === 0))
        return place * 2
    }
  }

  function add(high: number, low: number): void {
    const place = placeOf(high, low)
    if (slots[place] === high && slots[place + 1] === low) return
    slots[place] = high
    slots[place + 1] = low
    size++
    if (size * 4 > slots.length) grow()
  }

  function grow(): void {
    const before = slots
    slots = new Uint32Array(before.length * 2)
    for (let at = 0; at < before.length; at += 2) {
      const [high, low] = [before[at] ?? 0, before[at + 1] ?? 0]
      if (high === 0 && low === 0) continue
      const place = placeOf(high, low)
      slots[place] = high
      slots[place + 1] = low
    }
  }

  return {
    get size() {
      return size
    },
    has(hash) {
      const [high, low] = [hash.readUInt32LE(0), hash.readUInt32LE(4)]
      const place = placeOf(high, low)
      return slots[place] === high && slots[place + 1] === low
    },
    addAll(hashes) {
      for (let at = 0; at + bytesPerKey <= hashes.length; at += bytesPerKey)
        add(hashes.readUInt32LE(at), hashes.readUInt32LE(at + 4))
    },
  }
}
