export { viewErrors } from "./errors.ts"
export { isVisibleView } from "./queries.ts"
export { savedViewRoutes } from "./routes.ts"
