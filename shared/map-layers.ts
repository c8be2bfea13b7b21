/** An optional layer of pictures that an operator offers above or instead of streets (`MAP_LAYERS`). */
export interface ExtraMapLayer {
  readonly title: string
  /** Address of its tiles with {z}, {x} and {y}, or for WMS with {bbox-epsg-3857}. */
  readonly tiles: string
  readonly attribution: string
  readonly maxZoom: number
  readonly tileSize: number
}
