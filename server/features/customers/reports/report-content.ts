/** Rows under a head, with the sum at the end; the first `names` columns are texts, the others figures. */
export interface ReportTable {
  title: string
  head: readonly string[]
  names: number
  rows: readonly (readonly string[])[]
  total: readonly string[] | null
  note: string
}

/** Bars from 0 to 1, each with its name and figure. */
export interface ReportChart {
  title: string
  bars: readonly { name: string; share: number; figure: string }[]
}

/** A service report, or a report of figures, as the thread draws it: every text is written already. */
export interface ReportContent {
  isRtl: boolean
  language: string
  organization: string
  color: string
  logo: Uint8Array | null
  title: string
  subtitle: string
  facts: readonly (readonly [string, string])[]
  sections: readonly ReportSection[]
  itemTitle: string
  items: readonly { title: string; quantity: string; amount: string }[]
  total: readonly [string, string] | null
  chart?: ReportChart
  table?: ReportTable
  photoTitle: string
  photos: readonly Uint8Array[]
  signature: readonly [string, Uint8Array] | null
  map: ReportMap | null
  foot: string
}

/** Tiles around a place, as the archive of an installed map has them. */
export interface ReportMap {
  title: string
  attribution: string
  zoom: number
  /** The place in tiles of that zoom, from the north-west corner of the world. */
  x: number
  y: number
  tiles: readonly MapTile[]
}

export interface MapTile {
  x: number
  y: number
  kind: "vector" | "picture"
  content: Uint8Array
}

export interface ReportSection {
  title: string
  values: readonly (readonly [string, string])[]
}
