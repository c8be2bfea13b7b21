/** What the tests use of the provider; the package has no types of its own. */
declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
  export default class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    callback(): RequestListener
    interactionFinished(
      request: IncomingMessage,
      reply: ServerResponse,
      result: Readonly<Record<string, unknown>>,
    ): Promise<void>
    Grant: new (options: {
      clientId: string
      accountId: string
    }) => {
      addOIDCScope(scope: string): void
      save(): Promise<string>
    }
  }
}
