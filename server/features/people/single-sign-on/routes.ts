import { randomBytes, timingSafeEqual } from "node:crypto"
import type { FastifyReply, FastifyRequest } from "fastify"
import { Type } from "typebox"
import { setSessionCookie } from "#core/access/session-cookie.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import {
  addressesOf,
  findProvider,
  type IntegrationRow,
  labelOf,
  listProviders,
} from "../app-integrations/index.ts"
import type { PersonHooks } from "../users/index.ts"
import { acceptSamlResponse } from "./accept-saml-response.ts"
import { type Entered, enter } from "./enter.ts"
import { maxResponseBytes } from "./peek-response.ts"
import { provision, type Vouched } from "./provision.ts"
import { SignInRefused } from "./refusal.ts"
import {
  hashOf,
  keepRequest,
  minutesToRespond,
  readReturn,
  type SignInRequest,
  takeRequest,
  takeTicket,
} from "./requests.ts"
import { metadataOf } from "./saml.ts"
import { signInKinds } from "./sign-in-kinds.ts"

const toBrowser = { public: true, produces: "other" } as const
const Redirect = {
  302: Type.Null({ description: "Redirect to the provider or to the console" }),
  303: Type.Null({ description: "Redirect to where this browser continues" }),
}
const cookiePath = "/api/v3/auth/sso"
/** Limits the redirects to a directory whose responses never name our request. */
const maxLaunches = 10

/** Sign-in with a company directory (SAML 2.0) or a provider of OpenID Connect. All of it is a browser's way. */
export function singleSignOnRoutes(app: App, hooks: PersonHooks): void {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: maxResponseBytes },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  const { publicUrl } = app.settings

  app.get("/auth/sso", {
    config: { public: true },
    schema: {
      operationId: "listSignInProviders",
      summary: "List the sign-in providers of an organization or an e-mail domain",
      querystring: Type.Object({
        email: Type.Optional(Type.String({ maxLength: 254, description: "Only the domain is used" })),
        organizationId: Type.Optional(IdSchema("organization")),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Array(
            Type.Object({
              _id: IdSchema("app-integration"),
              integrationType: Type.String(),
              name: Type.String(),
              organizationName: Type.String(),
              signInUrl: Type.String(),
            }),
          ),
        }),
      },
    },
    async handler({ sql, query }) {
      const domain = query.email?.split("@")[1]?.trim().toLowerCase()
      const options = query.organizationId
        ? { organizationId: query.organizationId }
        : { domain: domain ?? "" }
      const providers = "domain" in options && options.domain === "" ? [] : await listProviders(sql, options)
      const data = providers.map((provider) => ({
        _id: provider.id,
        integrationType: provider.integrationType,
        name: labelOf(provider, provider.organizationName),
        organizationName: provider.organizationName,
        signInUrl: addressesOf(publicUrl, provider).signInUrl,
      }))
      return { status: true as const, data }
    },
  })

  app.get("/auth/sso/metadata", {
    config: toBrowser,
    schema: {
      operationId: "getSamlMetadata",
      summary: "Get the SAML metadata of this service for setting up a directory",
      response: { 200: Type.String({ description: "XML" }) },
    },
    async handler(_request, reply) {
      reply.type("application/samlmetadata+xml; charset=utf-8")
      return metadataOf(publicUrl)
    },
  })

  app.get("/auth/sso/:appIntegrationId/start", {
    config: toBrowser,
    schema: {
      operationId: "startSingleSignOn",
      summary: "Redirect the browser to the provider",
      params: Type.Object({ appIntegrationId: IdSchema("app-integration") }),
      querystring: Type.Object({
        next: Type.Optional(
          Type.String({ maxLength: 2000, description: "Path of the console to open afterwards" }),
        ),
      }),
      response: Redirect,
    },
    handler: async (request, reply) =>
      orRefused(request, reply, async () => {
        const integration = await findProvider(request.sql, request.params.appIntegrationId)
        if (!integration) throw new SignInRefused("unreachable", "this provider is no longer connected")
        const { id: appIntegrationId, organizationId } = integration
        const waiting = { appIntegrationId, organizationId, returnTo: readReturn(request.query.next) }
        const browser = randomBytes(32).toString("base64url")
        const { requestId, url } = await signInKinds[integration.integrationType].start(
          app,
          integration,
          browser,
        )
        await keepRequest(request.sql, { ...waiting, id: requestId, browserHash: hashOf(browser) })
        reply.setCookie(cookieOf(requestId), browser, { ...cookie(request), maxAge: minutesToRespond * 60 })
        return reply.redirect(url, 302)
      }),
  })

  app.get("/auth/sso/:organizationId/callback", {
    config: toBrowser,
    schema: {
      operationId: "finishOpenIdSignIn",
      summary: "Callback of providers that return a code, such as those of OpenID Connect",
      params: Type.Object({ organizationId: IdSchema("organization") }),
      querystring: Type.Object({
        state: Type.Optional(Type.String({ maxLength: 200 })),
        code: Type.Optional(Type.String({ maxLength: 4000 })),
        error: Type.Optional(Type.String({ maxLength: 200 })),
      }),
      response: Redirect,
    },
    handler: async (request, reply) =>
      orRefused(request, reply, async () => {
        const { params, query, sql } = request
        const waiting = query.state === undefined ? undefined : await takeRequest(sql, query.state)
        if (!waiting || waiting.organizationId !== params.organizationId) throw new SignInRefused("expired")
        const browser = browserOf(request, waiting)
        reply.clearCookie(cookieOf(waiting.id), cookie(request))
        if (browser === undefined) throw otherBrowser()
        const integration = await findProvider(sql, waiting.appIntegrationId)
        if (!integration) throw new SignInRefused("unreachable", "this provider is no longer connected")
        const outside = { sql: app.sql, config: app.settings }
        const search = new URL(request.originalUrl, publicUrl).search
        const { readCallback } = signInKinds[integration.integrationType]
        if (!readCallback) throw new SignInRefused("failed", "this provider responds at another address")
        const vouched = await readCallback(outside, integration, { id: waiting.id, browser }, search)
        const entered = await inTransaction(app.sql, (tx) => welcome(tx, integration, vouched, request.ip))
        return goOn(request, reply, entered, waiting.returnTo)
      }),
  })

  app.post("/auth/sso", {
    config: { body: "saml", ...toBrowser, idempotent: false },
    schema: {
      operationId: "finishSamlSignIn",
      summary:
        "Assertion consumer service of SAML directories; an unsolicited assertion starts a sign-in there",
      consumes: ["application/x-www-form-urlencoded"],
      body: Type.Object({
        SAMLResponse: Type.String({ minLength: 1, maxLength: maxResponseBytes }),
        RelayState: Type.Optional(Type.String({ maxLength: 2000 })),
      }),
      response: Redirect,
    },
    handler: async (request, reply) =>
      orRefused(request, reply, async () => {
        const outside = { sql: app.sql, objects: app.objects, publicUrl, log: request.log }
        const { SAMLResponse, RelayState } = request.body
        const answered = await acceptSamlResponse(outside, SAMLResponse, RelayState)
        if ("ticket" in answered) return reply.redirect(`${cookiePath}/finish?ticket=${answered.ticket}`, 303)
        if (!(await app.limiter.take(`launch:${request.ip}`, maxLaunches, 60)))
          throw new SignInRefused("failed", "the response does not name the request")
        return reply.redirect(addressesOf(publicUrl, answered.begin).signInUrl, 303)
      }),
  })

  app.get("/auth/sso/finish", {
    config: toBrowser,
    schema: {
      operationId: "fetchSamlSignIn",
      summary: "Finish a SAML sign-in in the browser that started it",
      querystring: Type.Object({ ticket: Type.String({ minLength: 1, maxLength: 100 }) }),
      response: Redirect,
    },
    handler: async (request, reply) =>
      orRefused(request, reply, async () => {
        // The ticket is spent together with the entry: after a failure the browser can fetch it again.
        const { entered, waiting } = await inTransaction(app.sql, async (tx) => {
          const waiting = await takeTicket(tx, request.query.ticket)
          if (!waiting) throw new SignInRefused("expired")
          // Another browser spends the ticket.
          if (browserOf(request, waiting) === undefined) return { waiting, entered: undefined }
          const integration = await findProvider(tx, waiting.appIntegrationId)
          if (!integration) throw new SignInRefused("unreachable", "this provider is no longer connected")
          return { waiting, entered: await welcome(tx, integration, waiting.vouched, request.ip) }
        })
        reply.clearCookie(cookieOf(waiting.id), cookie(request))
        if (!entered) throw otherBrowser()
        return goOn(request, reply, entered, waiting.returnTo)
      }),
  })

  async function welcome(tx: Tx, integration: IntegrationRow, vouched: Vouched, address: string) {
    await provision(tx, integration, vouched, { address, live: app.live, publicUrl, hooks })
    return enter(tx, app.settings, integration, vouched.email, address)
  }

  /**
   * The cookie of the browser that began, if this is it. Without it, a link with somebody else's code or ticket, opened here,
   * would sign people in as them.
   */
  function browserOf(request: FastifyRequest, waiting: SignInRequest): string | undefined {
    const browser = request.cookies[cookieOf(waiting.id)] ?? ""
    const isIt = waiting.browserHash !== null && timingSafeEqual(hashOf(browser), waiting.browserHash)
    return isIt ? browser : undefined
  }

  /**
   * Binds a sign-in to the browser that began it. The way back is a link in both protocols, so Lax lets the cookie
   * come. A directory's post is none: it is answered with a redirect to such a link. A cookie with SameSite=None
   * would come with the post itself, but browsers keep it over TLS only.
   */
  function cookie(request: FastifyRequest) {
    const secure = request.protocol === "https" || publicUrl.startsWith("https:")
    return { httpOnly: true, sameSite: "lax", path: cookiePath, secure } as const
  }

  function goOn(request: FastifyRequest, reply: FastifyReply, entered: Entered, returnTo: string) {
    if ("refused" in entered) throw new SignInRefused(entered.refused)
    if ("challengeId" in entered)
      return toSignIn(reply, {
        challenge: entered.challengeId,
        ...(returnTo === "/" ? {} : { next: returnTo }),
      })
    setSessionCookie(request, reply, app.settings, entered.session)
    return reply.redirect(returnTo, 302)
  }
}

const otherBrowser = () => new SignInRefused("failed", "another browser began this sign-in")

const cookieOf = (state: string) => `fieldway_sso_${hashOf(state).toString("hex").slice(0, 12)}`

function toSignIn(reply: FastifyReply, search: Record<string, string>) {
  return reply.redirect(`/sign-in?${new URLSearchParams(search)}`, 302)
}

/** A browser is on its way: a refusal is a page that says what to do, not an envelope. */
async function orRefused(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  // Neither the way there nor back is to be kept by anybody.
  reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer")
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error
    request.log.warn({ reason: error.reason, detail: error.message }, "single sign-on refused")
    return toSignIn(reply, { sso: error.reason })
  }
}
