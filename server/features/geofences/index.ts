export { geofenceJobs } from "./jobs.ts"
export { geofenceRoutes } from "./routes.ts"
