import { setImmediate as yieldEventLoop } from "node:timers/promises"
import buildSerializer, { type Schema } from "fast-json-stringify"
import type { FastifyReply } from "fastify"
import type { App } from "../types.ts"

/** Rows that are mapped or written at a time: one or two milliseconds. */
const rowsPerSlice = 100

/** `rows.map(make)`, yielding the event loop between slices of a long list. */
export async function mapInSlices<Row, Made>(
  rows: readonly Row[],
  make: (row: Row) => Made,
): Promise<Made[]> {
  if (rows.length <= rowsPerSlice) return rows.map((row) => make(row))
  const made: Made[] = []
  for (let start = 0; start < rows.length; start += rowsPerSlice) {
    if (start > 0) await yieldEventLoop()
    for (const row of rows.slice(start, start + rowsPerSlice)) made.push(make(row))
  }
  return made
}

type Write = (value: unknown) => string

/** A compiled serializer that records what it was compiled from. */
export interface SchemaSerializer extends Write {
  schema: Schema
}

/** Where a response holds a list: under one key, or in the `data` of a page under one key. */
type ListPath = readonly [key: string] | readonly [key: string, page: "data"]

/** Writes long lists of responses slice by slice, so that others are answered between the slices. */
export function installLargeLists(api: App): void {
  const itemWriters = new WeakMap<object, Map<string, Write | undefined>>()
  const itemWriterOf = (serializer: SchemaSerializer, path: ListPath): Write | undefined => {
    const known = itemWriters.get(serializer) ?? new Map<string, Write | undefined>()
    itemWriters.set(serializer, known)
    const name = path.join(".")
    if (!known.has(name)) {
      const schema = itemSchemaOf(serializer.schema, path)
      known.set(name, schema && writerOf(schema))
    }
    return known.get(name)
  }
  api.addHook("preSerialization", (_request, reply, payload, done) => {
    const path = longListIn(payload)
    const serializer = path && serializerOf(reply)
    const writeItem = serializer && itemWriterOf(serializer, path)
    if (!writeItem) return done(null, payload)
    writeInSlices(payload as Record<string, unknown>, path, serializer, writeItem).then((text) => {
      if (text !== undefined) reply.serializer(() => text)
      done(null, payload)
    }, done)
  })
}

function longListIn(payload: unknown): ListPath | undefined {
  if (payload === null || typeof payload !== "object") return undefined
  for (const [key, value] of Object.entries(payload)) {
    if (value === null || typeof value !== "object") continue
    if (isLong(value)) return [key]
    if (isLong((value as { data?: unknown }).data)) return [key, "data"]
  }
  return undefined
}

function isLong(value: unknown): boolean {
  return Array.isArray(value) && value.length > rowsPerSlice
}

function serializerOf(reply: FastifyReply): SchemaSerializer | undefined {
  const serializer = reply.getSerializationFunction(String(reply.statusCode)) as
    | Partial<SchemaSerializer>
    | undefined
  return serializer?.schema === undefined ? undefined : (serializer as SchemaSerializer)
}

/** Undefined for a part that refers to another part of its schema. */
function writerOf(schema: Schema): Write | undefined {
  try {
    return buildSerializer(schema) as Write
  } catch {
    return undefined
  }
}

interface Node {
  properties?: Record<string, Node>
  items?: Node
}

function itemSchemaOf(schema: Schema, path: ListPath): Schema | undefined {
  let node: Node | undefined = schema as Node
  for (const key of path) node = node?.properties?.[key]
  return node?.items as Schema | undefined
}

/** Undefined where the place of the list cannot be determined from the text: then it is written as one. */
async function writeInSlices(
  payload: Record<string, unknown>,
  [key, page]: ListPath,
  write: Write,
  writeItem: Write,
): Promise<string | undefined> {
  const holder = page === undefined ? payload : (payload[key] as Record<string, unknown>)
  const name = page ?? key
  const empty = { ...holder, [name]: [] }
  const around = write(page === undefined ? empty : { ...payload, [key]: empty })
  const [before, after, more] = around.split(`"${name}":[]`)
  if (before === undefined || after === undefined || more !== undefined) return undefined
  const texts = await mapInSlices(holder[name] as unknown[], writeItem)
  return `${before}"${name}":[${texts.join(",")}]${after}`
}
