import type { SignedLinks } from "#core/objects/signed-links.ts"
import { toT2 } from "#shared/wire-time.ts"
import { providerKinds } from "./provider-kinds.ts"
import type { IntegrationRow } from "./queries.ts"

/** The addresses of this service that a provider has to know, and where a sign-in starts. */
export function addressesOf(publicUrl: string, row: IntegrationRow) {
  const base = `${publicUrl}/api/v3/auth/sso`
  return { ...providerKinds[row.integrationType].addresses(base, row), signInUrl: `${base}/${row.id}/start` }
}

/** The name of a connection: its own, or that of its kind. */
export function labelOf({ name, integrationType }: IntegrationRow, organizationName: string): string {
  return name ?? providerKinds[integrationType].label(organizationName)
}

export function toWireIntegration(row: IntegrationRow, links: SignedLinks, publicUrl: string) {
  return {
    _id: row.id,
    integrationType: row.integrationType,
    name: row.name,
    emailDomains: row.emailDomains,
    ...providerKinds[row.integrationType].toWire(row, links),
    ...addressesOf(publicUrl, row),
    provisioning: row.provisioning,
    organizationId: row.organizationId,
    createdTime: toT2(row.createdTime),
    updatedTime: toT2(row.updatedTime),
  }
}
