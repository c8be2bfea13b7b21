export { parquetJobs } from "./jobs.ts"
export { parquetRoutes } from "./routes.ts"
