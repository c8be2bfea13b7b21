export const headerBytes = 127

export const compressions = { none: 1, gzip: 2, brotli: 3, zstd: 4 } as const
export const tileTypes = { unknown: 0, mvt: 1, png: 2, jpeg: 3, webp: 4, avif: 5 } as const

/** The fixed part at the start of a PMTiles archive, version 3. Degrees. */
export interface ArchiveHeader {
  readonly rootOffset: number
  readonly rootLength: number
  readonly metadataOffset: number
  readonly metadataLength: number
  readonly leavesOffset: number
  readonly leavesLength: number
  readonly tilesOffset: number
  readonly tilesLength: number
  readonly addressedTiles: number
  readonly entries: number
  readonly contents: number
  readonly isClustered: boolean
  readonly internalCompression: number
  readonly tileCompression: number
  readonly tileType: number
  readonly minZoom: number
  readonly maxZoom: number
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

const numbers = [
  "rootOffset",
  "rootLength",
  "metadataOffset",
  "metadataLength",
  "leavesOffset",
  "leavesLength",
  "tilesOffset",
  "tilesLength",
  "addressedTiles",
  "entries",
  "contents",
] as const

export function writeHeader(header: ArchiveHeader): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  bytes.write("PMTiles", 0, "latin1")
  bytes.writeUInt8(3, 7)
  for (const [index, name] of numbers.entries()) bytes.writeBigUInt64LE(BigInt(header[name]), 8 + index * 8)
  bytes.writeUInt8(header.isClustered ? 1 : 0, 96)
  bytes.writeUInt8(header.internalCompression, 97)
  bytes.writeUInt8(header.tileCompression, 98)
  bytes.writeUInt8(header.tileType, 99)
  bytes.writeUInt8(header.minZoom, 100)
  bytes.writeUInt8(header.maxZoom, 101)
  const degrees = (value: number, at: number) => bytes.writeInt32LE(Math.round(value * 1e7), at)
  degrees(header.west, 102)
  degrees(header.south, 106)
  degrees(header.east, 110)
  degrees(header.north, 114)
  bytes.writeUInt8(header.minZoom, 118)
  degrees((header.west + header.east) / 2, 119)
  degrees((header.south + header.north) / 2, 123)
  return bytes
}

/** Undefined for anything but a PMTiles archive of version 3. */
export function readHeader(bytes: Buffer): ArchiveHeader | undefined {
  if (bytes.length < headerBytes || bytes.toString("latin1", 0, 7) !== "PMTiles" || bytes[7] !== 3)
    return undefined
  const values = numbers.map((name, index) => [name, Number(bytes.readBigUInt64LE(8 + index * 8))])
  return {
    ...(Object.fromEntries(values) as Record<(typeof numbers)[number], number>),
    isClustered: bytes[96] === 1,
    internalCompression: bytes[97] ?? 0,
    tileCompression: bytes[98] ?? 0,
    tileType: bytes[99] ?? 0,
    minZoom: bytes[100] ?? 0,
    maxZoom: bytes[101] ?? 0,
    west: bytes.readInt32LE(102) / 1e7,
    south: bytes.readInt32LE(106) / 1e7,
    east: bytes.readInt32LE(110) / 1e7,
    north: bytes.readInt32LE(114) / 1e7,
  }
}
