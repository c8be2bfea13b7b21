import assert from "node:assert/strict"
import { test } from "node:test"
import { gzipSync } from "node:zlib"
import { ArchiveError } from "./archive-error.ts"
import { openArchive } from "./archive-reader.ts"
import { type Entry, writeDirectory } from "./directory.ts"
import { type ArchiveHeader, compressions, headerBytes, tileTypes, writeHeader } from "./header.ts"

const tile = gzipSync("a tile")
const entry: Entry = { id: 0, offset: 0, length: tile.length, runLength: 1 }
const toLeaf: Entry = { id: 0, offset: 0, length: 5, runLength: 0 }

interface Parts {
  root: readonly Entry[]
  leaf?: readonly Entry[]
  tile?: Buffer
}

function check({ root, leaf, tile: content = tile }: Parts, changes: Partial<ArchiveHeader> = {}) {
  const directories = [root, leaf].map((entries) => (entries ? writeDirectory(entries) : new Uint8Array()))
  const [rootLength = 0, leavesLength = 0] = directories.map(({ length }) => length)
  const leavesOffset = headerBytes + rootLength
  const header: ArchiveHeader = {
    ...{
      rootOffset: headerBytes,
      rootLength,
      metadataOffset: 0,
      metadataLength: 0,
      leavesOffset,
      leavesLength,
    },
    ...{ tilesOffset: leavesOffset + leavesLength, tilesLength: content.length },
    ...{ addressedTiles: 1, entries: 1, contents: 1, isClustered: true },
    ...{
      internalCompression: compressions.none,
      tileCompression: compressions.gzip,
      tileType: tileTypes.mvt,
    },
    ...{ minZoom: 0, maxZoom: 14, west: -57, south: -35, east: -56, north: -34 },
    ...changes,
  }
  const bytes = Buffer.concat([writeHeader(header), ...directories, content])
  const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length)
  return openArchive(read, bytes.length).then((archive) => archive.check())
}

test("an archive is refused if anything in it leads nowhere, in circles or is too large", async () => {
  await check({ root: [entry] })
  await check({ root: [toLeaf], leaf: [entry] })
  const leaf = writeDirectory([entry]).length
  assert.equal(leaf, toLeaf.length)
  const bomb = gzipSync(Buffer.alloc(40_000_000))
  const refused: [string, Parts, Partial<ArchiveHeader>?][] = [
    ["a tile beyond the end", { root: [{ ...entry, offset: 1_000_000 }] }],
    ["a huge tile", { root: [{ ...entry, length: 2 ** 40 }] }],
    ["an empty tile", { root: [{ ...entry, length: 0 }] }],
    ["the same tile twice", { root: [entry, entry] }],
    ["a leaf beyond the end", { root: [{ ...toLeaf, offset: 99_999 }] }],
    ["a leaf that leads to itself", { root: [toLeaf], leaf: [toLeaf] }],
    ["the same leaf twice", { root: [toLeaf, { ...toLeaf, id: 7 }], leaf: [entry] }],
    ["a tile that unpacks to 40 MB", { root: [{ ...entry, length: bomb.length }], tile: bomb }],
    ["tiles of no kind", { root: [entry] }, { tileType: tileTypes.unknown }],
    ["tiles compressed with brotli", { root: [entry] }, { tileCompression: compressions.brotli }],
    ["zoom levels in the wrong order", { root: [entry] }, { minZoom: 14, maxZoom: 3 }],
    ["zoom 255", { root: [entry] }, { maxZoom: 255 }],
    ["no area", { root: [entry] }, { west: 0, east: 0 }],
    ["upside down", { root: [entry] }, { south: 80, north: -80 }],
    ["beyond the world", { root: [entry] }, { west: -200 }],
  ]
  for (const [name, parts, changes] of refused)
    await assert.rejects(check(parts, changes), ArchiveError, name)
})
