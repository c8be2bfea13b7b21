import type { GeoCounter, GeoTrack } from "./feature.ts"
import { BadCoordinates, positionOf } from "./geometry.ts"
import type { WrittenPosition } from "./track.ts"

interface PointDetails {
  recordedAt: number | undefined
  altitudeMeters?: number | undefined
  speedMetersPerSecond?: number | undefined
  bearingDegrees?: number | undefined
}

/** Collects the points of a track. Points without a time or a place are counted and left out. */
export function trackBuilder(count: GeoCounter) {
  const positions: WrittenPosition[] = []
  let skipped = 0
  return {
    name: "",
    add(longitude: unknown, latitude: unknown, details: PointDetails): void {
      count.position()
      const { recordedAt, altitudeMeters, speedMetersPerSecond, bearingDegrees } = details
      try {
        const [lng, lat] = positionOf(longitude, latitude)
        if (recordedAt === undefined) throw new BadCoordinates("no time")
        positions.push({
          recordedAt,
          position: [lng, lat],
          ...(altitudeMeters === undefined ? {} : { altitudeMeters }),
          ...(isFrom0(speedMetersPerSecond, 1_000) ? { speedMetersPerSecond } : {}),
          ...(isFrom0(bearingDegrees, 360) ? { bearingDegrees } : {}),
        })
      } catch (error) {
        if (!(error instanceof BadCoordinates)) throw error
        skipped++
      }
    },
    build(): GeoTrack {
      return {
        name: this.name,
        positions: positions.sort((one, other) => one.recordedAt - other.recordedAt),
        skipped,
      }
    },
  }
}

function isFrom0(value: number | undefined, most: number): boolean {
  return value !== undefined && value >= 0 && value <= most
}

/** Milliseconds since 1970 of an instant such as `2031-05-04T09:30:00Z`; without an offset it is UTC, as GPX says. */
export function instantOf(text: string): number | undefined {
  const trimmed = text.trim()
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(trimmed)) return undefined
  const time = Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(trimmed) ? trimmed : `${trimmed}Z`)
  // 30 February parses as 2 March.
  const day = Number(trimmed.slice(8, 10))
  const days =
    day > 28
      ? new Date(Date.UTC(Number(trimmed.slice(0, 4)), Number(trimmed.slice(5, 7)), 0)).getUTCDate()
      : 28
  return Number.isNaN(time) || day > days ? undefined : time
}
