import { readFile } from "node:fs/promises"
import { MapFileError } from "./run-build-process.ts"

const maxStyleBytes = 4 * 1024 * 1024

interface Style {
  readonly version: 8
  readonly sources: Readonly<Record<string, { readonly type: string }>>
  readonly layers: readonly { readonly id: string; readonly type: string; readonly source?: unknown }[]
}

/**
 * The part of a MapLibre style that draws an archive's tiles. Everything that would be loaded from elsewhere is left out:
 * images, fonts, and other sources with their layers.
 */
export async function readStyle(path: string, kind: "vector" | "raster"): Promise<string> {
  const style = await parseStyle(path)
  const tiles = Object.entries(style.sources).filter(([, { type }]) => type === kind)
  const sources = Object.fromEntries(tiles.map(([id]) => [id, { type: kind }]))
  const layers = style.layers.filter(
    ({ source, type }) =>
      type === "background" || (typeof source === "string" && Object.hasOwn(sources, source)),
  )
  const {
    sprite: _images,
    glyphs: _fonts,
    terrain: _terrain,
    ...kept
  } = style as Style & Record<string, unknown>
  return JSON.stringify({ ...kept, sources, layers })
}

async function parseStyle(path: string): Promise<Style> {
  const text = await readFile(path, "utf8")
  try {
    if (text.length > maxStyleBytes) throw new Error("the style is too large")
    const style: unknown = JSON.parse(text)
    if (isStyle(style)) return style
    throw new Error("it has no layers")
  } catch (error) {
    throw new MapFileError("The style is not a MapLibre style (version 8)", { cause: error })
  }
}

function isStyle(value: unknown): value is Style {
  if (!isObject(value) || value.version !== 8 || !Array.isArray(value.layers) || !isObject(value.sources))
    return false
  const hasKind = (item: unknown) => isObject(item) && typeof item.type === "string"
  return (
    Object.values(value.sources).every(hasKind) &&
    value.layers.every((layer) => hasKind(layer) && typeof layer.id === "string")
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
