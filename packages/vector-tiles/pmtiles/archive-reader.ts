import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { ArchiveError, damaged } from "./archive-error.ts"
import { checkArchive, maxDepth, maxTileBytes } from "./check-archive.ts"
import { type Entry, findEntry, readDirectory } from "./directory.ts"
import { type ArchiveHeader, compressions, headerBytes, readHeader } from "./header.ts"
import { tileId } from "./tile-id.ts"

/** Bytes of an archive, from a file or an object store. */
export type ReadRange = (offset: number, length: number) => Promise<Buffer>

const maxDirectoryBytes = 16 * 1024 * 1024
const maxLeaves = 64
const gunzipAsync = promisify(gunzip)

export interface Archive {
  readonly header: ArchiveHeader
  metadata(): Promise<unknown>
  /** Reads all directories, and unpacks every tile that might become too large. @throws ArchiveError */
  check(): Promise<void>
  /** The stored bytes, compressed as `header.tileCompression` says; undefined if the archive has no such tile. */
  tile(zoom: number, x: number, y: number): Promise<Buffer | undefined>
}

/** Opens an archive of a given size. Every offset and size that it declares is checked before it is used. */
export async function openArchive(read: ReadRange, bytes: number): Promise<Archive> {
  if (bytes < headerBytes) throw new ArchiveError("The file is not a PMTiles archive")
  const header = readHeader(await read(0, headerBytes))
  if (!header) throw new ArchiveError("The file is not a PMTiles archive of version 3")
  const part = async (offset: number, length: number, limit: number) => {
    if (!(offset >= 0 && length >= 0 && offset + length <= bytes))
      throw new ArchiveError("The archive is incomplete. Download it again")
    if (length > limit) throw new ArchiveError("The archive has a part that is too large")
    const content = await read(offset, length)
    if (content.length !== length) throw new ArchiveError("The archive is incomplete. Download it again")
    return content
  }
  const inflate = (content: Buffer, limit: number) => {
    if (header.internalCompression === compressions.none) return Promise.resolve(content)
    if (header.internalCompression !== compressions.gzip)
      throw new ArchiveError("The archive's directories are not compressed with gzip")
    return gunzipAsync(content, { maxOutputLength: limit }).catch((error) => {
      throw damaged(error)
    })
  }
  const directory = async (offset: number, length: number): Promise<readonly Entry[]> => {
    const content = await inflate(await part(offset, length, maxDirectoryBytes), maxDirectoryBytes)
    try {
      return readDirectory(content)
    } catch (error) {
      throw damaged(error)
    }
  }
  const root = await directory(header.rootOffset, header.rootLength)
  const leaves = new Map<number, Promise<readonly Entry[]>>()
  const leaf = (entry: Entry) => {
    const known = leaves.get(entry.offset)
    if (known) return known
    if (leaves.size >= maxLeaves) leaves.delete(leaves.keys().next().value ?? 0)
    const entries = directory(header.leavesOffset + entry.offset, entry.length)
    entries.catch(() => leaves.delete(entry.offset))
    leaves.set(entry.offset, entries)
    return entries
  }
  return {
    header,
    async metadata() {
      if (header.metadataLength === 0) return {}
      const content = await part(header.metadataOffset, header.metadataLength, maxDirectoryBytes)
      const text = (await inflate(content, maxDirectoryBytes)).toString()
      try {
        return JSON.parse(text)
      } catch (error) {
        throw damaged(error)
      }
    },
    check: () =>
      checkArchive(header, {
        root,
        leaf: (entry) => directory(header.leavesOffset + entry.offset, entry.length),
        tile: (entry) => part(header.tilesOffset + entry.offset, entry.length, maxTileBytes),
        bytes,
      }),
    async tile(zoom, x, y) {
      const id = tileId(zoom, x, y)
      let entry = findEntry(root, id)
      for (let depth = 0; entry?.runLength === 0; depth += 1) {
        if (depth >= maxDepth) throw new ArchiveError("The archive's directories are nested too deeply")
        entry = findEntry(await leaf(entry), id)
      }
      return entry && part(header.tilesOffset + entry.offset, entry.length, maxTileBytes)
    },
  }
}
