export { capacityConstraintRoutes, findCapacityConstraints } from "./routes.ts"
