export { privacyPolicyRoutes } from "./routes.ts"
