import { randomBytes, X509Certificate } from "node:crypto"
import { buffer } from "node:stream/consumers"
import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from "@node-saml/node-saml"
import type { Objects } from "#core/objects/objects.ts"
import type { IntegrationRow } from "../app-integrations/index.ts"
import { readGroups } from "./places-of-groups.ts"
import type { Vouched } from "./provision.ts"
import { SignInRefused } from "./refusal.ts"

/** What a directory vouches for, after its signature and all conditions were checked. */
export interface Asserted {
  vouched: Vouched
  assertionId: string
  /** The request that it responds to; undefined when the sign-in began at the directory. */
  inResponseTo: string | undefined
}

/** Clocks of two companies differ; a directory's assertion is used within seconds, so ten minutes are plenty. */
const clockSkewMilliseconds = 3 * 60_000
const maxAgeMilliseconds = 10 * 60_000

interface Places {
  /** Where responses are sent, and the identifier of this service: what an assertion must be meant for. */
  callbackUrl: string
  entityId: string
}

export function placesOf(publicUrl: string): Places {
  const callbackUrl = `${publicUrl}/api/v3/auth/sso`
  return { callbackUrl, entityId: `${callbackUrl}/metadata` }
}

export function metadataOf(publicUrl: string): string {
  const { callbackUrl, entityId } = placesOf(publicUrl)
  return generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl,
    wantAssertionsSigned: true,
    identifierFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
  })
}

async function clientOf(
  integration: IntegrationRow,
  { objects, publicUrl }: { objects: Objects; publicUrl: string },
  requestId = "",
): Promise<SAML> {
  const stored = integration.certificateKey && (await objects.open(integration.certificateKey))
  if (!stored) throw new SignInRefused("unreachable", "the certificate of the directory is not stored")
  const certificate = new X509Certificate(await buffer(stored.stream))
  const { callbackUrl, entityId } = placesOf(publicUrl)
  return new SAML({
    idpCert: certificate.toString(),
    entryPoint: integration.authUrl ?? "",
    issuer: entityId,
    callbackUrl,
    audience: entityId,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: true,
    // Directories sign the assertion or the whole response; the assertion's own signature is what counts.
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: clockSkewMilliseconds,
    maxAssertionAgeMs: maxAgeMilliseconds,
    // Requests are kept in the database and compared with the signed part below.
    validateInResponseTo: ValidateInResponseTo.never,
    generateUniqueId: () => requestId,
  })
}

/** The id of a request, and where the browser takes it. */
export async function startSaml(
  integration: IntegrationRow,
  outside: { objects: Objects; publicUrl: string },
): Promise<{ requestId: string; url: string }> {
  // An XML id starts with a letter or an underscore.
  const requestId = `_${randomBytes(20).toString("hex")}`
  const client = await clientOf(integration, outside, requestId)
  return { requestId, url: await client.getAuthorizeUrlAsync(requestId, undefined, {}) }
}

/** Whether a relay state is one of ours; launchers send pages to go to there. */
export function isRequestId(relayState: string): boolean {
  return /^_[0-9a-f]{40}$/.test(relayState)
}

interface Confirmation {
  $?: { Method?: string }
  SubjectConfirmationData?: { $?: Record<string, string> }[]
}
interface AssertionXml {
  $?: { ID?: string }
  Subject?: { SubjectConfirmation?: Confirmation[] }[]
  Conditions?: { $?: Record<string, string>; AudienceRestriction?: unknown[] }[]
}

/**
 * Reads a response with the certificate of one directory. The library checks the signature, the conditions'
 * times and the audience; what it leaves open is checked here on the signed part: that the assertion is for
 * this address, has an end, and which request it responds to.
 */
export async function readResponse(
  samlResponse: string,
  integration: IntegrationRow,
  outside: { objects: Objects; publicUrl: string },
): Promise<Asserted> {
  const client = await clientOf(integration, outside)
  const { profile } = await client.validatePostResponseAsync({ SAMLResponse: samlResponse })
  if (!profile) throw new SignInRefused("failed", "no assertion")
  const { Assertion: assertion } = (profile.getAssertion?.() ?? {}) as { Assertion?: AssertionXml }
  const assertionId = assertion?.$?.ID
  const conditions = assertion?.Conditions?.[0]
  if (!assertionId || !conditions?.$?.NotOnOrAfter || !conditions.AudienceRestriction)
    throw new SignInRefused("failed", "the assertion has no id, no end or no audience")
  const confirmation = assertion?.Subject?.[0]?.SubjectConfirmation?.find(({ $, SubjectConfirmationData }) =>
    isForUs($?.Method, SubjectConfirmationData?.[0]?.$, placesOf(outside.publicUrl).callbackUrl),
  )
  if (!confirmation) throw new SignInRefused("failed", "the assertion is not for this address, or is over")
  const email = emailOf(profile)
  if (!email) throw new SignInRefused("failed", "the assertion carries no e-mail address")
  // Some directories send an empty one when nobody asked.
  const inResponseTo = confirmation.SubjectConfirmationData?.[0]?.$?.InResponseTo || undefined
  const attributes = (profile.attributes ?? {}) as Readonly<Record<string, unknown>>
  const groups = readGroups(integration.provisioning, attributes)
  return { vouched: { email, name: nameOf(attributes), groups }, assertionId, inResponseTo }
}

function isForUs(
  method: string | undefined,
  limits: Record<string, string> | undefined,
  callbackUrl: string,
): boolean {
  const end = Date.parse(limits?.NotOnOrAfter ?? "")
  return (
    method === "urn:oasis:names:tc:SAML:2.0:cm:bearer" &&
    limits?.Recipient === callbackUrl &&
    end > Date.now() - clockSkewMilliseconds
  )
}

/** Names under which directories send the address, in order of preference. */
const emailClaims = [
  "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
  "email",
  "mail",
  "urn:oid:0.9.2342.19200300.100.1.3",
  "nameID",
  "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name",
] as const

const claims = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims"

/** The displayed name, else that in two parts. */
function nameOf(attributes: Readonly<Record<string, unknown>>): string | undefined {
  const read = (...names: string[]) =>
    names.map((name) => attributes[name]).find((value) => typeof value === "string" && value.trim() !== "")
  const parts = [read(`${claims}/givenname`, "givenName"), read(`${claims}/surname`, "sn", "surname")]
  const displayed = read("http://schemas.microsoft.com/identity/claims/displayname", "displayName")
  return String(displayed ?? parts.filter(Boolean).join(" ")).trim() || undefined
}

function emailOf(profile: Readonly<Record<string, unknown>>): string | undefined {
  const values = emailClaims.map((name) => profile[name])
  return values.find((value): value is string => typeof value === "string" && isEmail(value))
}

export function isEmail(text: string): boolean {
  const domain = text.slice(text.indexOf("@") + 1)
  return text.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+$/.test(text) && domain.slice(1, -1).includes(".")
}
