export { pluginRoutes } from "./routes.ts"
