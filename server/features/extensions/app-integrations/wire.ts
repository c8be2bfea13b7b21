import type { SignedLinks } from "#core/objects/signed-links.ts"
import { toT2 } from "#shared/wire-time.ts"
import type { IntegrationRow } from "./queries.ts"

/** Stands for a secret that is stored. */
export const mask = "********"

/** The addresses of this service that a provider has to know, and where a sign-in starts. */
export function addressesOf(publicUrl: string, { id, organizationId, integrationType }: IntegrationRow) {
  const base = `${publicUrl}/api/v3/auth/sso`
  const signInUrl = `${base}/${id}/start`
  return integrationType === "azure"
    ? { callbackUrl: base, entityId: `${base}/metadata`, signInUrl }
    : { callbackUrl: `${base}/${organizationId}/callback`, signInUrl }
}

export function toWireIntegration(row: IntegrationRow, links: SignedLinks, publicUrl: string) {
  const ofKind =
    row.integrationType === "azure"
      ? {
          azureAuthUrl: row.authUrl ?? "",
          azureCert: row.certificateKey === null ? "" : links.plain(row.certificateKey),
        }
      : {
          issuerUrl: row.issuerUrl ?? "",
          clientId: row.clientId ?? "",
          ...(row.clientSecret ? { clientSecret: mask } : {}),
          trustEmail: row.trustEmail,
        }
  return {
    _id: row.id,
    integrationType: row.integrationType,
    name: row.name,
    emailDomains: row.emailDomains,
    ...ofKind,
    ...addressesOf(publicUrl, row),
    organizationId: row.organizationId,
    createdTime: toT2(row.createdTime),
    updatedTime: toT2(row.updatedTime),
  }
}
