export { singleSignOnJobs } from "./jobs.ts"
export { singleSignOnRoutes } from "./routes.ts"
