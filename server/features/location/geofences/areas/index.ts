export { geofenceNames, visibleGeofences } from "./areas.ts"
export { areasAround, toFence } from "./areas-around.ts"
export { crossingAreas } from "./crossing.ts"
export { areaRoutes } from "./routes.ts"
