/** A 32-bit hash of a text (FNV-1a over UTF-16 units): words are stored and compared as numbers. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193)
  }
  return hash | 0
}

/** Of a word that is part of a name, not of what is around it. */
export const hashInName = (word: string) => hashOf(`=${word}`)

/** Shorter words are too many one error apart. */
export const minCorrectedLength = 3

/** The word and what remains of it without one character: two words one error apart share one of these. */
export function deletionsOf(word: string): string[] {
  const found = new Set([word])
  if (word.length >= minCorrectedLength)
    for (let at = 0; at < word.length; at += 1) found.add(word.slice(0, at) + word.slice(at + 1))
  return [...found]
}

/**
 * How many single errors lie between two words: a character more, less, other, or two neighbours exchanged. `limit + 1`
 * stands for everything above the limit.
 */
export function errorsBetween(one: string, other: string, limit: number): number {
  if (one === other) return 0
  if (Math.abs(one.length - other.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    let least = row
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      let errors = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      const isExchange = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (row > 1 && column > 1 && isExchange) errors = Math.min(errors, (beforeLast[column - 2] ?? 0) + 1)
      current.push(errors)
      least = Math.min(least, errors)
    }
    if (least > limit) return limit + 1
    beforeLast = last
    last = current
  }
  return Math.min(limit + 1, last[other.length] ?? 0)
}

/** How much errors count: one in a long word hardly makes another word; in a short one it may. */
export function costOfErrors(typed: string, word: string, errors: number): number {
  const length = Math.max(typed.length, word.length)
  const isFirstSame = typed[0] === word[0]
  return Math.min(0.95, errors * (length >= 6 ? 0.2 : length >= 4 ? 0.28 : 0.45) + (isFirstSame ? 0 : 0.04))
}
