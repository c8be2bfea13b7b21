export { deskErrors } from "./errors.ts"
export { dispatchDeskRoutes } from "./routes.ts"
