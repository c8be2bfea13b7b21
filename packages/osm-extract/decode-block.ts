import type { Block, Kinds, Relation, Way } from "./block.ts"
import { NodeColumns, readDenseNodes, readPlainNode } from "./decode-nodes.ts"
import { ExtractError } from "./extract-error.ts"
import type { ExtractLimits } from "./limits.ts"
import { checkId, MessageReader } from "./message-reader.ts"
import { readStringTable, StringTable } from "./string-table.ts"

interface Span {
  readonly start: number
  readonly end: number
}

/** How stored coordinates become degrees: nanodegrees = offset + granularity * value. */
export interface Scale {
  granularity: number
  latOffset: number
  lonOffset: number
}

interface GroupContent {
  readonly kind: "node" | "dense" | "way" | "relation"
  readonly span: Span
}

/** Which kinds a block contains, so that a second pass can leave out the blocks that it does not need. */
export interface DecodedBlock {
  readonly block: Block
  readonly contains: Required<Kinds>
}

const groupFields = { 1: "node", 2: "dense", 3: "way", 4: "relation" } as const

export function decodeBlock(bytes: Uint8Array, kinds: Kinds, limits: ExtractLimits): DecodedBlock {
  const reader = new MessageReader(bytes)
  const groups: Span[] = []
  const scale: Scale = { granularity: 100, latOffset: 0, lonOffset: 0 }
  let strings = new StringTable([])
  for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
    if (field === 1) strings = readStringTable(reader, reader.readEnd(bytes.length), limits.maxStringBytes)
    else if (field === 2) groups.push(readSpan(reader, bytes.length))
    else if (field === 17) scale.granularity = reader.readVarint(true)
    else if (field === 19) scale.latOffset = reader.readVarint(true)
    else if (field === 20) scale.lonOffset = reader.readVarint(true)
  }
  reader.checkEnd(bytes.length)
  const contents = groups.flatMap((group) => readGroup(reader, group, limits))
  const has = (...names: readonly GroupContent["kind"][]) => contents.some(({ kind }) => names.includes(kind))
  return {
    block: {
      nodes: kinds.nodes ? readNodes(reader, contents, strings, scale, limits) : undefined,
      ways: kinds.ways ? ofKind(contents, "way").map((span) => readWay(reader, span, strings)) : [],
      relations: kinds.relations
        ? ofKind(contents, "relation").map((span) => readRelation(reader, span, strings))
        : [],
    },
    contains: { nodes: has("node", "dense"), ways: has("way"), relations: has("relation") },
  }
}

function readSpan(reader: MessageReader, limit: number): Span {
  const end = reader.readEnd(limit)
  const start = reader.pos
  reader.pos = end
  return { start, end }
}

function readGroup(reader: MessageReader, group: Span, limits: ExtractLimits): GroupContent[] {
  const contents: GroupContent[] = []
  reader.pos = group.start
  for (let field = reader.nextField(group.end); field !== 0; field = reader.nextField(group.end)) {
    const kind = groupFields[field as keyof typeof groupFields]
    if (kind === undefined) continue
    contents.push({ kind, span: readSpan(reader, group.end) })
    if (contents.length > limits.maxBlockEntities) throw tooMany(limits)
  }
  reader.checkEnd(group.end)
  return contents
}

const tooMany = (limits: ExtractLimits) =>
  new ExtractError("damaged", `a block has more than ${limits.maxBlockEntities} entities`)

const ofKind = (contents: readonly GroupContent[], kind: GroupContent["kind"]) =>
  contents.filter((content) => content.kind === kind).map(({ span }) => span)

function readNodes(
  reader: MessageReader,
  contents: readonly GroupContent[],
  strings: StringTable,
  scale: Scale,
  limits: ExtractLimits,
): NodeColumns | undefined {
  const dense = ofKind(contents, "dense").map((span) => readDenseSpans(reader, span))
  const plain = ofKind(contents, "node")
  const count = dense.reduce((sum, spans) => sum + spans.count, plain.length)
  if (count === 0) return undefined
  if (count > limits.maxBlockEntities) throw tooMany(limits)
  const columns = new NodeColumns(count, strings)
  for (const spans of dense) readDenseNodes(reader, spans, columns, scale)
  for (const { start, end } of plain) {
    reader.pos = start
    readPlainNode(reader, end, columns, scale)
  }
  return columns
}

export interface DenseSpans {
  readonly count: number
  readonly ids: Span
  readonly lat: Span
  readonly lon: Span
  readonly tags: Span | undefined
}

function readDenseSpans(reader: MessageReader, span: Span): DenseSpans {
  const spans: Partial<Record<number, Span>> = {}
  reader.pos = span.start
  for (let field = reader.nextField(span.end); field !== 0; field = reader.nextField(span.end)) {
    if (field !== 1 && field !== 8 && field !== 9 && field !== 10) continue
    if (spans[field]) throw new ExtractError("damaged", "a list of nodes is split")
    spans[field] = readSpan(reader, span.end)
  }
  reader.checkEnd(span.end)
  const none: Span = { start: span.end, end: span.end }
  const ids = spans[1] ?? none
  reader.pos = ids.start
  return {
    count: reader.countVarints(ids.end),
    ids,
    lat: spans[8] ?? none,
    lon: spans[9] ?? none,
    tags: spans[10],
  }
}

const noTags: ReadonlyMap<string, string> = new Map()

function toTags(
  keys: readonly number[],
  values: readonly number[],
  strings: StringTable,
): ReadonlyMap<string, string> {
  if (keys.length !== values.length) throw new ExtractError("damaged", "a tag without a value")
  if (keys.length === 0) return noTags
  const tags = new Map<string, string>()
  for (const [index, key] of keys.entries()) tags.set(strings.text(key), strings.text(values[index] ?? -1))
  return tags
}

/** The varints of a packed list. */
export function readNumbers(reader: MessageReader, limit: number): number[] {
  const end = reader.readEnd(limit)
  const numbers: number[] = []
  while (reader.pos < end) numbers.push(reader.readVarint())
  reader.checkEnd(end)
  return numbers
}

/** A packed list of differences between ids. */
function readIds(reader: MessageReader, limit: number): Float64Array {
  const end = reader.readEnd(limit)
  const ids = new Float64Array(reader.countVarints(end))
  let id = 0
  for (let index = 0; reader.pos < end; index += 1) {
    id = checkId(id + reader.readSVarint())
    ids[index] = id
  }
  reader.checkEnd(end)
  return ids
}

const noRefs = new Float64Array(0)

function readWay(reader: MessageReader, { start, end }: Span, strings: StringTable): Way {
  reader.pos = start
  let id = 0
  let keys: readonly number[] = []
  let values: readonly number[] = []
  let refs: Float64Array = noRefs
  for (let field = reader.nextField(end); field !== 0; field = reader.nextField(end)) {
    if (field === 1) id = checkId(reader.readVarint(true))
    else if (field === 2) keys = readNumbers(reader, end)
    else if (field === 3) values = readNumbers(reader, end)
    else if (field === 8) refs = readIds(reader, end)
  }
  reader.checkEnd(end)
  return { id, tags: toTags(keys, values, strings), refs }
}

const memberTypes = ["node", "way", "relation"] as const

function readRelation(reader: MessageReader, { start, end }: Span, strings: StringTable): Relation {
  reader.pos = start
  let id = 0
  let keys: readonly number[] = []
  let values: readonly number[] = []
  let roles: readonly number[] = []
  let types: readonly number[] = []
  let refs: Float64Array = noRefs
  for (let field = reader.nextField(end); field !== 0; field = reader.nextField(end)) {
    if (field === 1) id = checkId(reader.readVarint(true))
    else if (field === 2) keys = readNumbers(reader, end)
    else if (field === 3) values = readNumbers(reader, end)
    else if (field === 8) roles = readNumbers(reader, end)
    else if (field === 9) refs = readIds(reader, end)
    else if (field === 10) types = readNumbers(reader, end)
  }
  reader.checkEnd(end)
  if (roles.length !== refs.length || types.length !== refs.length)
    throw new ExtractError("damaged", `members of relation ${id}`)
  const members = Array.from(refs, (ref, index) => {
    const type = memberTypes[types[index] ?? -1]
    if (!type) throw new ExtractError("damaged", `members of relation ${id}`)
    return { type, ref, role: strings.text(roles[index] ?? -1) }
  })
  return { id, tags: toTags(keys, values, strings), members }
}
