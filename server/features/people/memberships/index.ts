export { membershipRoutes } from "./routes.ts"
export { checkMovable, findOwnedOrganization, hasOrganizationNamed } from "./switch-organization.ts"
