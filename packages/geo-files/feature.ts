import type { WrittenPosition } from "./track.ts"

const geoFormats = ["geojson", "gpx", "kml"] as const
export type GeoFormat = (typeof geoFormats)[number]

/** Longitude and latitude in degrees, and the altitude in metres where the file has one. */
export type GeoPosition = readonly [longitude: number, latitude: number, altitude?: number]

/** A point, a line or an area. Rings of an area are closed; the first is the outer one. Collections are taken apart. */
export type Geometry =
  | { readonly type: "Point"; readonly coordinates: GeoPosition }
  | { readonly type: "LineString"; readonly coordinates: readonly GeoPosition[] }
  | { readonly type: "Polygon"; readonly coordinates: readonly (readonly GeoPosition[])[] }

export type GeoValue = string | number | boolean

/** One place, line or area of a file, in the order of the file. */
export interface GeoFeature {
  readonly name: string
  readonly description: string
  /** Empty where the file gives no geometry or a wrong one. */
  readonly geometries: readonly Geometry[]
  /** What is wrong with its coordinates, for the sender of the file. */
  readonly problem?: string
  readonly properties: Readonly<Record<string, GeoValue>>
}

/** A recorded movement: positions with times, oldest first. */
export interface GeoTrack {
  readonly name: string
  readonly positions: readonly WrittenPosition[]
  /** Positions that have no time or wrong coordinates, and were left out. */
  readonly skipped: number
}

export interface GeoFile {
  readonly format: GeoFormat
  readonly features: readonly GeoFeature[]
  readonly tracks: readonly GeoTrack[]
}

/** Bounds that a file is held to while it is read. All are inclusive. */
export interface GeoLimits {
  readonly maxBytes: number
  /** Of nested elements, arrays and objects. */
  readonly maxDepth: number
  readonly maxFeatures: number
  readonly maxPositions: number
  /** Characters of one name, description or property. */
  readonly maxTextLength: number
}

export const defaultGeoLimits: GeoLimits = {
  maxBytes: 64 * 1024 * 1024,
  maxDepth: 64,
  maxFeatures: 100_000,
  maxPositions: 1_000_000,
  maxTextLength: 32_767,
}

type GeoFileErrorCode =
  | "empty-file"
  | "wrong-type"
  | "damaged"
  | "entities"
  | "too-large"
  | "too-deep"
  | "too-many-features"
  | "too-many-positions"
  | "text-too-long"

/** A file that is refused as a whole. `message` is plain text for its sender, without a full stop. */
export class GeoFileError extends Error {
  override readonly name = "GeoFileError"
  readonly code: GeoFileErrorCode

  constructor(code: GeoFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Counts what a reader takes from a file, and refuses what passes a limit. */
export function geoCounter(limits: GeoLimits) {
  let features = 0
  let positions = 0
  return {
    feature() {
      if (++features > limits.maxFeatures)
        throw new GeoFileError("too-many-features", `The file has more than ${limits.maxFeatures} features`)
    },
    position() {
      if (++positions > limits.maxPositions)
        throw new GeoFileError(
          "too-many-positions",
          `The file has more than ${limits.maxPositions} positions`,
        )
    },
    text(text: string): string {
      if (text.length > limits.maxTextLength)
        throw new GeoFileError(
          "text-too-long",
          `A text of the file has more than ${limits.maxTextLength} characters`,
        )
      return text
    },
  }
}

export type GeoCounter = ReturnType<typeof geoCounter>
