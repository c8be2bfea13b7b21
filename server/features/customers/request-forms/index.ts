export { requestFormErrors } from "./errors.ts"
export { requestFormJobs } from "./jobs.ts"
export { publicRequestRoutes } from "./public-routes.ts"
export { requestFormRoutes } from "./routes.ts"
