import type { App } from "#core/http/types.ts"
import type { IntegrationRow, IntegrationType } from "../app-integrations/index.ts"
import { type Outside, readCallback, startOidc } from "./oidc.ts"
import type { Vouched } from "./provision.ts"
import type { SignInRequest } from "./requests.ts"
import { startSaml } from "./saml.ts"

/** How people sign in with a kind of provider. How it is set up: `people/app-integrations/provider-kinds.ts`. */
export interface SignInKind {
  /** Where the browser goes, and the id that it comes back with. `browser` is the secret of its cookie. */
  start(app: App, integration: IntegrationRow, browser: string): Promise<{ requestId: string; url: string }>
  /** Whom the provider vouches for in the query of the shared callback. Undefined for protocols with a route of their own. */
  readCallback?(
    outside: Outside,
    integration: IntegrationRow,
    begun: Pick<SignInRequest, "id"> & { browser: string },
    query: string,
  ): Promise<Vouched>
}

/** By `integrationType`. */
export const signInKinds: Readonly<Record<IntegrationType, SignInKind>> = {
  azure: {
    start: ({ objects, settings }, integration) =>
      startSaml(integration, { objects, publicUrl: settings.publicUrl }),
  },
  oidc: {
    start: ({ sql, settings }, integration, browser) =>
      startOidc({ sql, config: settings }, integration, browser),
    readCallback,
  },
}
