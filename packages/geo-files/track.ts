import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { formatDegrees } from "#packages/geodesy/lng-lat-text.ts"

/** A position as it leaves in a file. */
export interface WrittenPosition {
  /** Milliseconds since 1970. */
  readonly recordedAt: number
  readonly position: LngLat
  readonly altitudeMeters?: number | undefined
  readonly speedMetersPerSecond?: number | undefined
  readonly bearingDegrees?: number | undefined
  readonly accuracyMeters?: number | undefined
}

/** One line of one person, for example a session or a day. Batches come from a cursor, so nothing is held whole. */
export interface WrittenTrack {
  readonly name: string
  readonly description?: string | undefined
  readonly positions: Batches<WrittenPosition>
}

type Batches<T> = Iterable<readonly T[]> | AsyncIterable<readonly T[]>

/** Characters of a piece that is handed to the socket: small enough to stream, large enough not to crawl. */
export const pieceLength = 64 * 1024

/** Seven decimals are a centimetre; more is noise that doubles the file. */
export function degrees(value: number): string {
  return formatDegrees(Number(value.toFixed(7)))
}
