import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { ArchiveError, damaged } from "./archive-error.ts"
import type { Entry } from "./directory.ts"
import { type ArchiveHeader, compressions, tileTypes } from "./header.ts"

export const maxTileBytes = 8 * 1024 * 1024
export const maxDepth = 3
const maxZoom = 24
const maxUnpackedBytes = 32 * 1024 * 1024
/** Deflate makes at most 1,032 bytes of one: a smaller tile stays below the limit. */
const surelySmallBytes = maxUnpackedBytes / 1_032
const gunzipAsync = promisify(gunzip)

export interface ArchiveParts {
  readonly root: readonly Entry[]
  readonly leaf: (entry: Entry) => Promise<readonly Entry[]>
  readonly tile: (entry: Entry) => Promise<Buffer>
  /** Of the whole file. */
  readonly bytes: number
}

/** Everything that an archive declares leads to something, once, and nothing in it is too large. */
export async function checkArchive(header: ArchiveHeader, parts: ArchiveParts): Promise<void> {
  checkHeader(header)
  const leaves = new Set<number>()
  const unpacked = new Set<number>()
  const visit = async (entries: readonly Entry[], depth: number): Promise<void> => {
    if (depth > maxDepth) throw new ArchiveError("The archive's directories are nested too deeply")
    let last = -1
    for (const entry of entries) {
      if (!(entry.id > last && entry.offset >= 0 && entry.length > 0)) throw damaged()
      last = entry.id
      if (entry.runLength === 0) {
        if (leaves.has(entry.offset)) throw damaged()
        leaves.add(entry.offset)
        await visit(await parts.leaf(entry), depth + 1)
      } else await checkTile(entry)
    }
  }
  const checkTile = async (entry: Entry) => {
    if (entry.length > maxTileBytes) throw new ArchiveError("The archive has a tile that is too large")
    if (header.tilesOffset + entry.offset + entry.length > parts.bytes) throw damaged()
    const isSmall = header.tileCompression === compressions.none || entry.length <= surelySmallBytes
    if (isSmall || unpacked.has(entry.offset)) return
    unpacked.add(entry.offset)
    await gunzipAsync(await parts.tile(entry), { maxOutputLength: maxUnpackedBytes }).catch((error) => {
      throw new ArchiveError("The archive has a tile that is damaged or too large", { cause: error })
    })
  }
  await visit(parts.root, 0)
}

function checkHeader(header: ArchiveHeader): void {
  const { tileType, tileCompression, minZoom, maxZoom: closest, south, north, west, east } = header
  if (tileType === tileTypes.unknown || !Object.values<number>(tileTypes).includes(tileType))
    throw new ArchiveError(
      "The archive has tiles of an unknown kind. MVT, PNG, JPEG, WebP and AVIF can be shown",
    )
  if (tileCompression !== compressions.none && tileCompression !== compressions.gzip)
    throw new ArchiveError("The archive's tiles must be compressed with gzip, or not at all")
  if (minZoom > closest || closest > maxZoom)
    throw new ArchiveError(`The archive's zoom levels must lie between 0 and ${maxZoom}`)
  const isOnEarth = Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90
  if (!isOnEarth || south >= north || west === east)
    throw new ArchiveError("The archive does not say which area it covers")
}
