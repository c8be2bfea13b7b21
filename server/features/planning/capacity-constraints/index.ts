export { findCapacityConstraints } from "./queries.ts"
export { capacityConstraintRoutes } from "./routes.ts"
