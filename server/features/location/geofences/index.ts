export { geofenceJobs } from "./jobs.ts"
export { openTaskVisits } from "./list-visits.ts"
export { lookAroundSoon } from "./look-around.ts"
export { geofenceRoutes } from "./routes.ts"
