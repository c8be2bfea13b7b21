export { preferenceErrors } from "./errors.ts"
export { preferenceRoutes } from "./routes.ts"
