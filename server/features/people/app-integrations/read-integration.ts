import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { Form } from "#core/http/read-form.ts"
import type { App } from "#core/http/types.ts"
import type { Id } from "#core/ids.ts"
import { integrationErrors } from "./errors.ts"
import { type Fields, isAbsent, readText } from "./form-fields.ts"
import { providerKinds } from "./provider-kinds.ts"
import { type IntegrationRow, type IntegrationWrite, unprovenDomains } from "./queries.ts"
import { type IntegrationType, integrationTypes } from "./schemas.ts"

export const maxCertificateBytes = 100 * 1024

/**
 * Turns a form or a JSON body into what is to be stored, the certificate's file included. Without `before` it
 * is a new integration; with it, what is not sent stays, as far as the wire lets it.
 */
export async function readIntegration(
  app: App,
  { caller, sql }: { caller: Caller; sql: Sql },
  { fields, files }: Form,
  id: Id<"app-integration">,
  before?: IntegrationRow,
): Promise<IntegrationWrite> {
  const integrationType = readType(fields, before)
  const common = {
    integrationType,
    name: readText(fields.name, 100) ?? before?.name ?? null,
    emailDomains: await readDomains(sql, caller, fields.emailDomains, before),
  }
  const ofKind = await providerKinds[integrationType].read({ app, sql, caller, id, fields, files, before })
  return { ...ofKind, ...common }
}

function readType(fields: Fields, before: IntegrationRow | undefined): IntegrationType {
  const sent = isAbsent(fields.integrationType)
    ? (before?.integrationType ?? "azure")
    : fields.integrationType
  const type = integrationTypes.find((known) => known === sent)
  if (!type || (before && before.integrationType !== type)) {
    const allowed = before ? before.integrationType : integrationTypes.join(" or ")
    throw integrationErrors.badType({ fields: { integrationType: [`must be ${allowed}`] } })
  }
  return type
}

async function readDomains(
  sql: Sql,
  caller: Caller,
  sent: unknown,
  before: IntegrationRow | undefined,
): Promise<string[]> {
  if (sent === undefined || sent === null) return before?.emailDomains ?? []
  const parts = Array.isArray(sent) ? sent : String(sent).split(",")
  const domains = [...new Set(parts.map((part) => String(part).trim().toLowerCase()).filter(Boolean))]
  const isGood = domains.length <= 50 && domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
  if (!isGood) throw integrationErrors.badDomain()
  // Or anybody could show their button to the people of any domain.
  const unproven = await unprovenDomains(sql, caller, domains)
  if (unproven.length > 0)
    throw integrationErrors.badDomain({
      fields: { emailDomains: [`${unproven[0]} has no active member with a confirmed e-mail address`] },
    })
  return domains
}
