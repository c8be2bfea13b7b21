import { dataQuery, type RequestBody, type ResponseBody, server } from "../../api/server.ts"

export type FleetVehicle = ResponseBody<"listFleet">["data"][number]
export type Plan = ResponseBody<"listMaintenancePlans">["data"][number]
export type Equipment = ResponseBody<"getEquipment">["data"]
export type EquipmentInput = RequestBody<"createEquipment">
export type PlanInput = RequestBody<"createMaintenancePlan">
export type EntryInput = RequestBody<"createMaintenanceEntry">
export type ReadingInput = RequestBody<"createVehicleReading">
type Id = EquipmentInput["hubId"]

/** A vehicle or equipment, as the queries of its maintenance name it. */
export type Subject = { vehicleId: string } | { equipmentId: string }

export const pageSize = 100
/** What a page about one vehicle or piece of equipment shows of each list. */
const shown = 200

export interface FleetFilter {
  q: string
  hubId: string | undefined
  page: number
}

const given = ({ q, hubId, page }: FleetFilter) => ({
  page,
  limit: pageSize,
  ...(q ? { q } : {}),
  ...(hubId ? { hubId: hubId as Id } : {}),
})

export const fleetQuery = (filter: FleetFilter, isDue: boolean) => ({
  queryKey: ["vehicles", "fleet", filter, isDue],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    server.get("/api/v3/fleet", { query: { ...given(filter), ...(isDue ? { state: "due" } : {}) }, signal }),
})

export const equipmentListQuery = (filter: FleetFilter) => ({
  queryKey: ["vehicles", "equipment", filter],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    server.get("/api/v3/equipment", { query: given(filter), signal }),
})

export const vehicleQuery = (vehicleId: string) =>
  dataQuery(["vehicles", vehicleId], "/api/v3/vehicle/{vehicleId}", { vehicleId })

export const metersQuery = (vehicleId: string) =>
  dataQuery(["vehicles", vehicleId, "meters"], "/api/v3/vehicle/{vehicleId}/meters", { vehicleId })

export const readingsQuery = (vehicleId: string) =>
  dataQuery(["vehicles", vehicleId, "readings"], "/api/v3/vehicle/{vehicleId}/readings", {
    vehicleId,
    query: { limit: shown },
  })

export const equipmentQuery = (equipmentId: string) =>
  dataQuery(["vehicles", "equipment", equipmentId], "/api/v3/equipment/{equipmentId}", { equipmentId })

export const equipmentTasksQuery = (equipmentId: string) =>
  dataQuery(["vehicles", "equipment", equipmentId, "tasks"], "/api/v3/equipment/{equipmentId}/tasks", {
    equipmentId,
    query: { limit: shown },
  })

export const plansQuery = (subject: Subject) =>
  dataQuery(["vehicles", "plans", subject], "/api/v3/maintenance-plans", {
    query: { ...subject, limit: shown } as { limit: number },
  })

export const entriesQuery = (subject: Subject) =>
  dataQuery(["vehicles", "entries", subject], "/api/v3/maintenance-entries", {
    query: { ...subject, limit: shown } as { limit: number },
  })

export type StockItem = ResponseBody<"listStockItems">["data"][number]
export type MovementInput = RequestBody<"createStockMovement">
export type StockHolder = Pick<MovementInput["to"] & object, "vehicleId" | "hubId">

export const itemsQuery = (q: string, page: number) => ({
  queryKey: ["vehicles", "stock", "items", q, page],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    server.get("/api/v3/stock-items", { query: { page, limit: pageSize, ...(q ? { q } : {}) }, signal }),
})

/** To choose from. */
export const vehicleNamesQuery = dataQuery(["vehicles", "names"], "/api/v3/vehicles", {
  query: { limit: 1_000 },
})

export const stockQuery = (vehicleId: string) =>
  dataQuery(["vehicles", "stock", vehicleId], "/api/v3/stock", {
    query: { vehicleId, limit: shown } as { limit: number },
  })

export const movementsQuery = (vehicleId: string) =>
  dataQuery(["vehicles", "stock", vehicleId, "movements"], "/api/v3/stock-movements", {
    query: { vehicleId, limit: 50 } as { limit: number },
  })

export const saveItem = (id: string | undefined, body: RequestBody<"createStockItem">) =>
  id === undefined
    ? server.post("/api/v3/stock-item", { body })
    : server.put("/api/v3/stock-item/{stockItemId}", { stockItemId: id, body })

export const deleteItem = (stockItemId: string) =>
  server.delete("/api/v3/stock-item/{stockItemId}", { stockItemId })

export const moveStock = (body: MovementInput) => server.post("/api/v3/stock-movement", { body })

export type Defect = ResponseBody<"listVehicleDefects">["data"][number]

export const defectsQuery = (vehicleId: string) =>
  dataQuery(["vehicles", "defects", vehicleId], "/api/v3/vehicle-defects", {
    query: { vehicleId, limit: 50 } as { limit: number },
  })

export const resolveDefect = (vehicleDefectId: string, note: string) =>
  server.post("/api/v3/vehicle-defect/{vehicleDefectId}/resolve", { vehicleDefectId, body: { note } })

export const saveReading = (vehicleId: string, body: ReadingInput) =>
  server.post("/api/v3/vehicle/{vehicleId}/reading", { vehicleId, body })

export async function savePlan(id: string | undefined, body: PlanInput): Promise<void> {
  const { vehicleId: _vehicle, equipmentId: _equipment, ...change } = body
  if (id === undefined) await server.post("/api/v3/maintenance-plan", { body })
  else
    await server.put("/api/v3/maintenance-plan/{maintenancePlanId}", { maintenancePlanId: id, body: change })
}

export const deletePlan = (maintenancePlanId: string) =>
  server.delete("/api/v3/maintenance-plan/{maintenancePlanId}", { maintenancePlanId })

export const saveEntry = (body: EntryInput) => server.post("/api/v3/maintenance-entry", { body })

export const deleteEntry = (maintenanceEntryId: string) =>
  server.delete("/api/v3/maintenance-entry/{maintenanceEntryId}", { maintenanceEntryId })

export const saveEquipment = (id: string | undefined, body: EquipmentInput) =>
  id === undefined
    ? server.post("/api/v3/equipment", { body })
    : server.put("/api/v3/equipment/{equipmentId}", { equipmentId: id, body })

export const deleteEquipment = (equipmentId: string) =>
  server.delete("/api/v3/equipment/{equipmentId}", { equipmentId })
