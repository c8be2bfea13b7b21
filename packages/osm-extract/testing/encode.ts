import { writeFileSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import { PbfWriter } from "pbf"
import type { MemberType } from "../block.ts"

/** Writes OpenStreetMap files for tests, valid ones and broken ones. */
interface TestNode {
  id: number
  lat: number
  lon: number
  tags?: Record<string, string>
}
interface TestWay {
  id: number
  refs: readonly number[]
  tags?: Record<string, string>
}
interface TestRelation {
  id: number
  members: readonly { type: MemberType; ref: number; role: string }[]
  tags?: Record<string, string>
}
export interface TestEntities {
  nodes?: readonly TestNode[]
  ways?: readonly TestWay[]
  relations?: readonly TestRelation[]
  isPlain?: boolean
}

class Texts {
  readonly list: string[] = [""]
  readonly #index = new Map<string, number>()
  of(text: string): number {
    const known = this.#index.get(text)
    if (known !== undefined) return known
    this.#index.set(text, this.list.length)
    return this.list.push(text) - 1
  }
}

const differences = (values: readonly number[]) =>
  values.map((value, index) => value - (index === 0 ? 0 : (values[index - 1] ?? 0)))
const units = (degrees: number) => Math.round(degrees * 1e7)

export function message(write: (writer: PbfWriter) => void): Uint8Array {
  const writer = new PbfWriter()
  write(writer)
  return writer.finish().slice()
}

export function headerBlock(features = ["OsmSchema-V0.6", "DenseNodes"]): Uint8Array {
  return message((writer) => {
    const box = message((bounds) => {
      for (const [index, degrees] of [-57, -56, -34, -35].entries())
        bounds.writeSVarintField(index + 1, degrees * 1e9)
    })
    writer.writeBytesField(1, box)
    for (const feature of features) writer.writeStringField(4, feature)
    writer.writeStringField(16, "test")
    writer.writeVarintField(32, 1_700_000_000)
  })
}

export function dataBlock(entities: TestEntities): Uint8Array {
  const { nodes = [], ways = [], relations = [], isPlain = false } = entities
  const texts = new Texts()
  const tagFields = (writer: PbfWriter, tags: Record<string, string> = {}) => {
    writer.writePackedVarint(
      2,
      Object.keys(tags).map((key) => texts.of(key)),
    )
    writer.writePackedVarint(
      3,
      Object.values(tags).map((value) => texts.of(value)),
    )
  }
  const group = message((writer) => {
    if (nodes.length > 0 && !isPlain) writer.writeBytesField(2, denseNodes(nodes, texts))
    if (isPlain)
      for (const node of nodes)
        writer.writeBytesField(
          1,
          message((into) => {
            into.writeSVarintField(1, node.id)
            tagFields(into, node.tags)
            into.writeSVarintField(8, units(node.lat))
            into.writeSVarintField(9, units(node.lon))
          }),
        )
    for (const way of ways)
      writer.writeBytesField(
        3,
        message((into) => {
          into.writeVarintField(1, way.id)
          tagFields(into, way.tags)
          into.writePackedSVarint(8, differences(way.refs))
        }),
      )
    for (const { id, members, tags } of relations)
      writer.writeBytesField(
        4,
        message((into) => {
          into.writeVarintField(1, id)
          tagFields(into, tags)
          into.writePackedVarint(
            8,
            members.map(({ role }) => texts.of(role)),
          )
          into.writePackedSVarint(9, differences(members.map(({ ref }) => ref)))
          into.writePackedVarint(
            10,
            members.map(({ type }) => ["node", "way", "relation"].indexOf(type)),
          )
        }),
      )
  })
  return message((writer) => {
    const table = message((into) => {
      for (const text of texts.list) into.writeStringField(1, text)
    })
    writer.writeBytesField(1, table)
    writer.writeBytesField(2, group)
  })
}

function denseNodes(nodes: readonly TestNode[], texts: Texts): Uint8Array {
  return message((into) => {
    into.writePackedSVarint(1, differences(nodes.map(({ id }) => id)))
    into.writePackedSVarint(8, differences(nodes.map(({ lat }) => units(lat))))
    into.writePackedSVarint(9, differences(nodes.map(({ lon }) => units(lon))))
    const pairs = nodes.flatMap(({ tags = {} }) => [
      ...Object.entries(tags).flatMap(([key, value]) => [texts.of(key), texts.of(value)]),
      0,
    ])
    into.writePackedVarint(10, pairs)
  })
}

/** A blob with its length and header. */
export function frame(type: string, blob: Uint8Array): Buffer {
  const header = message((writer) => {
    writer.writeStringField(1, type)
    writer.writeVarintField(3, blob.length)
  })
  const length = Buffer.alloc(4)
  length.writeUInt32BE(header.length)
  return Buffer.concat([length, header, blob])
}

export const rawBlob = (content: Uint8Array) => message((writer) => writer.writeBytesField(1, content))

export const zlibBlob = (content: Uint8Array, rawSize = content.length) =>
  message((writer) => {
    writer.writeVarintField(2, rawSize)
    writer.writeBytesField(3, deflateSync(content))
  })

export const extractBytes = (...blocks: readonly TestEntities[]) =>
  Buffer.concat([
    frame("OSMHeader", zlibBlob(headerBlock())),
    ...blocks.map((block) => frame("OSMData", zlibBlob(dataBlock(block)))),
  ])

export async function extractFile(bytes: Uint8Array): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "osm-extract-")), "test.osm.pbf")
  writeFileSync(path, bytes)
  return path
}
