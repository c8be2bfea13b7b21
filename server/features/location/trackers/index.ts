export { trackerErrors } from "./errors.ts"
export { trackerJobs } from "./jobs.ts"
export {
  startTrackerServer,
  type TrackerPort,
  type TrackerServer,
  type TrackerServerOptions,
} from "./listener/tracker-server.ts"
export { trackerRoutes } from "./routes.ts"
