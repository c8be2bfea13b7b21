import type { BlockNodes } from "./block.ts"
import { ExtractError } from "./extract-error.ts"

/** 16 bytes a node; a power of two so that a position splits into chunk and offset with shifts. */
const chunkBits = 18
const chunkSize = 1 << chunkBits
const chunkMask = chunkSize - 1

interface Chunk {
  ids: Float64Array
  lat: Int32Array
  lon: Int32Array
  count: number
  isSorted: boolean
}

/**
 * Coordinates of nodes by id, at 16 bytes a node. Files are usually sorted by id; then `find` is one binary search, and
 * neighbours of the last result are found at once. Nodes of unsorted files are sorted chunk by chunk.
 */
export class NodeLocations {
  readonly #chunks: Chunk[] = []
  readonly #maxNodes: number
  #count = 0
  #lastId = Number.NEGATIVE_INFINITY
  #isSorted = true
  #isFinished = false
  #last = 0

  constructor(maxNodes = 300_000_000) {
    this.#maxNodes = maxNodes
  }

  get count(): number {
    return this.#count
  }

  addBlock(nodes: BlockNodes): void {
    for (let index = 0; index < nodes.count; index += 1)
      this.add(nodes.ids[index] ?? 0, nodes.lat[index] ?? 0, nodes.lon[index] ?? 0)
  }

  /** Adds a node; coordinates in 1e-7 degrees. */
  add(id: number, lat: number, lon: number): void {
    if (this.#count >= this.#maxNodes)
      throw new ExtractError("too-large", `more than ${this.#maxNodes} nodes`)
    const chunk = this.#chunkToFill()
    const at = chunk.count
    if (id <= this.#lastId) {
      this.#isSorted = false
      if (at > 0) chunk.isSorted = false
    }
    this.#lastId = id
    chunk.ids[at] = id
    chunk.lat[at] = lat
    chunk.lon[at] = lon
    chunk.count = at + 1
    this.#count += 1
    this.#isFinished = false
  }

  #chunkToFill(): Chunk {
    const last = this.#chunks.at(-1)
    if (last && last.count < last.ids.length) return last
    if (last && last.count < chunkSize) {
      // Only the first chunk starts small, so that little files need little memory.
      last.ids = grow(last.ids, new Float64Array(last.count * 4))
      last.lat = grow(last.lat, new Int32Array(last.count * 4))
      last.lon = grow(last.lon, new Int32Array(last.count * 4))
      return last
    }
    const size = last ? chunkSize : 1024
    const chunk: Chunk = {
      ids: new Float64Array(size),
      lat: new Int32Array(size),
      lon: new Int32Array(size),
      count: 0,
      isSorted: true,
    }
    this.#chunks.push(chunk)
    return chunk
  }

  /** The position of a node for `lat` and `lon`; -1 if the file does not contain it. */
  find(id: number): number {
    if (!this.#isFinished) this.#finish()
    const next = this.#last + 1
    if (next < this.#count && this.#idAt(next) === id) {
      this.#last = next
      return next
    }
    const found = this.#isSorted ? this.#search(id) : this.#searchChunks(id)
    if (found >= 0) this.#last = found
    return found
  }

  /** Latitude in 1e-7 degrees. */
  lat(position: number): number {
    return this.#chunks[position >>> chunkBits]?.lat[position & chunkMask] ?? 0
  }

  /** Longitude in 1e-7 degrees. */
  lon(position: number): number {
    return this.#chunks[position >>> chunkBits]?.lon[position & chunkMask] ?? 0
  }

  #idAt(position: number): number {
    return this.#chunks[position >>> chunkBits]?.ids[position & chunkMask] ?? Number.NaN
  }

  #finish(): void {
    for (const chunk of this.#chunks) if (!chunk.isSorted) sortChunk(chunk)
    this.#isFinished = true
    this.#last = -1
  }

  #search(id: number): number {
    let low = 0
    let high = this.#chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#chunks[middle]?.ids[0] ?? 0) <= id) low = middle
      else high = middle - 1
    }
    return this.#searchIn(low, id)
  }

  #searchChunks(id: number): number {
    for (let index = 0; index < this.#chunks.length; index += 1) {
      const found = this.#searchIn(index, id)
      if (found >= 0) return found
    }
    return -1
  }

  #searchIn(index: number, id: number): number {
    const chunk = this.#chunks[index]
    if (!chunk) return -1
    const { ids, count } = chunk
    let low = 0
    let high = count - 1
    if (!(id >= (ids[0] ?? 0) && id <= (ids[high] ?? 0))) return -1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((ids[middle] ?? 0) < id) low = middle + 1
      else high = middle
    }
    return ids[low] === id ? (index << chunkBits) | low : -1
  }
}

function grow<Column extends Float64Array | Int32Array>(from: Column, into: Column): Column {
  into.set(from)
  return into
}

function sortChunk(chunk: Chunk): void {
  const { ids, lat, lon, count } = chunk
  const order = new Uint32Array(count).map((_, index) => index)
  order.sort((one, other) => (ids[one] ?? 0) - (ids[other] ?? 0))
  chunk.ids = Float64Array.from(order, (index) => ids[index] ?? 0)
  chunk.lat = Int32Array.from(order, (index) => lat[index] ?? 0)
  chunk.lon = Int32Array.from(order, (index) => lon[index] ?? 0)
  chunk.isSorted = true
}

/**
 * The line of a way: longitude and latitude alternate, in 1e-7 degrees. Nodes that the file does not contain are left
 * out, as at the edge of an extract.
 */
export function locateWay(refs: Float64Array, locations: NodeLocations): Int32Array {
  const line = new Int32Array(refs.length * 2)
  let length = 0
  for (const ref of refs) {
    const position = locations.find(ref)
    if (position < 0) continue
    line[length] = locations.lon(position)
    line[length + 1] = locations.lat(position)
    length += 2
  }
  return length === line.length ? line : line.slice(0, length)
}
