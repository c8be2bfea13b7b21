export { insightErrors } from "./errors.ts"
export { insightRoutes } from "./routes.ts"
