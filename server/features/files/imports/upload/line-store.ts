import { type FileHandle, open } from "node:fs/promises"

const writeBytes = 256 * 1024
const blockBytes = 16 * 1024
const heldBlocks = 512
const firstCapacity = 1024

/**
 * Lines kept in a file by a key of theirs, to be taken out key by key. Memory grows by some 40 bytes a line, so a
 * million lines of any length take 40 MB. Add everything first, then take.
 */
export interface LineStore {
  /** `key` is the hash of what the line belongs to, 8 bytes. */
  add(key: Buffer, line: string): Promise<void>
  /** At most `most` lines of a key in the order in which they came. They count as taken. */
  take(key: Buffer, most: number): Promise<string[]>
  /** The lines of every key that was not taken, key by key in the order of their first lines. */
  rest(most: number): AsyncGenerator<string[]>
  close(): Promise<void>
}

export async function createLineStore(path: string): Promise<LineStore> {
  const file = await open(path, "w+", 0o600)
  let unwritten: string[] = []
  let unwrittenBytes = 0
  let bytes = 0
  let lineCount = 0
  let starts = new Float64Array(firstCapacity)
  /** The next line of the same key, -1 for none. */
  let nexts = new Int32Array(firstCapacity)
  // A table by key with open addressing, at most half full; a place without a first line is empty.
  let keyCount = 0
  let table = emptyTable(firstCapacity * 2)

  function placeOf(high: number, low: number): number {
    const mask = table.heads.length - 1
    for (let place = low & mask; ; place = (place + 1) & mask) {
      if (table.heads[place] === -1 || (table.highs[place] === high && table.lows[place] === low))
        return place
    }
  }

  function grow(): void {
    const before = table
    table = emptyTable(before.heads.length * 2)
    for (let at = 0; at < before.heads.length; at++) {
      if (before.heads[at] === -1) continue
      const [high, low] = [before.highs[at] ?? 0, before.lows[at] ?? 0]
      const place = placeOf(high, low)
      table.highs[place] = high
      table.lows[place] = low
      table.heads[place] = before.heads[at] ?? -1
      table.tails[place] = before.tails[at] ?? -1
    }
  }

  function link(key: Buffer, line: number): void {
    const [high, low] = [key.readUInt32LE(0), key.readUInt32LE(4)]
    const place = placeOf(high, low)
    const tail = table.tails[place] ?? -1
    table.tails[place] = line
    if (table.heads[place] !== -1) {
      nexts[tail] = line
      return
    }
    table.highs[place] = high
    table.lows[place] = low
    table.heads[place] = line
    if (++keyCount * 2 > table.heads.length) grow()
  }

  async function flush(): Promise<void> {
    if (unwritten.length === 0) return
    await file.appendFile(unwritten.join(""))
    unwritten = []
    unwrittenBytes = 0
  }

  const read = lineReader(file)
  async function chain(first: number, most: number): Promise<string[]> {
    await flush()
    const lines: string[] = []
    for (let line = first; line !== -1 && lines.length < most; line = nexts[line] ?? -1) {
      const end = line + 1 < lineCount ? (starts[line + 1] ?? bytes) : bytes
      lines.push(await read(starts[line] ?? 0, end))
    }
    return lines
  }

  return {
    async add(key, line) {
      if (lineCount === starts.length) {
        starts = doubled(starts, new Float64Array(lineCount * 2))
        nexts = doubled(nexts, new Int32Array(lineCount * 2))
      }
      starts[lineCount] = bytes
      nexts[lineCount] = -1
      link(key, lineCount)
      lineCount++
      const length = Buffer.byteLength(line)
      bytes += length
      unwritten.push(line)
      unwrittenBytes += length
      if (unwrittenBytes >= writeBytes) await flush()
    },
    async take(key, most) {
      const place = placeOf(key.readUInt32LE(0), key.readUInt32LE(4))
      const first = table.heads[place] ?? -1
      // Its place stays filled, so that others are still found; only what it leads to is gone.
      if (first >= 0) table.heads[place] = taken
      return first < 0 ? [] : chain(first, most)
    },
    async *rest(most) {
      const firsts = table.heads.filter((first) => first >= 0).toSorted()
      for (const first of firsts) yield await chain(first, most)
    },
    close: () => file.close(),
  }
}

const taken = -2

function emptyTable(size: number) {
  return {
    highs: new Uint32Array(size),
    lows: new Uint32Array(size),
    heads: new Int32Array(size).fill(-1),
    tails: new Int32Array(size).fill(-1),
  }
}

function doubled<Numbers extends Float64Array | Int32Array>(before: Numbers, larger: Numbers): Numbers {
  larger.set(before)
  return larger
}

/**
 * Reads ranges through a few megabytes of blocks. The lines of a task may stand far apart, as where a file lists the
 * first items of all tasks, then the second ones: each such run goes through blocks of its own.
 */
function lineReader(file: FileHandle): (start: number, end: number) => Promise<string> {
  const held = new Map<number, Buffer>()
  async function block(index: number): Promise<Buffer> {
    const known = held.get(index)
    if (known) return known
    const { buffer, bytesRead } = await file.read(
      Buffer.allocUnsafe(blockBytes),
      0,
      blockBytes,
      index * blockBytes,
    )
    const [oldest] = held.keys()
    if (held.size >= heldBlocks && oldest !== undefined) held.delete(oldest)
    const read = buffer.subarray(0, bytesRead)
    held.set(index, read)
    return read
  }
  return async (start, end) => {
    const [first, last] = [Math.floor(start / blockBytes), Math.floor((end - 1) / blockBytes)]
    const blocks: Buffer[] = []
    for (let index = first; index <= last; index++) blocks.push(await block(index))
    const whole = blocks.length === 1 && blocks[0] ? blocks[0] : Buffer.concat(blocks)
    const from = start - first * blockBytes
    return whole.toString("utf8", from, from + end - start)
  }
}
