import { createHash } from "node:crypto"
import { closeSync, fsyncSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { type Entry, writeDirectory } from "./directory.ts"
import { compressions, headerBytes, tileTypes, writeHeader } from "./header.ts"
import { tileId } from "./tile-id.ts"

export interface ArchiveInfo {
  readonly minZoom: number
  readonly maxZoom: number
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
  readonly metadata: Readonly<Record<string, unknown>>
}

interface StoredTile {
  readonly id: number
  readonly offset: number
  readonly length: number
}

/** Root directories are read together with the header in one request of 16 KiB. */
const maxRootBytes = 16_384 - headerBytes
const copyBytes = 1024 * 1024

/**
 * Writes a PMTiles archive. Tiles arrive in any order and are spooled next to the archive; equal tiles are stored once.
 * `finish` writes them in the order of the directory. Everything is synchronous: it runs in a thread of its own.
 */
export class ArchiveWriter {
  readonly #path: string
  readonly #spoolPath: string
  readonly #spool: number
  readonly #known = new Map<string, StoredTile>()
  readonly #tiles: StoredTile[] = []
  #bytes = 0
  #isDiscarded = false

  constructor(path: string) {
    this.#path = path
    this.#spoolPath = `${path}.spool`
    this.#spool = openSync(this.#spoolPath, "w+")
  }

  get tileCount(): number {
    return this.#tiles.length
  }

  add(zoom: number, x: number, y: number, tile: Uint8Array): void {
    const digest = createHash("sha1").update(tile).digest("latin1")
    let stored = this.#known.get(digest)
    if (!stored) {
      const bytes = gzipSync(tile)
      writeSync(this.#spool, bytes)
      stored = { id: 0, offset: this.#bytes, length: bytes.length }
      this.#known.set(digest, stored)
      this.#bytes += bytes.length
    }
    this.#tiles.push({ ...stored, id: tileId(zoom, x, y) })
  }

  finish(info: ArchiveInfo): void {
    this.#tiles.sort((one, other) => one.id - other.id)
    const { entries, order } = this.#layOut()
    const metadata = gzipSync(JSON.stringify(info.metadata))
    const { root, leaves } = directories(entries)
    const metadataOffset = headerBytes + root.length
    const leavesOffset = metadataOffset + metadata.length
    const tilesOffset = leavesOffset + leaves.length
    const header = writeHeader({
      ...info,
      rootOffset: headerBytes,
      rootLength: root.length,
      metadataOffset,
      metadataLength: metadata.length,
      leavesOffset,
      leavesLength: leaves.length,
      tilesOffset,
      tilesLength: this.#bytes,
      addressedTiles: this.#tiles.length,
      entries: entries.length,
      contents: order.length,
      isClustered: true,
      internalCompression: compressions.gzip,
      tileCompression: compressions.gzip,
      tileType: tileTypes.mvt,
    })
    const file = openSync(this.#path, "w")
    try {
      for (const part of [header, root, metadata, leaves]) writeSync(file, part)
      this.#copyTiles(file, order)
      fsyncSync(file)
    } finally {
      closeSync(file)
      this.discard()
    }
  }

  /** Removes the spooled tiles. */
  discard(): void {
    if (this.#isDiscarded) return
    this.#isDiscarded = true
    closeSync(this.#spool)
    rmSync(this.#spoolPath, { force: true })
  }

  #layOut(): { entries: Entry[]; order: StoredTile[] } {
    const entries: Entry[] = []
    const order: StoredTile[] = []
    const placed = new Map<number, number>()
    let next = 0
    for (const tile of this.#tiles) {
      let offset = placed.get(tile.offset)
      if (offset === undefined) {
        offset = next
        placed.set(tile.offset, offset)
        order.push(tile)
        next += tile.length
      }
      const last = entries.at(-1)
      if (last && last.offset === offset && last.id + last.runLength === tile.id)
        entries[entries.length - 1] = { ...last, runLength: last.runLength + 1 }
      else entries.push({ id: tile.id, offset, length: tile.length, runLength: 1 })
    }
    return { entries, order }
  }

  /** Neighbouring tiles are often spooled one after the other and are then copied together. */
  #copyTiles(file: number, order: readonly StoredTile[]): void {
    const buffer = Buffer.allocUnsafe(copyBytes)
    for (const { offset, length } of order)
      for (let done = 0; done < length; ) {
        const count = readSync(this.#spool, buffer, 0, Math.min(copyBytes, length - done), offset + done)
        if (count === 0) throw new Error("the spooled tiles are incomplete")
        writeSync(file, buffer, 0, count)
        done += count
      }
  }
}

/** One directory if it is small, else a root that refers to leaves. */
function directories(entries: readonly Entry[]): { root: Buffer; leaves: Buffer } {
  const single = gzipSync(writeDirectory(entries))
  if (single.length <= maxRootBytes) return { root: single, leaves: Buffer.alloc(0) }
  for (let leafSize = 4096; ; leafSize *= 2) {
    const leaves: Buffer[] = []
    const rootEntries: Entry[] = []
    let offset = 0
    for (let start = 0; start < entries.length; start += leafSize) {
      const leaf = gzipSync(writeDirectory(entries.slice(start, start + leafSize)))
      rootEntries.push({ id: entries[start]?.id ?? 0, offset, length: leaf.length, runLength: 0 })
      leaves.push(leaf)
      offset += leaf.length
    }
    const root = gzipSync(writeDirectory(rootEntries))
    if (root.length <= maxRootBytes) return { root, leaves: Buffer.concat(leaves) }
  }
}
