/** A layer of a MapLibre style. The console's map library has the full type; the server only passes it on. */
export interface StyleLayer {
  readonly id: string
  readonly type: "fill" | "line" | "symbol" | "circle" | "background" | "raster"
  readonly source?: string
  readonly "source-layer"?: string
  readonly minzoom?: number
  readonly maxzoom?: number
  readonly filter?: Expression
  readonly layout?: Readonly<Record<string, unknown>>
  readonly paint?: Readonly<Record<string, unknown>>
}

export type Expression = readonly unknown[]

/** Text is drawn with fonts of the device, so that no glyphs are loaded. */
export const mapFont = ["Open Sans", "Segoe UI", "Helvetica Neue", "Arial", "sans-serif"]

export const byZoom = (base: number, ...stops: readonly (readonly [number, unknown])[]): Expression => [
  "interpolate",
  base === 1 ? ["linear"] : ["exponential", base],
  ["zoom"],
  ...stops.flat(),
]

/** A value by a property. */
export function byProperty(
  name: string,
  values: Readonly<Record<string, unknown>>,
  otherwise: unknown,
): Expression {
  return ["match", ["get", name], ...Object.entries(values).flat(), otherwise]
}

export const isOneOf = (name: string, ...values: readonly string[]): Expression => [
  "match",
  ["get", name],
  [...values],
  true,
  false,
]
