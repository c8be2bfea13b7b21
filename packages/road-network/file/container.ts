import { crc32 } from "node:zlib"

/**
 * A file of named columns: a prefix (magic, version, length of the header, checksum of all that follows), a header
 * in JSON, and the columns, each at a multiple of eight bytes.
 */
export class RoadFileError extends Error {}

const columnTypes = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array } as const
type ColumnType = keyof typeof columnTypes
type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array
export type Columns = Record<string, Column>
/** The columns of a file by the names and types that are declared for it. */
export type ColumnsOf<Names extends Readonly<Record<string, ColumnType>>> = {
  [Name in keyof Names]: InstanceType<(typeof columnTypes)[Names[Name]]>
}

const magic = "FWROADS\n"
const formatVersion = 1
const prefixBytes = 24
const maxHeaderBytes = 1_000_000
const littleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

interface Header {
  meta: object
  bytes: number
  columns: { name: string; type: ColumnType; offset: number; length: number }[]
}

/** The file in pieces, to be written one after the other. */
export function packColumns(meta: object, columns: Columns): Uint8Array[] {
  if (!littleEndian) throw new RoadFileError("road networks are built on little-endian machines only")
  const named = Object.entries(columns)
  const layout = (start: number): Header => {
    let offset = start
    const list = named.map(([name, column]) => {
      const own = { name, type: typeOf(column), offset, length: column.length }
      offset = aligned(offset + column.byteLength)
      return own
    })
    return { meta, bytes: offset, columns: list }
  }
  // Offsets are part of the header, so its length is fixed before they are known.
  const room = aligned(JSON.stringify(layout(Number.MAX_SAFE_INTEGER / 2)).length + named.length * 20 + 64)
  const header = layout(prefixBytes + room)
  const text = Buffer.alloc(room, " ")
  text.write(JSON.stringify(header))
  const pieces: Uint8Array[] = [text]
  for (const [, column] of named) {
    pieces.push(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
    pieces.push(new Uint8Array(aligned(column.byteLength) - column.byteLength))
  }
  const prefix = Buffer.alloc(prefixBytes)
  prefix.write(magic, "latin1")
  prefix.writeUInt32LE(formatVersion, 8)
  prefix.writeUInt32LE(room, 12)
  prefix.writeUInt32LE(
    pieces.reduce((sum, piece) => crc32(piece, sum), 0),
    16,
  )
  return [prefix, ...pieces.filter(({ length }) => length > 0)]
}

/**
 * Views of the columns, without copying. `names` are those that must be there; those in `added` are empty in files of
 * earlier versions. With `isChecked` the checksum is not computed again: another thread has done so.
 * @throws RoadFileError for anything but an intact file of this version
 */
export function unpackColumns<const Names extends Readonly<Record<string, ColumnType>>>(
  buffer: SharedArrayBuffer,
  names: Names,
  { isChecked = false, added = [] }: { isChecked?: boolean; added?: readonly (keyof Names)[] } = {},
): { meta: object; columns: ColumnsOf<Names> } {
  if (buffer.byteLength < prefixBytes) throw new RoadFileError("the file is too short")
  const bytes = new Uint8Array(buffer)
  const prefix = Buffer.from(bytes.slice(0, prefixBytes))
  if (prefix.toString("latin1", 0, 8) !== magic) throw new RoadFileError("this is no road network")
  if (prefix.readUInt32LE(8) !== formatVersion)
    throw new RoadFileError(
      "another version of the program has written this road network: build the map again",
    )
  const headerBytes = prefix.readUInt32LE(12)
  if (headerBytes > maxHeaderBytes || prefixBytes + headerBytes > buffer.byteLength)
    throw new RoadFileError("the header does not fit into the file")
  if (!isChecked && crc32(bytes.subarray(prefixBytes)) !== prefix.readUInt32LE(16))
    throw new RoadFileError("the checksum is wrong: the file is damaged or incomplete")
  const header = parseHeader(bytes.slice(prefixBytes, prefixBytes + headerBytes))
  if (header.bytes !== buffer.byteLength) throw new RoadFileError("the file is incomplete")
  const columns: Columns = {}
  for (const { name, type, offset, length } of header.columns) {
    if (names[name] !== type) throw new RoadFileError(`an unknown column: ${name}`)
    const make = columnTypes[type]
    const isInside =
      Number.isSafeInteger(offset) &&
      Number.isSafeInteger(length) &&
      offset >= prefixBytes + headerBytes &&
      offset % 8 === 0 &&
      length >= 0 &&
      offset + length * make.BYTES_PER_ELEMENT <= buffer.byteLength
    if (!isInside) throw new RoadFileError(`the column ${name} does not fit into the file`)
    columns[name] = viewOf(type, buffer, offset, length)
  }
  for (const name of added) columns[name as string] ??= new columnTypes[names[name] as ColumnType]()
  const missing = Object.keys(names).filter((name) => !Object.hasOwn(columns, name))
  if (missing.length > 0) throw new RoadFileError(`columns are missing: ${missing}`)
  return { meta: header.meta, columns: columns as ColumnsOf<Names> }
}

function viewOf(type: ColumnType, buffer: SharedArrayBuffer, offset: number, length: number): Column {
  if (type === "Uint8Array") return new Uint8Array(buffer, offset, length)
  if (type === "Uint16Array") return new Uint16Array(buffer, offset, length)
  if (type === "Uint32Array") return new Uint32Array(buffer, offset, length)
  if (type === "Float64Array") return new Float64Array(buffer, offset, length)
  return new Int32Array(buffer, offset, length)
}

function parseHeader(bytes: Uint8Array): Header {
  try {
    const header = JSON.parse(Buffer.from(bytes).toString("utf8")) as Header
    if (Array.isArray(header.columns) && typeof header.meta === "object" && header.meta) return header
  } catch (error) {
    throw new RoadFileError("the header is not readable", { cause: error })
  }
  throw new RoadFileError("the header is not readable")
}

const aligned = (offset: number) => Math.ceil(offset / 8) * 8

function typeOf(column: Column): ColumnType {
  for (const [name, make] of Object.entries(columnTypes))
    if (column instanceof make) return name as ColumnType
  throw new TypeError("a column of an unknown type")
}
