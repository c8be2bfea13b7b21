export { momentRoutes } from "./routes.ts"
