export { grafanaRoutes } from "./routes.ts"
