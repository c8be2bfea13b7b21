import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { ReportDimension } from "#shared/report-metrics.ts"
import { listHubs } from "../../organization/hubs/index.ts"
import { findPeopleByEmail } from "../../people/users/index.ts"
import { listEveryFlow } from "../../work/flows/index.ts"
import { findVehicles } from "../../work/vehicles/index.ts"

/** Names of the people, vehicles, hubs and flows of some rows. What no longer exists keeps its key. */
export async function namesOf(
  sql: Sql,
  caller: Caller,
  dimension: ReportDimension,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (dimension === "person") {
    const people = await findPeopleByEmail(sql, caller.organizationId, keys)
    return new Map(people.map(({ email, name }) => [email, name]))
  }
  if (dimension === "hub") {
    const hubs = await listHubs(sql, caller, { direction: "asc" })
    return new Map(hubs.map(({ id, name }) => [id, name]))
  }
  if (dimension === "vehicle") {
    const vehicles = await findVehicles(sql, caller, keys)
    return new Map(vehicles.map(({ id, name }) => [id, name]))
  }
  if (dimension !== "flow") return new Map()
  const flows = await listEveryFlow(sql, caller)
  return new Map(flows.map(({ id, name }) => [id, name]))
}
