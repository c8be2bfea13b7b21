import { seal } from "#core/security/sealing.ts"
import { isAbsent, isTrue, missing, readAddress, readText } from "./form-fields.ts"
import type { ProviderKind, SentIntegration } from "./provider-kinds.ts"
import { secretPurpose } from "./queries.ts"

/** Stands for a secret that is stored. */
const mask = "********"

/** Any provider of OpenID Connect, found by its issuer. */
export const oidcKind: ProviderKind = {
  label: (organizationName) => organizationName,
  async read(sent) {
    const { fields, before } = sent
    const clientId = readText(fields.clientId, 500) ?? before?.clientId
    if (!clientId) throw missing("clientId")
    const keepsIssuer = before?.issuerUrl && isAbsent(fields.issuerUrl)
    return {
      authUrl: null,
      certificateKey: null,
      issuerUrl: keepsIssuer ? before.issuerUrl : readAddress(fields, "issuerUrl"),
      clientId,
      clientSecret: await readSecret(sent),
      trustEmail: isAbsent(fields.trustEmail) ? (before?.trustEmail ?? false) : isTrue(fields.trustEmail),
    }
  },
  toWire: (row) => ({
    issuerUrl: row.issuerUrl ?? "",
    clientId: row.clientId ?? "",
    ...(row.clientSecret ? { clientSecret: mask } : {}),
    trustEmail: row.trustEmail,
  }),
  addresses: (base, { organizationId }) => ({ callbackUrl: `${base}/${organizationId}/callback` }),
}

async function readSecret({ app, sql, id, fields, before }: SentIntegration): Promise<Buffer | null> {
  const secret = readText(fields.clientSecret, 2000)
  if (secret === undefined || secret === mask) return before?.clientSecret ?? null
  return seal({ sql, config: app.settings }, secretPurpose(id), secret)
}
