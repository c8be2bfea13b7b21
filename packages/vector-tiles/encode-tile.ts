import { PbfWriter } from "pbf"
import type { GeometryKind, Properties } from "./geometry/feature.ts"

/** Units across a tile. */
export const tileExtent = 4096

/** A feature in the units of its tile. Rings of polygons are closed and already have the winding of the format. */
export interface TileFeature {
  readonly kind: GeometryKind
  readonly properties: Properties
  readonly parts: readonly (readonly number[])[]
}

const kinds: Record<GeometryKind, number> = { point: 1, line: 2, polygon: 3 }

/** A Mapbox Vector Tile (version 2). */
export function encodeTile(layers: ReadonlyMap<string, readonly TileFeature[]>): Uint8Array {
  const tile = new PbfWriter(new Uint8Array(4096))
  for (const [name, features] of layers)
    if (features.length > 0)
      tile.writeMessage(3, (_, writer) => writeLayer(writer, name, features), undefined)
  return tile.finish()
}

function writeLayer(writer: PbfWriter, name: string, features: readonly TileFeature[]): void {
  const keys = new Map<string, number>()
  const values = new Map<string | number, number>()
  writer.writeVarintField(15, 2)
  writer.writeStringField(1, name)
  for (const feature of features) {
    const tags: number[] = []
    for (const [key, value] of Object.entries(feature.properties))
      tags.push(indexIn(keys, key), indexIn(values, value))
    writer.writeMessage(
      2,
      (_, into) => {
        into.writePackedVarint(2, tags)
        into.writeVarintField(3, kinds[feature.kind])
        into.writePackedVarint(4, commands(feature))
      },
      undefined,
    )
  }
  for (const key of keys.keys()) writer.writeStringField(3, key)
  for (const value of values.keys()) writer.writeMessage(4, writeValue, value)
  writer.writeVarintField(5, tileExtent)
}

function indexIn<Key>(index: Map<Key, number>, key: Key): number {
  const known = index.get(key)
  if (known !== undefined) return known
  index.set(key, index.size)
  return index.size - 1
}

function writeValue(value: string | number, writer: PbfWriter): void {
  if (typeof value === "string") writer.writeStringField(1, value)
  else if (!Number.isInteger(value)) writer.writeDoubleField(3, value)
  else if (value < 0) writer.writeSVarintField(6, value)
  else writer.writeVarintField(5, value)
}

const zigzag = (value: number) => (value << 1) ^ (value >> 31)

function commands({ kind, parts }: TileFeature): number[] {
  const list: number[] = []
  let [x, y] = [0, 0]
  const to = (nextX: number, nextY: number) => {
    list.push(zigzag(nextX - x), zigzag(nextY - y))
    ;[x, y] = [nextX, nextY]
  }
  if (kind === "point") list.push((parts.length << 3) | 1)
  for (const part of parts) {
    if (kind !== "point") list.push((1 << 3) | 1)
    to(part[0] ?? 0, part[1] ?? 0)
    if (kind === "point") continue
    const end = kind === "polygon" ? part.length - 2 : part.length
    list.push(((end / 2 - 1) << 3) | 2)
    for (let at = 2; at < end; at += 2) to(part[at] ?? 0, part[at + 1] ?? 0)
    if (kind === "polygon") list.push((1 << 3) | 7)
  }
  return list
}
