export { geofenceJobs } from "./jobs.ts"
export { lookAroundSoon } from "./look-around.ts"
export { geofenceRoutes } from "./routes.ts"
