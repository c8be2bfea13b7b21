export { organizationDataRoutes } from "./routes.ts"
