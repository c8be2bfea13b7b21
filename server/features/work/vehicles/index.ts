export { auditedVehicle } from "./audited-vehicle.ts"
export {
  type DriverSpan,
  driverSpans,
  organizationsWithDrivers,
  vehicleOf,
  vehiclesDrivenBy,
} from "./drivers.ts"
export { vehicleErrors } from "./errors.ts"
export {
  findDrivenVehicles,
  findVehicles,
  findVehiclesOfHub,
  vehicleFacts,
  vehicleNameOrder,
  workTimesOfVehicles,
} from "./queries.ts"
export { renameInVehicles } from "./rename-person.ts"
export { reportBreaksOutside } from "./report-breaks.ts"
export { vehicleRoutes } from "./routes.ts"
export type { VehicleBody, VehiclePatch } from "./schemas.ts"
export { isDay, plannedTermFields, type Terms, termProblem } from "./terms.ts"
export { usualBreak, worksOn } from "./usual-break.ts"
export { defaultWorkingTime, type VehicleRow } from "./wire.ts"
export { changeVehicle, createVehicles, deleteVehicle, vehicleRestorer } from "./write-vehicles.ts"
