import { PbfReader, PbfWriter } from "pbf"

/** A run of tiles with the same content, or with run length 0 a directory of the next level. */
export interface Entry {
  readonly id: number
  readonly offset: number
  readonly length: number
  readonly runLength: number
}

export function writeDirectory(entries: readonly Entry[]): Uint8Array {
  const writer = new PbfWriter(new Uint8Array(1024))
  writer.writeVarint(entries.length)
  let last = 0
  for (const { id } of entries) {
    writer.writeVarint(id - last)
    last = id
  }
  for (const { runLength } of entries) writer.writeVarint(runLength)
  for (const { length } of entries) writer.writeVarint(length)
  for (const [index, { offset }] of entries.entries()) {
    const before = entries[index - 1]
    const isNext = before !== undefined && before.offset + before.length === offset
    writer.writeVarint(isNext ? 0 : offset + 1)
  }
  return writer.finish()
}

const maxEntries = 2_000_000

/** Throws a RangeError for content that is no directory. */
export function readDirectory(bytes: Uint8Array): readonly Entry[] {
  const reader = new PbfReader(bytes)
  const count = reader.readVarint()
  if (!(count <= maxEntries && count <= bytes.length)) throw new RangeError("the directory is damaged")
  const columns = [0, 1, 2, 3].map(() => {
    const column = new Float64Array(count)
    for (let index = 0; index < count; index += 1) column[index] = reader.readVarint()
    return column
  })
  if (reader.pos > bytes.length) throw new RangeError("the directory is damaged")
  const [steps, runLengths, lengths, offsets] = columns
  const entries: Entry[] = []
  let id = 0
  for (let index = 0; index < count; index += 1) {
    id += steps?.[index] ?? 0
    const before = entries[index - 1]
    const stored = offsets?.[index] ?? 0
    const offset = stored === 0 && before ? before.offset + before.length : stored - 1
    entries.push({ id, offset, length: lengths?.[index] ?? 0, runLength: runLengths?.[index] ?? 0 })
  }
  return entries
}

/** The entry that covers an id, or the directory that may contain it. */
export function findEntry(entries: readonly Entry[], id: number): Entry | undefined {
  let [low, high] = [0, entries.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((entries[middle]?.id ?? 0) <= id) low = middle
    else high = middle - 1
  }
  const entry = entries[low]
  if (!entry || entry.id > id) return undefined
  return entry.runLength === 0 || id < entry.id + entry.runLength ? entry : undefined
}
