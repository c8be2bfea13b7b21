import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { FormFile } from "#core/http/read-form.ts"
import type { App } from "#core/http/types.ts"
import type { Id } from "#core/ids.ts"
import type { SignedLinks } from "#core/objects/signed-links.ts"
import type { Fields } from "./form-fields.ts"
import { oidcKind } from "./oidc-kind.ts"
import type { IntegrationRow, IntegrationWrite } from "./queries.ts"
import { samlKind } from "./saml-kind.ts"
import type { IntegrationType } from "./schemas.ts"

/** What is sent for an integration, and where it is stored. */
export interface SentIntegration {
  app: App
  sql: Sql
  caller: Caller
  id: Id<"app-integration">
  fields: Fields
  files: Readonly<Record<string, FormFile | undefined>>
  /** Absent for a new one. */
  before: IntegrationRow | undefined
}

/** The columns that only some kinds of providers use. */
export type KindColumns = Omit<IntegrationWrite, "integrationType" | "name" | "emailDomains">

/** How a kind of sign-in provider is set up. How people sign in with it: `people/single-sign-on/sign-in-kinds.ts`. */
export interface ProviderKind {
  /** Shown on the sign-in page where the integration has no name of its own. */
  label(organizationName: string): string
  read(sent: SentIntegration): Promise<KindColumns>
  /** The keys of the response that only this kind has. */
  toWire(row: IntegrationRow, links: SignedLinks): object
  /** What the provider has to know, below the address of single sign-on. */
  addresses(base: string, row: IntegrationRow): { callbackUrl: string; entityId?: string }
}

/** Every kind by the `integrationType` of the wire. A new type needs an entry here and in `sign-in-kinds.ts`. */
export const providerKinds: Readonly<Record<IntegrationType, ProviderKind>> = {
  azure: samlKind,
  oidc: oidcKind,
}
