/** Choices that follow from a text: the same text makes the same choices. */
export interface Random {
  /** From 0 up to, without, 1. */
  number(): number
  /** A whole number from `from` to `to`, both included. */
  integer(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Up to `count` different ones, in the order of the list. */
  some<T>(list: readonly T[], count: number): T[]
}

export function randomOf(text: string): Random {
  let state = 2_166_136_261
  for (const letter of text) state = Math.imul(state ^ letter.charCodeAt(0), 16_777_619) >>> 0
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (from: number, to: number) => from + Math.floor(number() * (to - from + 1))
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new Error("nothing to choose from")
    return list[integer(0, list.length - 1)] as T
  }
  return {
    number,
    integer,
    chance: (probability) => number() < probability,
    pick,
    some(list, count) {
      const chosen = new Set<number>()
      const wanted = Math.min(count, list.length)
      while (chosen.size < wanted) chosen.add(integer(0, list.length - 1))
      return list.filter((_, index) => chosen.has(index))
    },
  }
}
