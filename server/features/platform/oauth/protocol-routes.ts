import type { FastifyReply, FastifyRequest } from "fastify"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { permissionNames } from "#core/permissions.ts"
import { RequestRefusal, readRequest } from "./authorize.ts"
import { type Client, findClient, isRedirectUri, isSecretOf, registerClient } from "./clients.ts"
import { refusalPage, refusalPolicy } from "./refusal-page.ts"
import { exchange, type Form, revoke } from "./token-endpoint.ts"

const maxBodyBytes = 32 * 1024
const callsPerMinute = { token: 300, register: 10 }
const consentPage = "/authorize"

/** What OAuth clients call, at the addresses of its standards and with its errors instead of the API's. */
export function protocolRoutes(app: App): void {
  const { publicUrl, isClientRegistrationOpen } = app.settings
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: maxBodyBytes },
    (_request, body, done) => done(null, readForm(String(body))),
  )
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({ "cache-control": "no-store", "access-control-allow-origin": "*" })
  })
  const hide = { schema: { hide: true }, bodyLimit: maxBodyBytes } as const

  const serverMetadata = {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth/authorize`,
    token_endpoint: `${publicUrl}/oauth/token`,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    ...(isClientRegistrationOpen && { registration_endpoint: `${publicUrl}/oauth/register` }),
    scopes_supported: permissionNames,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${publicUrl}/docs`,
  }
  app.get("/.well-known/oauth-authorization-server", { ...hide, handler: async () => serverMetadata })

  // The resource is the address after the well-known part: the API, or the MCP server.
  for (const path of ["", "/mcp", "/api/v3"])
    app.get(`/.well-known/oauth-protected-resource${path}`, {
      ...hide,
      handler: async () => ({
        resource: `${publicUrl}${path}`,
        authorization_servers: [publicUrl],
        scopes_supported: permissionNames,
        bearer_methods_supported: ["header"],
        resource_name: "Fieldway",
      }),
    })

  app.get("/oauth/authorize", {
    ...hide,
    async handler(request, reply) {
      reply.headers({ "referrer-policy": "no-referrer", ...refusalPolicy })
      try {
        await readRequest(app.sql, publicUrl, onlyTexts(request.query))
      } catch (error) {
        if (error instanceof RequestRefusal) return reply.redirect(error.location, 302)
        if (!(error instanceof AppError) || error.http >= 500) throw error
        return reply.code(error.http).type("text/html; charset=utf-8").send(refusalPage(error.message))
      }
      // One parameter: the console's router reads numbers into the others.
      const { search } = new URL(request.originalUrl, publicUrl)
      return reply.redirect(`${consentPage}?request=${Buffer.from(search).toString("base64url")}`, 302)
    },
  })

  app.post("/oauth/token", {
    ...hide,
    async handler(request, reply) {
      const client = await authenticateClient(app, request, reply)
      if (!client) return reply
      const outcome = await exchange(app.sql, client, request.body as Form, request.ip)
      if ("error" in outcome) reply.code(400)
      return outcome
    },
  })

  app.post("/oauth/revoke", {
    ...hide,
    async handler(request, reply) {
      const client = await authenticateClient(app, request, reply)
      if (!client) return reply
      const { token } = request.body as Form
      if (token === undefined) {
        reply.code(400)
        return { error: "invalid_request", error_description: "token is missing" }
      }
      await revoke(app.sql, client, token)
      return reply.code(200).send("")
    },
  })

  app.post("/oauth/register", {
    ...hide,
    async handler(request, reply) {
      if (!isClientRegistrationOpen) return refuse(reply, 403, "access_denied", "Registration is closed")
      if (!(await hasRoom(app, request, "register"))) return tooMany(reply)
      return register(app, request, reply)
    },
  })
}

async function register(app: App, request: FastifyRequest, reply: FastifyReply) {
  const body = (request.body ?? {}) as Record<string, unknown>
  const uris = body.redirect_uris
  const isList = Array.isArray(uris) && uris.length > 0 && uris.length <= 10
  if (!isList || !uris.every((uri) => typeof uri === "string" && isRedirectUri(uri)))
    return refuse(reply, 400, "invalid_redirect_uri", "redirect_uris must be 1 to 10 redirect URIs")
  if ((body.token_endpoint_auth_method ?? "none") !== "none")
    return refuse(reply, 400, "invalid_client_metadata", "Only public clients register: use auth method none")
  const given = typeof body.client_name === "string" ? body.client_name : "An application"
  // Characters that could make a name look like another one are not shown to people.
  const name =
    given
      .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
      .trim()
      .slice(0, 100) || "An application"
  const redirectUris = uris as string[]
  const { clientId } = await registerClient(app.sql, { name, redirectUris, address: request.ip })
  reply.code(201)
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(Date.now() / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  }
}

/** The client of a request to the token or revocation endpoint. Undefined: the refusal is sent. */
async function authenticateClient(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Client | undefined> {
  if (!(await hasRoom(app, request, "token"))) {
    tooMany(reply)
    return undefined
  }
  const form = request.body
  if (
    typeof form !== "object" ||
    form === null ||
    !/urlencoded/.test(request.headers["content-type"] ?? "")
  ) {
    refuse(reply, 400, "invalid_request", "Send application/x-www-form-urlencoded, each parameter once")
    return undefined
  }
  const { id, secret } = credentialsOf(request, form as Form)
  const client = id === undefined ? undefined : await findClient(app.sql, id)
  if (client && isSecretOf(client, secret)) return client
  reply.header("www-authenticate", 'Basic realm="oauth"')
  refuse(reply, 401, "invalid_client", "The client is unknown or its secret is wrong")
  return undefined
}

function credentialsOf({ headers }: FastifyRequest, form: Form) {
  const basic = /^Basic +([\w+/=-]+)$/i.exec(headers.authorization ?? "")?.[1]
  if (basic === undefined) return { id: form.client_id, secret: form.client_secret }
  const text = Buffer.from(basic, "base64").toString()
  const colon = text.indexOf(":")
  const decode = (part: string) => {
    try {
      return decodeURIComponent(part.replaceAll("+", " "))
    } catch {
      return ""
    }
  }
  return { id: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)) }
}

/** A form whose parameters are there once, as RFC 6749 demands; null otherwise. */
function readForm(body: string): Record<string, string> | null {
  const form: Record<string, string> = Object.create(null) as Record<string, string>
  for (const [name, value] of new URLSearchParams(body)) {
    if (name in form) return null
    if (value !== "") form[name] = value
  }
  return form
}

const onlyTexts = (query: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((query ?? {}) as Record<string, unknown>).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  )

async function hasRoom(
  app: App,
  request: FastifyRequest,
  kind: keyof typeof callsPerMinute,
): Promise<boolean> {
  if (app.settings.rateLimit === 0) return true
  return app.limiter.take(`oauth-${kind}:${request.ip}`, callsPerMinute[kind], 60)
}

function tooMany(reply: FastifyReply): FastifyReply {
  reply.header("retry-after", "60")
  return refuse(reply, 429, "slow_down", "Too many requests. Try again in a minute")
}

function refuse(reply: FastifyReply, status: number, error: string, description: string): FastifyReply {
  return reply.code(status).send({ error, error_description: description })
}
