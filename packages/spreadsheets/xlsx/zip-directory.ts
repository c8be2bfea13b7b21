import type { FileHandle } from "node:fs/promises"
import { readExactly } from "../file-bytes.ts"
import { SuspectFileError } from "../suspect-file.ts"

/** One file inside a zip archive, as its central directory describes it. */
export interface ZipEntry {
  readonly name: string
  /** 0 stored, 8 deflated; others are refused when read. */
  readonly method: number
  readonly encrypted: boolean
  readonly checksum: number
  readonly packedBytes: number
  readonly expandedBytes: number
  readonly headerOffset: number
}

const directoryEnd = 0x06054b50
const directoryEnd64 = 0x06064b50
const directoryEnd64Locator = 0x07064b50
const directoryEntry = 0x02014b50
// A workbook has a few dozen parts. The bound keeps a hostile directory from filling memory.
const maxEntries = 10_000
const maxDirectoryBytes = 16 * 1024 * 1024

/**
 * Reads the central directory at the end of a zip file without unpacking anything.
 * Reads zip64 records. Throws SuspectFileError `damaged` when there is none or it does not add up.
 */
export async function readZipDirectory(file: FileHandle, fileBytes: number): Promise<Map<string, ZipEntry>> {
  const { offset, length, count } = await locateDirectory(file, fileBytes)
  if (count > maxEntries || length > maxDirectoryBytes) {
    throw new SuspectFileError("expands-too-large", "it has too many parts")
  }
  if (offset + length > fileBytes) throw new SuspectFileError("damaged")
  const directory = await readExactly(file, offset, length)
  const entries = new Map<string, ZipEntry>()
  let at = 0
  for (let index = 0; index < count; index++) {
    if (at + 46 > length || directory.readUInt32LE(at) !== directoryEntry)
      throw new SuspectFileError("damaged")
    const nameLength = directory.readUInt16LE(at + 28)
    const extraLength = directory.readUInt16LE(at + 30)
    const next = at + 46 + nameLength + extraLength + directory.readUInt16LE(at + 32)
    if (next > length) throw new SuspectFileError("damaged")
    const name = directory.toString("utf8", at + 46, at + 46 + nameLength)
    const extra = directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength)
    const sizes = withZip64(extra, {
      expandedBytes: directory.readUInt32LE(at + 24),
      packedBytes: directory.readUInt32LE(at + 20),
      headerOffset: directory.readUInt32LE(at + 42),
    })
    entries.set(name, {
      name,
      method: directory.readUInt16LE(at + 10),
      checksum: directory.readUInt32LE(at + 16),
      encrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      ...sizes,
    })
    at = next
  }
  return entries
}

async function locateDirectory(file: FileHandle, fileBytes: number) {
  // The end record is followed by a comment of at most 65,535 bytes.
  const tailLength = Math.min(fileBytes, 22 + 65_535)
  const tailStart = fileBytes - tailLength
  const tail = await readExactly(file, tailStart, tailLength)
  for (let at = tailLength - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== directoryEnd) continue
    const plain = {
      count: tail.readUInt16LE(at + 10),
      length: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    }
    const is64 = plain.count === 0xffff || plain.length === 0xffffffff || plain.offset === 0xffffffff
    if (!is64 || at < 20 || tail.readUInt32LE(at - 20) !== directoryEnd64Locator) return plain
    const end64 = await readExactly(file, Number(tail.readBigUInt64LE(at - 20 + 8)), 56)
    if (end64.readUInt32LE(0) !== directoryEnd64) throw new SuspectFileError("damaged")
    return {
      count: Number(end64.readBigUInt64LE(32)),
      length: Number(end64.readBigUInt64LE(40)),
      offset: Number(end64.readBigUInt64LE(48)),
    }
  }
  throw new SuspectFileError("damaged")
}

interface EntrySizes {
  readonly expandedBytes: number
  readonly packedBytes: number
  readonly headerOffset: number
}

/** Fields of 0xffffffff stand, in this order, in the extra field 1 as 64-bit numbers. */
function withZip64(extra: Buffer, sizes: EntrySizes): EntrySizes {
  const full = { ...sizes }
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let value = at + 4
    for (const key of ["expandedBytes", "packedBytes", "headerOffset"] as const) {
      if (full[key] !== 0xffffffff || value + 8 > extra.length) continue
      full[key] = Number(extra.readBigUInt64LE(value))
      value += 8
    }
  }
  return full
}
