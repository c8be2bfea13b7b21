import { ExtractError } from "./extract-error.ts"
import { MessageReader } from "./message-reader.ts"

/** Degrees. West is greater than east if the box crosses the antimeridian. */
export interface Bounds {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

export interface ExtractHeader {
  readonly bounds?: Bounds
  /** The state of OpenStreetMap that the file contains. */
  readonly timestamp?: Date
  /** The program or place that the file comes from. */
  readonly source?: string
}

const supportedFeatures = new Set(["OsmSchema-V0.6", "DenseNodes"])

export function parseHeader(bytes: Uint8Array): ExtractHeader {
  const reader = new MessageReader(bytes)
  const header: { -readonly [Key in keyof ExtractHeader]: ExtractHeader[Key] } = {}
  let program: string | undefined
  for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
    if (field === 1) {
      const bounds = readBounds(reader, reader.readEnd(bytes.length))
      if (bounds) header.bounds = bounds
    } else if (field === 4) checkFeature(reader.readText(bytes.length))
    else if (field === 16) program = reader.readText(bytes.length)
    else if (field === 17) header.source = reader.readText(bytes.length)
    else if (field === 32) {
      const date = new Date(reader.readVarint(true) * 1000)
      if (!Number.isNaN(date.getTime())) header.timestamp = date
    }
  }
  reader.checkEnd(bytes.length)
  if (header.source === undefined && program !== undefined) header.source = program
  return header
}

function checkFeature(feature: string): void {
  if (feature === "HistoricalInformation") throw new ExtractError("history")
  if (!supportedFeatures.has(feature)) throw new ExtractError("unsupported", feature.slice(0, 60))
}

/** The box is advice: one that makes no sense is left out. */
function readBounds(reader: MessageReader, end: number): Bounds | undefined {
  let [west, east, north, south] = [Number.NaN, Number.NaN, Number.NaN, Number.NaN]
  for (let field = reader.nextField(end); field !== 0; field = reader.nextField(end)) {
    const degrees = reader.readSVarint() / 1e9
    if (field === 1) west = degrees
    else if (field === 2) east = degrees
    else if (field === 3) north = degrees
    else if (field === 4) south = degrees
  }
  reader.checkEnd(end)
  const isOnEarth = Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90
  return isOnEarth && south <= north ? { west, south, east, north } : undefined
}
