type Column = Float64Array | Uint32Array | Int32Array | Uint8Array | Uint16Array

/** A typed array that grows while it is filled. */
export interface Growing<T extends Column> {
  values: T
  length: number
  push(value: number): void
  /** What was pushed, in an array of its own. */
  take(): T
}

export function growing<T extends Column>(make: (length: number) => T, capacity = 1024): Growing<T> {
  return {
    values: make(capacity),
    length: 0,
    push(value) {
      if (this.length === this.values.length) {
        const larger = make(this.length * 2)
        larger.set(this.values)
        this.values = larger
      }
      this.values[this.length++] = value
    },
    take() {
      return this.values.slice(0, this.length) as T
    },
  }
}

export const numbers = (length: number): Float64Array => new Float64Array(length)
export const integers = (length: number): Uint32Array => new Uint32Array(length)
export const bytes = (length: number): Uint8Array => new Uint8Array(length)

/** Position of `value` in an ascending array, -1 without one. */
export function positionOf(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = sorted[middle] as number
    if (found === value) return middle
    if (found < value) low = middle + 1
    else high = middle - 1
  }
  return -1
}
