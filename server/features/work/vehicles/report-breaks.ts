import type { Sql } from "#core/database/database.ts"
import type { Log } from "#core/telemetry/log.ts"
import { isBreakOutside } from "#shared/break-time.ts"
import type { BreakTime, WorkingTime } from "./schemas.ts"
import { defaultWorkingTime } from "./wire.ts"

const namedVehicles = 20

interface VehicleTimes {
  organizationId: string
  id: string
  name: string
  workingTime: WorkingTime | null
  breakTime: BreakTime
}

/** Vehicles that no route can be planned with, because their break is outside their working time. */
export async function reportBreaksOutside(sql: Sql, log: Pick<Log, "warn">): Promise<void> {
  const vehicles = await sql<VehicleTimes[]>`
    select organization_id, id, name, working_time, break_time from vehicles
    where break_time->>'startTime' <> ''`
  const found = vehicles.filter(({ workingTime, breakTime }) =>
    isBreakOutside(workingTime ?? defaultWorkingTime, breakTime),
  )
  if (found.length === 0) return
  const named = found
    .slice(0, namedVehicles)
    .map(({ organizationId, id, name }) => ({ organizationId, id, name }))
  log.warn({ count: found.length, vehicles: named }, "vehicles have a break outside their working time")
}
