export { scimErrors } from "./errors.ts"
export { protocolRoutes as scimProtocolRoutes, scimPrefix } from "./protocol-routes.ts"
export { tokenRoutes as scimTokenRoutes } from "./token-routes.ts"
export { undoTokenChange as undoScimTokenChange } from "./tokens.ts"
