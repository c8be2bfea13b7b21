export type Random = {
  /** Uniform in [0, 1). */
  next(): number
  /** Uniform integer in [0, bound). */
  below(bound: number): number
}

/** sfc32 (Chris Doty-Humphrey, PractRand): small, fast, and the same sequence for a seed on every machine. */
export function createRandom(seed: number): Random {
  let a = 0x9e3779b9
  let b = seed | 0
  let c = 0x243f6a88
  let counter = 1
  function bits(): number {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  // The first outputs still show the seed.
  for (let i = 0; i < 12; i++) bits()
  return {
    next: () => bits() / 4294967296,
    below: (bound) => Math.floor((bits() / 4294967296) * bound),
  }
}
