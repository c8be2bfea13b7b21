import type { Tx } from "#core/database/database.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { placesOfHubs } from "../../organization/hubs/index.ts"
import { timeZoneOf } from "../../organization/organizations/index.ts"
import { type FlowRow, listEveryFlow } from "../../work/flows/index.ts"
import { workTimesOfVehicles } from "../../work/vehicles/index.ts"
import { slotErrors } from "./errors.ts"

export async function lockHub(tx: Tx, organizationId: string, hubId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`slots:${organizationId}:${hubId}`}, 0))`
}

export interface SlotHub {
  organizationId: string
  id: string
  position: LngLat
  timeZone: string
  flows: ReadonlyMap<string, FlowRow>
  vehicles: Awaited<ReturnType<typeof workTimesOfVehicles>>
}

export async function readHub(tx: Tx, organizationId: string, hubId: string): Promise<SlotHub> {
  const [hubs, timeZone, vehicles, flows] = await Promise.all([
    placesOfHubs(tx, organizationId),
    timeZoneOf(tx, organizationId),
    workTimesOfVehicles(tx, organizationId),
    listEveryFlow(tx, { organizationId } as Parameters<typeof listEveryFlow>[1]),
  ])
  const hub = hubs.find(({ id }) => id === hubId)
  if (!hub) throw slotErrors.badHub()
  return {
    organizationId,
    id: hub.id,
    position: [hub.lng, hub.lat],
    timeZone: hub.timeZone ?? timeZone,
    flows: new Map(flows.map((flow) => [flow.id, flow])),
    vehicles: vehicles.filter((vehicle) => vehicle.hubId === hubId),
  }
}
