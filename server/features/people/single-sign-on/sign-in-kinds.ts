import type { App } from "#core/http/types.ts"
import type { IntegrationRow, IntegrationType } from "../app-integrations/index.ts"
import { startOidc } from "./oidc.ts"
import { startSaml } from "./saml.ts"

/** How people sign in with a kind of provider. How it is set up: `extensions/app-integrations/provider-kinds.ts`. */
export interface SignInKind {
  /** Where the browser goes, and the id that it comes back with. `browser` is the secret of its cookie. */
  start(app: App, integration: IntegrationRow, browser: string): Promise<{ requestId: string; url: string }>
}

/** By `integrationType`. The way back has a route for each protocol. */
export const signInKinds: Readonly<Record<IntegrationType, SignInKind>> = {
  azure: {
    start: ({ objects, settings }, integration) =>
      startSaml(integration, { objects, publicUrl: settings.publicUrl }),
  },
  oidc: {
    start: ({ sql, settings }, integration, browser) =>
      startOidc({ sql, config: settings }, integration, browser),
  },
}
