import { PbfReader } from "pbf"

export interface ReadFeature {
  readonly kind: "point" | "line" | "polygon"
  readonly properties: Readonly<Record<string, unknown>>
  /** Coordinates of each part, x and y in turn; a tile is one unit wide. */
  readonly parts: readonly (readonly number[])[]
}

interface Layer {
  name: string
  extent: number
  readonly keys: string[]
  readonly values: unknown[]
  readonly features: Uint8Array[]
}

const kinds = [undefined, "point", "line", "polygon"] as const

/** The features of a Mapbox Vector Tile (version 2) by layer; the tile is not compressed. */
export function readTile(tile: Uint8Array): Map<string, readonly ReadFeature[]> {
  const layers = new Map<string, readonly ReadFeature[]>()
  new PbfReader(tile).readFields((field, _, reader) => {
    if (field !== 3) return
    const layer: Layer = { name: "", extent: 4096, keys: [], values: [], features: [] }
    reader.readMessage(readLayerField, layer)
    layers.set(
      layer.name,
      layer.features.flatMap((bytes) => readFeature(bytes, layer) ?? []),
    )
  }, undefined)
  return layers
}

function readLayerField(field: number, layer: Layer, reader: PbfReader): void {
  if (field === 1) layer.name = reader.readString()
  else if (field === 2) layer.features.push(reader.readBytes())
  else if (field === 3) layer.keys.push(reader.readString())
  else if (field === 4) layer.values.push(reader.readMessage(readValueField, { value: undefined }).value)
  else if (field === 5) layer.extent = Math.max(1, reader.readVarint())
}

function readValueField(field: number, result: { value: unknown }, reader: PbfReader): void {
  if (field === 1) result.value = reader.readString()
  else if (field === 2) result.value = reader.readFloat()
  else if (field === 3) result.value = reader.readDouble()
  else if (field === 4 || field === 5) result.value = reader.readVarint(true)
  else if (field === 6) result.value = reader.readSVarint()
  else if (field === 7) result.value = reader.readBoolean()
}

function readFeature(bytes: Uint8Array, { keys, values, extent }: Layer): ReadFeature | undefined {
  const tags: number[] = []
  const commands: number[] = []
  let type = 0
  new PbfReader(bytes).readFields((field, _, reader) => {
    if (field === 2) reader.readPackedVarint(tags)
    else if (field === 3) type = reader.readVarint()
    else if (field === 4) reader.readPackedVarint(commands)
  }, undefined)
  const kind = kinds[type]
  if (!kind) return undefined
  const properties: [string, unknown][] = []
  for (let at = 0; at + 1 < tags.length; at += 2)
    properties.push([keys[tags[at] ?? 0] ?? "", values[tags[at + 1] ?? 0]])
  return { kind, properties: Object.fromEntries(properties), parts: readParts(commands, extent) }
}

const moveTo = 1
const lineTo = 2
const unzigzag = (value: number) => (value >>> 1) ^ -(value & 1)

function readParts(commands: readonly number[], extent: number): number[][] {
  const parts: number[][] = []
  let [x, y] = [0, 0]
  for (let at = 0; at < commands.length; ) {
    const [command, count] = [(commands[at] ?? 0) & 7, (commands[at] ?? 0) >>> 3]
    at += 1
    if (command !== moveTo && command !== lineTo) continue
    for (let repeat = 0; repeat < count && at < commands.length; repeat += 1, at += 2) {
      x += unzigzag(commands[at] ?? 0)
      y += unzigzag(commands[at + 1] ?? 0)
      if (command === moveTo) parts.push([])
      parts.at(-1)?.push(x / extent, y / extent)
    }
  }
  return parts
}
