export { dataVersionRoutes, type LastChange } from "./routes.ts"
