export { pluginFrameRoutes } from "./frame-routes.ts"
export { pluginNarrowing } from "./narrowing.ts"
export { pluginRoutes } from "./routes.ts"
