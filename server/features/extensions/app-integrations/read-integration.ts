import { X509Certificate } from "node:crypto"
import type { FastifyRequest } from "fastify"
import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { type FormFile, readForm } from "#core/http/read-form.ts"
import type { App } from "#core/http/types.ts"
import type { Id } from "#core/ids.ts"
import { expectFile } from "#core/objects/loose-files.ts"
import { datedKey } from "#core/objects/objects.ts"
import { seal } from "#core/security/sealing.ts"
import { integrationErrors } from "./errors.ts"
import { type IntegrationRow, type IntegrationWrite, secretPurpose, unprovenDomains } from "./queries.ts"
import { type IntegrationType, integrationTypes } from "./schemas.ts"
import { mask } from "./wire.ts"

const maxCertificateBytes = 100 * 1024
type Fields = Readonly<Record<string, unknown>>

/**
 * Reads a form or a JSON body into what is to be stored, the certificate's file included. Without `before` it
 * is a new integration; with it, what is not sent stays, as far as the wire lets it.
 */
export async function readIntegration(
  app: App,
  request: FastifyRequest & { caller: Caller; sql: Sql },
  id: Id<"app-integration">,
  before?: IntegrationRow,
): Promise<IntegrationWrite> {
  const { fields, files } = await readForm(request, maxCertificateBytes)
  const integrationType = readType(fields, before)
  const { caller, sql } = request
  const common = {
    integrationType,
    name: readText(fields.name, 100) ?? before?.name ?? null,
    emailDomains: await readDomains(sql, caller, fields.emailDomains, before),
  }
  const nothing = { authUrl: null, certificateKey: null, issuerUrl: null, clientId: null, clientSecret: null }
  if (integrationType === "azure") {
    const authUrl = readAddress(fields, "azureAuthUrl")
    const certificateKey = await storeCertificate(app, caller, fields, files.azureCert, before)
    return { ...nothing, ...common, trustEmail: false, authUrl, certificateKey }
  }
  const clientId = readText(fields.clientId, 500) ?? before?.clientId
  if (!clientId) throw missing("clientId")
  return {
    ...nothing,
    ...common,
    issuerUrl:
      before?.issuerUrl && isAbsent(fields.issuerUrl) ? before.issuerUrl : readAddress(fields, "issuerUrl"),
    clientId,
    clientSecret: await readSecret(app, sql, id, fields.clientSecret, before),
    trustEmail: isAbsent(fields.trustEmail) ? (before?.trustEmail ?? false) : isTrue(fields.trustEmail),
  }
}

function readType(fields: Fields, before: IntegrationRow | undefined): IntegrationType {
  const sent = isAbsent(fields.integrationType)
    ? (before?.integrationType ?? "azure")
    : fields.integrationType
  const type = integrationTypes.find((known) => known === sent)
  if (!type || (before && before.integrationType !== type)) throw integrationErrors.badType()
  return type
}

function readAddress(fields: Fields, field: "azureAuthUrl" | "issuerUrl"): string {
  const value = fields[field]
  if (isAbsent(value)) throw missing(field)
  if (
    typeof value !== "string" ||
    value.length > 2000 ||
    !URL.canParse(value) ||
    !/^https?:\/\//i.test(value)
  )
    throw integrationErrors.badUrl({ fields: { [field]: ["must start with https://"] } })
  return value
}

async function storeCertificate(
  app: App,
  caller: Caller,
  fields: Fields,
  file: FormFile | undefined,
  before: IntegrationRow | undefined,
): Promise<string> {
  if (file) {
    checkCertificate(file)
    const key = datedKey(caller.organizationId, app.clock.now(), file.filename)
    await expectFile(app.sql, key)
    await app.objects.put(key, file.content)
    return key
  }
  const kept = before?.certificateKey
  if (!kept) throw missing("azureCert")
  // The address of the stored certificate means: as it is.
  if (!isAbsent(fields.azureCert) && fields.azureCert !== app.links.plain(kept))
    throw integrationErrors.badCertificate()
  return kept
}

function checkCertificate({ content, isTruncated }: FormFile): void {
  try {
    if (isTruncated) throw new Error("is too long for a certificate")
    new X509Certificate(content)
  } catch (cause) {
    throw integrationErrors.badCertificate({ cause })
  }
}

async function readSecret(
  app: App,
  sql: Sql,
  id: string,
  sent: unknown,
  before: IntegrationRow | undefined,
): Promise<Buffer | null> {
  const secret = readText(sent, 2000)
  if (secret === undefined || secret === mask) return before?.clientSecret ?? null
  return seal({ sql, config: app.settings }, secretPurpose(id), secret)
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

function readText(value: unknown, maxLength: number): string | undefined {
  if (isAbsent(value)) return undefined
  const text = String(value).trim()
  if (text.length > maxLength) throw integrationErrors.required({ message: "A text is too long" })
  return text
}

const isAbsent = (value: unknown) => value === undefined || value === null || value === ""
const isTrue = (value: unknown) => value === true || value === "true" || value === "1"

function missing(field: string) {
  return integrationErrors.required({ message: `${field} is required`, fields: { [field]: ["is required"] } })
}
