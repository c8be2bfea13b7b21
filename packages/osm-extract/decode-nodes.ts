import type { BlockNodes } from "./block.ts"
import { type DenseSpans, readNumbers, type Scale } from "./decode-block.ts"
import { ExtractError } from "./extract-error.ts"
import { checkId, type MessageReader } from "./message-reader.ts"
import type { StringTable } from "./string-table.ts"

/** The nodes of a block while they are read, and afterwards. */
export class NodeColumns implements BlockNodes {
  readonly ids: Float64Array
  readonly lat: Int32Array
  readonly lon: Int32Array
  /** Tags of node i: keys and values alternate in `#pairs` from `#ends[i - 1]` to `#ends[i]`. */
  readonly #ends: Int32Array
  #pairs = new Int32Array(0)
  #pairCount = 0
  #count = 0
  readonly #strings: StringTable

  constructor(capacity: number, strings: StringTable) {
    this.ids = new Float64Array(capacity)
    this.lat = new Int32Array(capacity)
    this.lon = new Int32Array(capacity)
    this.#ends = new Int32Array(capacity)
    this.#strings = strings
  }

  get count(): number {
    return this.#count
  }

  /** Coordinates in 1e-7 degrees. */
  add(id: number, lat: number, lon: number): void {
    if (!(lat >= -900_000_000 && lat <= 900_000_000 && lon >= -1_800_000_000 && lon <= 1_800_000_000))
      throw new ExtractError("damaged", `node ${id} has coordinates outside the earth`)
    const index = this.#count
    this.ids[index] = checkId(id)
    this.lat[index] = lat
    this.lon[index] = lon
    this.#ends[index] = this.#pairCount
    this.#count = index + 1
  }

  reservePairs(additional: number): void {
    if (this.#pairs.length >= this.#pairCount + additional) return
    const grown = new Int32Array(Math.max(this.#pairCount + additional, this.#pairs.length * 2))
    grown.set(this.#pairs.subarray(0, this.#pairCount))
    this.#pairs = grown
  }

  addTag(key: number, value: number): void {
    this.#pairs[this.#pairCount] = key
    this.#pairs[this.#pairCount + 1] = value
    this.#pairCount += 2
  }

  /** Ends the tags of the node at `index`. */
  endTags(index: number): void {
    this.#ends[index] = this.#pairCount
  }

  tags(index: number): ReadonlyMap<string, string> | undefined {
    const end = this.#ends[index] ?? 0
    let at = index === 0 ? 0 : (this.#ends[index - 1] ?? 0)
    if (at === end) return undefined
    const tags = new Map<string, string>()
    for (; at < end; at += 2)
      tags.set(this.#strings.text(this.#pairs[at] ?? -1), this.#strings.text(this.#pairs[at + 1] ?? -1))
    return tags
  }
}

export function readDenseNodes(
  reader: MessageReader,
  spans: DenseSpans,
  columns: NodeColumns,
  scale: Scale,
): void {
  const { count } = spans
  const ids = readDifferences(reader, spans.ids, count)
  const lat = readDifferences(reader, spans.lat, count)
  const lon = readDifferences(reader, spans.lon, count)
  const first = columns.count
  const factor = scale.granularity / 100
  const [latOffset, lonOffset] = [scale.latOffset / 100, scale.lonOffset / 100]
  for (let index = 0; index < count; index += 1)
    columns.add(
      ids[index] ?? 0,
      Math.round(latOffset + factor * (lat[index] ?? 0)),
      Math.round(lonOffset + factor * (lon[index] ?? 0)),
    )
  if (spans.tags) readDenseTags(reader, spans.tags, columns, first, count)
}

function readDifferences(reader: MessageReader, span: DenseSpans["ids"], count: number): Float64Array {
  reader.pos = span.start
  if (reader.countVarints(span.end) !== count) throw new ExtractError("damaged", "nodes without coordinates")
  const values = new Float64Array(count)
  let value = 0
  for (let index = 0; index < count; index += 1) {
    value += reader.readSVarint()
    values[index] = value
  }
  reader.checkEnd(span.end)
  return values
}

/** Keys and values of all nodes in one list; a zero ends the tags of a node. */
function readDenseTags(
  reader: MessageReader,
  span: DenseSpans["ids"],
  columns: NodeColumns,
  first: number,
  count: number,
): void {
  reader.pos = span.start
  columns.reservePairs(reader.countVarints(span.end))
  let node = 0
  while (reader.pos < span.end) {
    const key = reader.readVarint()
    if (key === 0) {
      if (node < count) columns.endTags(first + node)
      node += 1
    } else {
      if (reader.pos >= span.end || node >= count) throw new ExtractError("damaged", "a tag without a node")
      columns.addTag(key, reader.readVarint())
    }
  }
  reader.checkEnd(span.end)
  for (; node < count; node += 1) columns.endTags(first + node)
}

export function readPlainNode(reader: MessageReader, end: number, columns: NodeColumns, scale: Scale): void {
  let [id, lat, lon] = [0, 0, 0]
  let keys: readonly number[] = []
  let values: readonly number[] = []
  for (let field = reader.nextField(end); field !== 0; field = reader.nextField(end)) {
    if (field === 1) id = reader.readSVarint()
    else if (field === 2) keys = readNumbers(reader, end)
    else if (field === 3) values = readNumbers(reader, end)
    else if (field === 8) lat = reader.readSVarint()
    else if (field === 9) lon = reader.readSVarint()
  }
  reader.checkEnd(end)
  const index = columns.count
  const toUnits = (offset: number, value: number) => Math.round((offset + scale.granularity * value) / 100)
  columns.add(id, toUnits(scale.latOffset, lat), toUnits(scale.lonOffset, lon))
  if (keys.length !== values.length) throw new ExtractError("damaged", "a tag without a value")
  columns.reservePairs(keys.length * 2)
  for (const [at, key] of keys.entries()) columns.addTag(key, values[at] ?? -1)
  columns.endTags(index)
}
