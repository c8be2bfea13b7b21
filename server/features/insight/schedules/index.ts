export { reportScheduleJobs } from "./jobs.ts"
export { reportScheduleRoutes } from "./routes.ts"
