import type { LngLat } from "#packages/geodesy/geodesy.ts"

import type { FeatureType, Layer } from "./layers.ts"

export interface ViewBox {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

export interface SearchOptions {
  readonly limit: number
  /** What lies near is preferred. */
  readonly near?: LngLat | undefined
  /** Only what lies inside. */
  readonly within?: ViewBox | undefined
  /** ISO 3166-1 alpha-2 in lower case; empty: all. */
  readonly countries?: readonly string[]
  /** Only these themes; undefined: all. */
  readonly layers?: ReadonlySet<Layer> | undefined
  /** Only areas of this kind. */
  readonly featureType?: FeatureType | undefined
  /** The last word is complete: no suggestions while typing. */
  readonly isComplete?: boolean
}
