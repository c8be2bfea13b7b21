export { capacityConstraintRoutes } from "./routes.ts"
