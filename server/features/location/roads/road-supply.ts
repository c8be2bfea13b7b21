import type { Config } from "#core/config.ts"
import type { Pool } from "#core/database/database.ts"
import type { Objects } from "#core/objects/objects.ts"
import { type RoadMaps, roadMapsOf } from "./road-maps.ts"
import type { TravelTime } from "./speeds/speed-store.ts"

/** The roads of the installed maps, for an organization. */
export interface BuiltInRoads {
  maps: RoadMaps
  organizationId: string
  sql: Pool
  /** With it, times are those of the organization's own speeds then. */
  when?: TravelTime
}

/** Where road distances come from: the address of an OSRM-compatible service, or the installed maps. */
export type RoadSupply = string | BuiltInRoads | undefined

/** `ROUTING_URL` has priority over the installed maps. */
export function roadSupplyOf(
  { config, sql, objects }: { config: Config; sql: Pool; objects: Objects },
  organizationId: string,
): Exclude<RoadSupply, undefined> {
  return config.routingUrl ?? { maps: roadMapsOf({ sql, objects, config }), organizationId, sql }
}

/** The same roads at a time of travel. A road service knows no times. */
export function roadsAt<Supply extends RoadSupply>(roads: Supply, when: TravelTime): Supply {
  return typeof roads === "object" ? { ...roads, when } : roads
}
