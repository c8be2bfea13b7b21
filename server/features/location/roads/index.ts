export type { ClassTimes } from "../../../../packages/road-network/index.ts"
export { modeOf } from "./osrm/parse-request.ts"
export { roadMapsOf } from "./road-maps.ts"
export { type BuiltInRoads, type RoadSupply, roadSupplyOf, roadsAt } from "./road-supply.ts"
export { findRoadLegs, findRoadTravel, matchRoadLegs, observeRoads } from "./road-travel.ts"
export { roadRoutes } from "./routes.ts"
export {
  hourOfWeekAt,
  invalidateSpeeds,
  readSpeeds,
  secondsAt,
  storeStretches,
  usedSpeeds,
} from "./speeds/speed-store.ts"
