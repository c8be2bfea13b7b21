import type { App } from "#core/http/types.ts"
import { clientRoutes } from "./client-routes.ts"
import { consentRoutes } from "./consent-routes.ts"

export { oauthErrors } from "./errors.ts"
export { oauthJobs } from "./jobs.ts"
export { protocolRoutes as oauthProtocolRoutes } from "./protocol-routes.ts"

export function oauthRoutes(app: App): void {
  clientRoutes(app)
  consentRoutes(app)
}
