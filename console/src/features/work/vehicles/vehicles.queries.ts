import { queryOptions } from "@tanstack/react-query"
import type { operations } from "../../../api/schema.d.ts"
import { dataOf, type RequestBody, type ResponseBody, server } from "../../../api/server.ts"
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
  {
    q,
    tags,
    assignee,
    filter,
    sort,
    order,
  }: { [Key in keyof VehicleSearch]?: VehicleSearch[Key] | undefined },
  hub: string | undefined,
): VehicleQuery {
  return {
    sortBy: sort ?? "name",
    sortOrder: order ?? "asc",
    ...(hub ? { hubId: hub } : {}),
    ...(q ? { q } : {}),
    ...(tags ? { tags } : {}),
    ...(assignee ? { assignee } : {}),
    ...(filter ? { filter: JSON.stringify(filter) } : {}),
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

export interface VehicleResults {
  done: number
  refused: { name: string; reason: string }[]
}

export const changeVehicles = (vehicles: readonly Vehicle[], change: VehicleChange) =>
  inParts(vehicles, (vehicleIds) => server.patch("/api/v3/vehicles/bulk", { body: { vehicleIds, change } }))

export const deleteVehicles = (vehicles: readonly Vehicle[]) =>
  inParts(vehicles, (vehicleIds) => server.delete("/api/v3/vehicles/bulk", { body: { vehicleIds } }))

/** The API changes and deletes at most this many vehicles in a call. */
const maxPerCall = 1_000

async function inParts(
  vehicles: readonly Vehicle[],
  send: (ids: string[]) => Promise<{ data: { _id: string; status: boolean; message: string }[] }>,
): Promise<VehicleResults> {
  const names = new Map(vehicles.map(({ _id, name }) => [_id, name]))
  const results: VehicleResults = { done: 0, refused: [] }
  for (let start = 0; start < vehicles.length; start += maxPerCall) {
    const part = vehicles.slice(start, start + maxPerCall)
    const { data } = await send(part.map(({ _id }) => _id))
    for (const { _id, status, message } of data)
      if (status) results.done += 1
      else results.refused.push({ name: names.get(_id) ?? _id, reason: message })
  }
  return results
}
