import type { Static } from "typebox"
import type { Id } from "#core/ids.ts"
import { toT1 } from "#shared/wire-time.ts"
import type { Capacity, VehicleSchema, WorkingTime } from "./schemas.ts"
import type { Terms } from "./terms.ts"

export interface VehicleRow {
  id: Id<"vehicle">
  organizationId: Id<"organization">
  hubId: Id<"hub">
  hub: { _id: string; name: string; address: string } | null
  name: string
  assignee: string | null
  /** km/h */
  speed: number
  fixedCost: number
  tags: string[]
  oddEven: string | null
  /** Null: not set. */
  workingTime: WorkingTime | null
  breakTime: { startTime: string; endTime: string } | null
  capacity: Capacity
  terms: Terms
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

export const defaultWorkingTime = { startTime: "08:00", endTime: "17:00", multiday: 0 } as const

/** `hubs` is the one hub of the vehicle, whatever its name says. */
export function toWireVehicle(row: VehicleRow): Static<typeof VehicleSchema> {
  return {
    _id: row.id,
    organizationId: row.organizationId,
    hubId: row.hubId,
    hubs: row.hub,
    name: row.name,
    assignee: row.assignee,
    speed: row.speed,
    fixedCost: row.fixedCost,
    tags: row.tags,
    oddEven: row.oddEven,
    workingTime: { ...defaultWorkingTime, ...row.workingTime },
    breakTime: row.breakTime ?? { startTime: null, endTime: null },
    capacity: row.capacity,
    startCoordinate: row.terms.startCoordinate ?? null,
    endCoordinate: row.terms.endCoordinate ?? null,
    maxDuration: row.terms.maxDuration ?? null,
    maxDistance: row.terms.maxDistance ?? null,
    maxOvertime: row.terms.maxOvertime ?? null,
    breakMinutes: row.terms.breakMinutes ?? null,
    workDays: row.terms.workDays ?? null,
    daysOff: row.terms.daysOff ?? null,
    costs: row.terms.costs ?? null,
    co2PerKilometer: row.terms.co2PerKilometer ?? null,
    skills: row.terms.skills ?? null,
    createdTime: toT1(row.createdTime),
    updatedTime: toT1(row.updatedTime),
  }
}
