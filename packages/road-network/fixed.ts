import { distanceBetween } from "../geodesy/geodesy.ts"

/** Coordinates as whole numbers of 1e-7 degrees, as OpenStreetMap stores them. */
export const unitsPerDegree = 10_000_000
export const worldUnits = 360 * unitsPerDegree

export const toUnits = (degrees: number): number => Math.round(degrees * unitsPerDegree)
export const toDegrees = (units: number): number => units / unitsPerDegree

/** The shorter way around the earth: -180 to 180 degrees. */
export function wrapUnits(difference: number): number {
  if (difference > worldUnits / 2) return difference - worldUnits
  return difference < -worldUnits / 2 ? difference + worldUnits : difference
}

export function metersBetween(fromLat: number, fromLon: number, toLat: number, toLon: number): number {
  return distanceBetween(toDegrees(fromLon), toDegrees(fromLat), toDegrees(toLon), toDegrees(toLat))
}

/** A line of points between two others, as differences in variable-length integers. */
export function encodeLine(
  push: (byte: number) => void,
  lat: ArrayLike<number>,
  lon: ArrayLike<number>,
  range: { from: number; to: number },
): void {
  for (let i = range.from + 1; i < range.to; i++) {
    pushSigned(push, (lat[i] as number) - (lat[i - 1] as number))
    pushSigned(push, wrapUnits((lon[i] as number) - (lon[i - 1] as number)))
  }
}

export function pushSigned(push: (byte: number) => void, value: number): void {
  let rest = value < 0 ? -2 * value - 1 : 2 * value
  while (rest >= 128) {
    push((rest % 128) | 128)
    rest = Math.floor(rest / 128)
  }
  push(rest)
}

export interface Cursor {
  at: number
}

export function readSigned(bytes: Uint8Array, cursor: Cursor): number {
  let value = 0
  let factor = 1
  // Ids need more bytes than coordinates.
  for (let i = 0; i < 8; i++) {
    const byte = bytes[cursor.at++] ?? 0
    value += (byte & 127) * factor
    if (byte < 128) break
    factor *= 128
  }
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2
}
