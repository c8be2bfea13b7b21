import { trimEndOf } from "../text/trim-characters.ts"
import type { LngLat } from "./geodesy.ts"

/**
 * A plain decimal and nothing else: no exponent, no hexadecimal, no bare sign, no infinity. `Number("1e-400")`,
 * `Number("")` and `Number("0x10")` are numbers to the language and mistakes in a coordinate. A double just above
 * 0.000001 is written with 22 decimals, so 25 are read.
 */
const plainDecimal = /^[+-]?\d{1,3}(?:\.\d{1,25})?$/

/** Degrees from a number or a plain decimal text within ±`limit`, else undefined. */
function parseDegrees(value: unknown, limit: number): number | undefined {
  let degrees: number
  if (typeof value === "number") degrees = value
  else if (typeof value === "string" && plainDecimal.test(value)) degrees = Number(value)
  else return undefined
  if (!(Math.abs(degrees) <= limit)) return undefined
  // -0 would come back as "-0" in some writers.
  return degrees === 0 ? 0 : degrees
}

/** -90..90 degrees from a finite number or a plain decimal text (no exponent), else undefined. */
export function parseLatitude(value: unknown): number | undefined {
  return parseDegrees(value, 90)
}

/** -180..180 degrees from a finite number or a plain decimal text (no exponent), else undefined. */
export function parseLongitude(value: unknown): number | undefined {
  return parseDegrees(value, 180)
}

/**
 * Reads "lat,lng", latitude first, as people and the wire write it. Blanks around the numbers are allowed, exponents
 * and anything out of range are not. "0,0" is a coordinate (see `isNullIsland`).
 */
export function parseLatLng(text: string): LngLat | undefined {
  const parts = text.split(",")
  if (parts.length !== 2) return undefined
  const latitude = parseLatitude(parts[0]?.trim())
  const longitude = parseLongitude(parts[1]?.trim())
  return latitude === undefined || longitude === undefined ? undefined : [longitude, latitude]
}

/** Why `parseLatLng` reads no coordinate from the text, for people; undefined where it does. */
export function latLngProblem(text: string): string | undefined {
  if (parseLatLng(text)) return undefined
  const parts = text.split(",").map((part) => part.trim())
  const isPair = parts.length === 2 && parts.every((part) => plainDecimal.test(part))
  if (!isPair) return "must be latitude,longitude"
  const range = "latitude must be between -90 and 90 and longitude between -180 and 180"
  return parseLatLng(parts.toReversed().join(",")) ? `${range} (the two may be swapped)` : range
}

/** Writes "lat,lng" with every digit that the numbers carry and never an exponent; `parseLatLng` reads it back. */
export function formatLatLng([longitude, latitude]: LngLat): string {
  return `${formatDegrees(latitude)},${formatDegrees(longitude)}`
}

/** Degrees as a plain decimal. The language itself writes 0.0000001 as "1e-7". */
export function formatDegrees(degrees: number): string {
  const text = String(degrees)
  if (!text.includes("e")) return text
  // Never all zeros: text without an exponent was returned above.
  const decimal = trimEndOf(trimEndOf(degrees.toFixed(20), "0"), ".")
  return decimal === "-0" ? "0" : decimal
}
