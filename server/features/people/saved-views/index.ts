export { viewErrors } from "./errors.ts"
export { savedViewRoutes } from "./routes.ts"
