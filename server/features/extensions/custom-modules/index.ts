export { moduleFrameRoutes } from "./frame-routes.ts"
export { customModuleRoutes } from "./routes.ts"
