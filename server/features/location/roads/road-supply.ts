import type { Config } from "#core/config.ts"
import type { Pool } from "#core/database/database.ts"
import type { Objects } from "#core/objects/objects.ts"
import { type RoadMaps, roadMapsOf } from "./road-maps.ts"

/** The roads of the installed maps, for an organization. */
export interface BuiltInRoads {
  maps: RoadMaps
  organizationId: string
}

/** Where road distances come from: the address of an OSRM-compatible service, or the installed maps. */
export type RoadSupply = string | BuiltInRoads | undefined

/** `ROUTING_URL` has priority over the installed maps. */
export function roadSupplyOf(
  { config, sql, objects }: { config: Config; sql: Pool; objects: Objects },
  organizationId: string,
): Exclude<RoadSupply, undefined> {
  return config.routingUrl ?? { maps: roadMapsOf({ sql, objects, config }), organizationId }
}
