import type { TaskRunner } from "#core/threads/run-in-thread.ts"
import { GeoFileError, type GeoFormat } from "#packages/geo-files/feature.ts"
import { readGeoFile } from "#packages/geo-files/read-geo-file.ts"
import type { WrittenPosition } from "#packages/geo-files/track.ts"

export interface TrackInput {
  bytes: Uint8Array
  maxPositions: number
}

export type TrackOutput =
  | {
      format: GeoFormat
      positions: WrittenPosition[]
      trackCount: number
      skipped: number
      placeCount: number
    }
  /** What is wrong with the file. */
  | { refused: string }

/** Takes the tracks out of an uploaded file. */
const run: TaskRunner<TrackInput, TrackOutput> = ({ bytes, maxPositions }) => {
  try {
    const { format, tracks, features } = readGeoFile(bytes, { maxPositions })
    return {
      format,
      positions: tracks.flatMap((track) => track.positions),
      trackCount: tracks.length,
      skipped: tracks.reduce((sum, track) => sum + track.skipped, 0),
      placeCount: features.length,
    }
  } catch (error) {
    if (error instanceof GeoFileError) return { refused: error.message }
    throw error
  }
}

export default run
