import { RoadFileError } from "./container.ts"

export function checkSameLength(name: string, length: number, expected: number): void {
  if (length !== expected) throw new RoadFileError(`${name} has ${length} values instead of ${expected}`)
}

/** Every value is below a count; `other` is allowed as well. */
export function checkRange(name: string, values: Uint32Array, count: number, other = -1): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (value >= count && value !== other) throw new RoadFileError(`${name} leads outside at ${i}`)
  }
}

/** From 0 to the total, never falling. */
export function checkOffsets(name: string, offsets: Uint32Array, total: number): void {
  if (offsets[0] !== 0 || offsets.at(-1) !== total)
    throw new RoadFileError(`${name} does not cover its values`)
  for (let i = 1; i < offsets.length; i++)
    if ((offsets[i] as number) < (offsets[i - 1] as number)) throw new RoadFileError(`${name} falls at ${i}`)
}
