export { onboardingJobs } from "./jobs.ts"
export { onboardingRoutes } from "./routes.ts"
