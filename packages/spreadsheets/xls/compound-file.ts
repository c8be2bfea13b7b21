import type { FileHandle } from "node:fs/promises"
import { readExactly } from "../file-bytes.ts"
import { SuspectFileError } from "../suspect-file.ts"

/** One stream of a compound file (MS-CFB), the container of .xls and of encrypted workbooks. */
export interface CompoundStream {
  readonly bytes: number
  /** The content from byte `from` on, in chunks of at most 64 kB. */
  chunks(from: number): AsyncGenerator<Buffer>
}

const freeSector = 0xfffffffa
const endOfChain = 0xfffffffe
const chunkBytes = 64 * 1024

/**
 * Reads the allocation tables and the directory of a compound file. Returns its streams and storages by name;
 * storages have no bytes. The tables take 1/128 of the file's size in memory.
 */
export async function readCompoundFile(
  file: FileHandle,
  fileBytes: number,
): Promise<Map<string, CompoundStream>> {
  const header = await readExactly(file, 0, 512)
  const sectorShift = header.readUInt16LE(30)
  const miniShift = header.readUInt16LE(32)
  if ((sectorShift !== 9 && sectorShift !== 12) || miniShift !== 6) throw new SuspectFileError("damaged")
  const sectorBytes = 1 << sectorShift
  const sectorCount = Math.ceil(fileBytes / sectorBytes)
  const offsetOf = (sector: number) => (sector + 1) * sectorBytes

  async function readSector(sector: number): Promise<Buffer> {
    if (sector >= sectorCount) throw new SuspectFileError("damaged")
    // The last sector of a file may be cut short; what is missing reads as zeros.
    const bytes = Buffer.alloc(sectorBytes)
    await file.read(bytes, 0, sectorBytes, offsetOf(sector))
    return bytes
  }

  async function readTable(sectors: Iterable<number>): Promise<Uint32Array> {
    const numbers: number[] = []
    for (const sector of sectors) {
      const bytes = await readSector(sector)
      for (let at = 0; at < sectorBytes; at += 4) numbers.push(bytes.readUInt32LE(at))
    }
    return Uint32Array.from(numbers)
  }

  async function tableSectors(): Promise<number[]> {
    const sectors: number[] = []
    for (let at = 76; at < 512; at += 4) sectors.push(header.readUInt32LE(at))
    let next = header.readUInt32LE(68)
    for (let seen = 0; next < freeSector; seen++) {
      if (seen > sectorCount) throw new SuspectFileError("damaged")
      const bytes = await readSector(next)
      for (let at = 0; at < sectorBytes - 4; at += 4) sectors.push(bytes.readUInt32LE(at))
      next = bytes.readUInt32LE(sectorBytes - 4)
    }
    return sectors.filter((sector) => sector < freeSector)
  }

  const table = await readTable(await tableSectors())
  const directorySectors = chain(table, header.readUInt32LE(48), sectorCount)
  const miniTable = await readTable(chain(table, header.readUInt32LE(60), sectorCount))
  const entries = []
  for (const sector of directorySectors) {
    const bytes = await readSector(sector)
    for (let at = 0; at < sectorBytes; at += 128) {
      const nameBytes = bytes.readUInt16LE(at + 64)
      if (nameBytes < 2 || nameBytes > 64 || bytes[at + 66] === 0) continue
      entries.push({
        name: bytes.toString("utf16le", at, at + nameBytes - 2),
        kind: bytes[at + 66],
        start: bytes.readUInt32LE(at + 116),
        bytes: bytes.readUInt32LE(at + 120),
      })
    }
  }
  const root = entries.find(({ kind }) => kind === 5)
  if (!root) throw new SuspectFileError("damaged")
  const rootSectors = chain(table, root.start, sectorCount)
  const miniCutoff = header.readUInt32LE(56)
  const streams = new Map<string, CompoundStream>()
  for (const entry of entries) {
    if (entry.kind !== 2) streams.set(entry.name, { bytes: 0, async *chunks() {} })
    else if (entry.bytes < miniCutoff) {
      // Short streams live in 64-byte pieces of the root's stream.
      const pieces = chain(miniTable, entry.start, miniTable.length)
      const perSector = sectorBytes >> miniShift
      streams.set(entry.name, {
        bytes: entry.bytes,
        chunks: (from) =>
          readPieces(file, entry.bytes, 1 << miniShift, from, pieces.length, (index) => {
            const piece = pieces[index] ?? 0
            const sector = rootSectors[Math.floor(piece / perSector)]
            if (sector === undefined) throw new SuspectFileError("damaged")
            return offsetOf(sector) + ((piece % perSector) << miniShift)
          }),
      })
    } else {
      const sectors = chain(table, entry.start, sectorCount)
      streams.set(entry.name, {
        bytes: entry.bytes,
        chunks: (from) =>
          readPieces(file, entry.bytes, sectorBytes, from, sectors.length, (index) =>
            offsetOf(sectors[index] ?? 0),
          ),
      })
    }
  }
  return streams
}

/** Follows an allocation chain. A chain with a cycle or beyond the table is damaged. */
function chain(table: Uint32Array, start: number, most: number): number[] {
  const sectors: number[] = []
  for (let sector = start; sector < freeSector; ) {
    if (sectors.length >= most) throw new SuspectFileError("damaged")
    sectors.push(sector)
    sector = table[sector] ?? endOfChain
  }
  return sectors
}

async function* readPieces(
  file: FileHandle,
  bytes: number,
  pieceBytes: number,
  from: number,
  pieceCount: number,
  offsetOf: (index: number) => number,
): AsyncGenerator<Buffer> {
  let at = from
  while (at < bytes) {
    const index = Math.floor(at / pieceBytes)
    if (index >= pieceCount) throw new SuspectFileError("damaged")
    const offset = offsetOf(index)
    // Neighbours are read at once.
    let pieces = 1
    while (
      pieces * pieceBytes < chunkBytes &&
      index + pieces < pieceCount &&
      offsetOf(index + pieces) === offset + pieces * pieceBytes
    ) {
      pieces++
    }
    const within = at % pieceBytes
    const length = Math.min(pieces * pieceBytes - within, bytes - at)
    yield await readExactly(file, offset + within, length)
    at += length
  }
}
