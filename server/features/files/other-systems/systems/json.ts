import { ReadingError } from "../problem.ts"

export type JsonObject = Readonly<Record<string, unknown>>

export function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

/** Text and numbers as text; everything else is empty. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : ""
}

/** The parts that are there, with commas. */
export function joined(...parts: readonly unknown[]): string {
  return parts
    .map(textOf)
    .filter((part) => part !== "")
    .join(", ")
}

/** `latitude,longitude`; empty if one of them is missing. */
export function coordinateOf(latitude: unknown, longitude: unknown): string {
  const [lat, lng] = [textOf(latitude), textOf(longitude)]
  return lat === "" || lng === "" ? "" : `${lat},${lng}`
}

/** The position of a GeoJSON point, or of its array. */
export function pointOf(value: unknown): string {
  const coordinates = Array.isArray(value) ? value : objectOf(value).coordinates
  return Array.isArray(coordinates) ? coordinateOf(coordinates[1], coordinates[0]) : ""
}

/** An instant from epoch milliseconds. */
export function instantOf(milliseconds: unknown): string {
  return typeof milliseconds === "number" && Math.abs(milliseconds) < 8.64e15
    ? new Date(milliseconds).toISOString()
    : ""
}

/** The entries of the list that a response is. What is no object becomes a row without values, so that none is lost. */
export function entriesIn(body: unknown): JsonObject[] {
  const entries = listIn(body)
  if (entries) return entries
  throw new ReadingError(
    "not-a-list",
    "The other system did not respond with a list. Check the address and the list",
  )
}

/** The first list in a response, by itself or under a key such as `data`. */
export function listIn(body: unknown, depth = 0): JsonObject[] | undefined {
  if (Array.isArray(body)) return body.map(objectOf)
  if (typeof body !== "object" || body === null || depth > 2) return undefined
  for (const value of Object.values(body)) {
    const found = listIn(value, depth + 1)
    if (found) return found
  }
  return undefined
}
