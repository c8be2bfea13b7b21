/** The limits of a plugin. docs/plugins.md names the same figures. */
export const pluginLimits = {
  /** Messages in a burst, and per second after that. */
  messageBurst: 100,
  messagesPerSecond: 20,
  /** Characters of one message as JSON. */
  messageCharacters: 64_000,
  /** Characters of the response to one read. */
  answerCharacters: 2_000_000,
  readsAtOnce: 6,
  readSeconds: 10,
  /** From the load of its frame to its first message, and for each sign of life after that. */
  silenceSeconds: 10,
} as const

export interface Budget {
  /** Takes one; false when none is left. */
  take(nowMilliseconds: number): boolean
}

/** A bucket that holds `burst` and is filled with `perSecond`. */
export function createBudget(burst: number, perSecond: number, startMilliseconds: number): Budget {
  let left = burst
  let last = startMilliseconds
  return {
    take(now) {
      left = Math.min(burst, left + (Math.max(0, now - last) / 1000) * perSecond)
      last = now
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}
