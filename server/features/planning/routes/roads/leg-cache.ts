import type { LngLat } from "#packages/geodesy/geodesy.ts"

/**
 * Distances and times of a road service, by the cell of 11 m that each end lies in: two doors of one building share
 * them. In memory only; what was not used for long goes first, a starting place at once with all its ways.
 */
export interface LegCache {
  get(from: LngLat, to: LngLat): { meters: number; seconds: number } | undefined
  set(from: LngLat, to: LngLat, meters: number, seconds: number): void
}

const cellsPerDegree = 10_000
const maxLegs = 1_000_000
/** Both numbers in one double: seconds below 2^20 (12 days), metres above. */
const secondsRange = 1 << 20

export function createLegCache(): LegCache {
  const byStart = new Map<number, Map<number, number>>()
  let count = 0
  return {
    get(from, to) {
      const start = cellOf(from)
      const legs = byStart.get(start)
      const packed = legs?.get(cellOf(to))
      if (!legs || packed === undefined) return undefined
      return { meters: Math.floor(packed / secondsRange), seconds: packed % secondsRange }
    },
    set(from, to, meters, seconds) {
      const start = cellOf(from)
      const legs = byStart.get(start) ?? new Map<number, number>()
      byStart.delete(start)
      byStart.set(start, legs)
      const end = cellOf(to)
      if (!legs.has(end)) count++
      legs.set(end, Math.round(meters) * secondsRange + Math.min(Math.round(seconds), secondsRange - 1))
      for (const [oldest, old] of byStart) {
        if (count <= maxLegs || oldest === start) break
        count -= old.size
        byStart.delete(oldest)
      }
    },
  }
}

function cellOf([lng, lat]: LngLat): number {
  return (
    (Math.round(lat * cellsPerDegree) + 900_000) * 4_000_000 + Math.round(lng * cellsPerDegree) + 1_800_000
  )
}
