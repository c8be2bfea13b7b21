import * as client from "openid-client"
import type { Config } from "#core/config.ts"
import type { Pool } from "#core/database/database.ts"
import { parseAllowList } from "#core/outbound/outbound-targets.ts"
import { ownedState } from "#core/owned-state.ts"
import { unseal } from "#core/security/sealing.ts"
import { addressesOf, type IntegrationRow, secretPurpose } from "../app-integrations/index.ts"
import { guardedFetch } from "./guarded-fetch.ts"
import { readGroups } from "./places-of-groups.ts"
import type { Vouched } from "./provision.ts"
import { SignInRefused } from "./refusal.ts"
import { derive, type SignInRequest } from "./requests.ts"
import { isEmail } from "./saml.ts"

export interface Outside {
  sql: Pool
  config: Config
}

/** Seconds that the provider's clock may differ. */
const clockToleranceSeconds = 60
const cacheMilliseconds = 10 * 60_000
const cacheOf = ownedState(
  (_config: Config) => new Map<string, { configuration: client.Configuration; until: number }>(),
)

/** The provider's addresses and keys, as it describes itself; asked for at most every ten minutes. */
async function configurationOf(
  { sql, config }: Outside,
  integration: IntegrationRow,
): Promise<client.Configuration> {
  const key = `${integration.id}:${integration.updatedTime.epochNanoseconds}`
  const cached = cacheOf(config)
  const known = cached.get(key)
  if (known && known.until > Date.now()) return known.configuration
  const secret =
    integration.clientSecret &&
    (await unseal({ sql, config }, secretPurpose(integration.id), integration.clientSecret))
  const configuration = await discover(integration, secret, config)
  if (cached.size > 1000) cached.clear()
  cached.set(key, { configuration, until: Date.now() + cacheMilliseconds })
  return configuration
}

async function discover(
  { issuerUrl, clientId }: IntegrationRow,
  secret: string | null,
  { webhookAllow }: Config,
): Promise<client.Configuration> {
  const issuer = new URL(issuerUrl ?? "")
  const metadata = { [client.clockTolerance]: clockToleranceSeconds }
  const options: client.DiscoveryRequestOptions = {
    [client.customFetch]: guardedFetch(webhookAllow),
    execute: isPlainAllowed(issuer, webhookAllow) ? [client.allowInsecureRequests] : [],
    timeout: 10,
  }
  const found = await client.discovery(issuer, clientId ?? "", metadata, client.None(), options)
  const server = found.serverMetadata()
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
  const authentication = !secret
    ? client.None()
    : methods.includes("client_secret_basic")
      ? client.ClientSecretBasic(secret)
      : client.ClientSecretPost(secret)
  const configuration = new client.Configuration(server, clientId ?? "", metadata, authentication)
  configuration[client.customFetch] = guardedFetch(webhookAllow)
  if (isPlainAllowed(issuer, webhookAllow)) client.allowInsecureRequests(configuration)
  return configuration
}

/** Without TLS only to a target that the operator listed. */
function isPlainAllowed({ protocol, hostname, port }: URL, allow: readonly string[]): boolean {
  const list = parseAllowList(allow)
  return protocol === "http:" && (list.hasHost(hostname, port || "80") || list.hasAddress(hostname))
}

/** Where the browser goes, and the state that it comes back with. PKCE verifier and nonce follow from its cookie. */
export async function startOidc(
  outside: Outside,
  integration: IntegrationRow,
  browser: string,
): Promise<{ requestId: string; url: string }> {
  try {
    const configuration = await configurationOf(outside, integration)
    const requestId = client.randomState()
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: addressesOf(outside.config.publicUrl, integration).callbackUrl,
      scope: ["openid email profile", integration.provisioning?.scope].filter(Boolean).join(" "),
      response_type: "code",
      code_challenge: await client.calculatePKCECodeChallenge(derive(browser, "pkce")),
      code_challenge_method: "S256",
      state: requestId,
      nonce: derive(browser, "nonce"),
    })
    return { requestId, url: url.href }
  } catch (cause) {
    throw new SignInRefused("unreachable", messageOf(cause), cause)
  }
}

/** Exchanges the code and reads whom the provider vouches for. `query` is the callback's, as it came. */
export async function readCallback(
  outside: Outside,
  integration: IntegrationRow,
  { id, browser }: Pick<SignInRequest, "id"> & { browser: string },
  query: string,
): Promise<Vouched> {
  const configuration = await configurationOf(outside, integration).catch((cause: unknown) => {
    throw new SignInRefused("unreachable", messageOf(cause), cause)
  })
  try {
    const address = new URL(addressesOf(outside.config.publicUrl, integration).callbackUrl)
    address.search = query
    const tokens = await client.authorizationCodeGrant(configuration, address, {
      expectedState: id,
      expectedNonce: derive(browser, "nonce"),
      pkceCodeVerifier: derive(browser, "pkce"),
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new SignInRefused("failed", "no identity in the response")
    const { trustEmail, provisioning } = integration
    const known = emailOf(claims, trustEmail)
    const needed = provisioning ? ["name", provisioning.groupClaim ?? "name"] : []
    const lacks = !known || !needed.every((claim) => Object.hasOwn(claims, claim))
    const more: client.UserInfoResponse | Record<string, never> =
      lacks && configuration.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {}
    const email = known ?? emailOf(more, trustEmail)
    if (!email) throw new SignInRefused("failed", "the provider does not vouch for an e-mail address")
    const name = [claims.name, more.name].find((each) => typeof each === "string" && each.trim() !== "")
    const groups = readGroups(provisioning, claims, more)
    return { email, groups, ...(name === undefined ? {} : { name: String(name).trim() }) }
  } catch (cause) {
    if (cause instanceof SignInRefused) throw cause
    throw new SignInRefused("failed", messageOf(cause), cause)
  }
}

/** Some providers let people type in any address: it counts when it is called verified. */
function emailOf(claims: Readonly<Record<string, unknown>>, isTrusted: boolean): string | undefined {
  const { email, email_verified: verified, preferred_username: username } = claims
  const isVerified = verified === true || verified === "true"
  const isDenied = verified === false || verified === "false"
  if (typeof email === "string" && isEmail(email) && (isVerified || (isTrusted && !isDenied))) return email
  return isTrusted && !isDenied && typeof username === "string" && isEmail(username) ? username : undefined
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
