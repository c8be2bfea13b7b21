import { queryOptions } from "@tanstack/react-query"
import { type errorMessages, errorText } from "../../../api/error-text.ts"
import type { operations } from "../../../api/schema.d.ts"
import { dataOf, type RequestBody, type ResponseBody, server } from "../../../api/server.ts"
import type { Translate } from "../../../i18n/messages.ts"
import { type RowPage, windowRows } from "../../../ui/tables/list-window.ts"
import type { VehicleSearch } from "./vehicle-search.ts"

export type Vehicle = ResponseBody<"listVehicles">["data"][number]
export type NewVehicle = RequestBody<"createVehicle">
export type VehicleChange = RequestBody<"patchVehicle">
type VehicleQuery = NonNullable<operations["listVehicles"]["parameters"]["query"]>

/** What vehicles can carry: a name and its unit. */
export interface Capacity {
  name: string
  denominator: string
}

/** What the list shows, as the API takes it. */
export function toVehicleQuery(
  { q, tags, assignee, sort, order }: { [Key in keyof VehicleSearch]?: VehicleSearch[Key] | undefined },
  hub: string | undefined,
): VehicleQuery {
  return {
    sortBy: sort ?? "name",
    sortOrder: order ?? "asc",
    ...(hub ? { hubId: hub } : {}),
    ...(q ? { q } : {}),
    ...(tags ? { tags } : {}),
    ...(assignee ? { assignee } : {}),
  }
}

export function vehiclePageQuery(query: VehicleQuery, page: number, limit = windowRows) {
  const options = { ...query, page, limit }
  return {
    queryKey: ["vehicles", options],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<RowPage<Vehicle>> => {
      const answer = await server.get("/api/v3/vehicles", { query: options, signal })
      return { rows: answer.data, total: answer.total ?? 0 }
    },
  }
}

export const capacitiesQuery = queryOptions({
  queryKey: ["capacity-constraints"],
  queryFn: async ({ signal }) =>
    (await dataOf(server.get("/api/v3/capacity-constraints", { signal })))[0] ?? null,
})

export async function saveCapacities(id: string | undefined, capacityConstraint: Capacity[]): Promise<void> {
  const body = { capacityConstraint }
  if (id === undefined) await server.post("/api/v3/capacity-constraint", { body })
  else {
    await server.put("/api/v3/capacity-constraint/{capacityConstraintId}", { capacityConstraintId: id, body })
  }
}

export const createVehicle = (body: NewVehicle) => server.post("/api/v3/vehicle", { body })

export const createVehicles = (vehicles: readonly NewVehicle[]) =>
  server.post("/api/v3/vehicles", { body: { vehicles: [...vehicles] } })

export const changeVehicle = (vehicleId: string, body: VehicleChange) =>
  server.patch("/api/v3/vehicle/{vehicleId}", { vehicleId, body })

export const deleteVehicle = (vehicleId: string) =>
  server.delete("/api/v3/vehicle/{vehicleId}", { vehicleId })

export interface VehicleResults {
  done: number
  refused: { name: string; reason: string }[]
}

/** Does something to one vehicle after the other: a rejection is recorded and does not stop the rest. */
export async function eachVehicle(
  vehicles: readonly Vehicle[],
  act: (vehicle: Vehicle) => Promise<unknown>,
  t: Translate<typeof errorMessages>,
): Promise<VehicleResults> {
  const results: VehicleResults = { done: 0, refused: [] }
  for (const vehicle of vehicles) {
    try {
      await act(vehicle)
      results.done += 1
    } catch (error) {
      results.refused.push({ name: vehicle.name, reason: errorText(error, t) })
    }
  }
  return results
}
