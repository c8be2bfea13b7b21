export { actionRoutes } from "./action-routes.ts"
export { auditLogJobs } from "./jobs.ts"
export { auditLogRoutes } from "./routes.ts"
