import { setImmediate as yieldEventLoop } from "node:timers/promises"
import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { type GeoFeature, GeoFileError } from "#packages/geo-files/feature.ts"
import { readGeoFile } from "#packages/geo-files/read-geo-file.ts"
import { type GeofenceValues, insertGeofences, maxGeofences } from "./areas.ts"
import { geofenceErrors } from "./errors.ts"
import { shapeOf } from "./shapes.ts"

export const firstColor = "#c7791a"
const maxName = 200
const shownFailures = 100
/** Of all shapes of a file: more is a map, and takes minutes to check. */
const maxPositions = 200_000

export interface ImportOptions {
  content: string
  hubId: string | null
  group: string | null
}

/** Imports the areas of a GeoJSON or KML file. What is no valid area is returned with its reason, the others are written. */
export async function importGeofences(
  tx: Tx,
  caller: Caller,
  { content, hubId, group }: ImportOptions,
  now: Temporal.Instant,
) {
  const failed: { name: string; reason: string }[] = []
  const names = new Map<string, number>()
  const values: GeofenceValues[] = []
  for (const [index, feature] of read(content).entries()) {
    // Checking a shape takes milliseconds, and a file has thousands.
    await yieldEventLoop()
    const name = cleaned(feature.name) ?? `Geofence ${index + 1}`
    const { color, folder, radiusMeters, widthMeters } = feature.properties
    const groupOfArea = group ?? cleaned(String(feature.properties.group ?? folder ?? "")) ?? null
    const sizes = { radiusMeters: sizeOf(radiusMeters), widthMeters: sizeOf(widthMeters) }
    if (feature.geometries.length === 0)
      failed.push({ name, reason: feature.problem ?? "It has no geometry" })
    for (const geometry of feature.geometries) {
      const shape = shapeOf(geometry, sizes)
      if (typeof shape === "string") {
        failed.push({ name, reason: shape })
        continue
      }
      const key = JSON.stringify([groupOfArea, name])
      const known = names.get(key) ?? 0
      names.set(key, known + 1)
      values.push({
        hubId,
        name: known === 0 ? name : `${name.slice(0, maxName - 8)} (${known + 1})`,
        group: groupOfArea,
        color: /^#[0-9a-f]{6}$/i.test(String(color)) ? String(color).toLowerCase() : firstColor,
        shape,
      })
    }
  }
  const written = values.length === 0 ? [] : await insertGeofences(tx, caller, values, now, true)
  const created = written.filter(({ isNew }) => isNew).length
  return {
    created,
    replaced: written.length - created,
    failed: failed.slice(0, shownFailures),
    totalFailed: failed.length,
  }
}

const sizeOf = (value: unknown) => {
  const meters = Number(value ?? Number.NaN)
  return Number.isFinite(meters) ? meters : undefined
}

function read(content: string): readonly GeoFeature[] {
  try {
    const limits = { maxFeatures: maxGeofences, maxPositions }
    const { features } = readGeoFile(new TextEncoder().encode(content), limits)
    if (features.length > 0) return features
  } catch (error) {
    if (error instanceof GeoFileError)
      throw geofenceErrors.notReadable({ message: error.message, cause: error })
    throw error
  }
  throw geofenceErrors.notReadable({ message: "The file has no polygons, lines or points" })
}

/** A name of a file as one line; undefined if nothing is left of it. */
function cleaned(text: string | undefined): string | undefined {
  const line = (text ?? "")
    .normalize("NFC")
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, maxName)
    .toWellFormed()
  return line === "" ? undefined : line
}
