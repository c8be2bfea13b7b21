export { appIntegrationRoutes } from "./routes.ts"
