export { customModuleRoutes } from "./routes.ts"
