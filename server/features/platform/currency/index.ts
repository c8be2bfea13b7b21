export { currencyRoutes } from "./routes.ts"
