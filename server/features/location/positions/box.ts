import type { BoundingBox } from "#packages/geodesy/geodesy.ts"
import { locationErrors } from "./errors.ts"

/** `west,south,east,north` in degrees, as queries have it. */
export function boxOf(text: string | undefined): BoundingBox | undefined {
  if (text === undefined) return undefined
  const parts = text.split(",")
  const [west = 0, south = 0, east = 0, north = 0] = parts.map(Number)
  const isBox =
    parts.length === 4 && parts.every((part) => part.trim() !== "" && Number.isFinite(Number(part)))
  if (!isBox)
    throw locationErrors.badCoordinates({ message: "bbox must be west,south,east,north in degrees" })
  return { west, south, east, north }
}
