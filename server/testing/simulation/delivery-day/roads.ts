import type { Sql } from "#core/database/database.ts"
import { inTransaction } from "#core/database/database.ts"
import type { Objects } from "#core/objects/objects.ts"
import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { openExtract } from "#packages/osm-extract/index.ts"
import {
  buildNetwork,
  buildProfile,
  createRouter,
  packNetwork,
  packProfile,
  snap,
  travelTable,
  unreachable,
} from "#packages/road-network/index.ts"
import { mapKey, networkFile, profileFile } from "../../../features/location/maps/files.ts"
import { publishRegion } from "../../../features/location/maps/queries.ts"

/** What vehicles really drive: the same ways as the service plans with, before traffic. */
interface Drive {
  meters: number
  seconds: number
}

export interface Streets {
  drive(from: LngLat, to: LngLat): Drive
  /** Whether a place is near enough to a street. */
  isReachable(place: LngLat): boolean
}

const planeSpeed = 30 / 3.6

/** Without a map: great circles with the detour and the speed that plans use. */
export const plane: Streets = {
  drive(from, to) {
    const meters = distanceMeters(from, to) * 1.3
    return { meters, seconds: meters / planeSpeed }
  },
  isReachable: () => true,
}

/** The streets of an extract, installed in the service as a build would publish them. */
export async function installStreets(
  file: string,
  { sql, objects }: { sql: Sql; objects: Objects },
): Promise<Streets> {
  const extract = await openExtract(file)
  const network = await buildNetwork(extract)
  await extract.close()
  const version = "one"
  const files: Record<string, number> = {}
  const put = async (name: string, pieces: readonly Uint8Array[]) => {
    files[name] = await objects.put(mapKey("city", version, name), Buffer.concat(pieces))
  }
  const graph = buildProfile(network, "car")
  await put(networkFile, packNetwork(network, { id: version, mapTime: null }))
  await put(profileFile("car"), packProfile(graph, version))
  const bounds = { west: -180, south: -85, east: 180, north: 85 }
  const about = { attribution: "", dataTime: "2026-01-01T00:00:00Z", source: file, report: {} }
  await inTransaction(sql, (tx) => publishRegion(tx, { name: "city", version, files, ...bounds, ...about }))
  const router = createRouter(graph)
  const known = new Map<string, Drive>()
  return {
    drive(from, to) {
      const key = `${from};${to}`
      const before = known.get(key)
      if (before) return before
      const [start, end] = [snap(graph, from), snap(graph, to)]
      const table = start && end ? travelTable(router, [start], [end]) : undefined
      const [cost = unreachable, length = 0] = [table?.costs[0], table?.lengths[0]]
      const drive =
        cost === unreachable ? plane.drive(from, to) : { meters: length / 100, seconds: cost / 1000 }
      known.set(key, drive)
      return drive
    },
    isReachable: (place) => {
      const found = snap(graph, place)
      return found?.isOnLargePart === true && found.distanceMeters < 150
    },
  }
}
