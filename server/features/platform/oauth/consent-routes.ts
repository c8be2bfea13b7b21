import type { FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { permissionCatalogue } from "#core/permissions.ts"
import { toT2 } from "#shared/wire-time.ts"
import { endGrant, listGrants } from "../../people/tokens/index.ts"
import { allow, grantable, RequestRefusal, readRequest, redirectTo, type ValidRequest } from "./authorize.ts"
import { oauthErrors } from "./errors.ts"

const Text = Type.Optional(Type.String({ maxLength: 5000 }))
const RequestParameters = {
  client_id: Text,
  redirect_uri: Text,
  response_type: Text,
  scope: Text,
  state: Text,
  code_challenge: Text,
  code_challenge_method: Text,
  resource: Text,
}
const ScopeSchema = Type.Object({ name: Type.String(), label: Type.String() })
const access = { signedIn: true, scopedToken: "refused" } as const

/** What the console's page of consent asks for, and what people have allowed. */
export function consentRoutes(app: App): void {
  const issuer = app.settings.publicUrl

  app.get("/oauth-consent", {
    config: access,
    schema: {
      operationId: "getOAuthConsent",
      summary: "Get an application's authorization request, for the consent page",
      querystring: Type.Object(RequestParameters),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Object({
            name: Type.String(),
            host: Type.String({ description: "Where the browser goes afterwards" }),
            isRegisteredByItself: Type.Boolean({
              description: "Nobody in the organization has checked this application",
            }),
            scopes: Type.Array(ScopeSchema, { description: "Only permissions that the caller has" }),
          }),
        }),
      },
    },
    async handler({ sql, caller, query }) {
      const request = await readFor(caller, () => readRequest(sql, issuer, query))
      const scopes = grantable(caller, request).map((name) => ({ name, label: labelOf(name) }))
      const { name, organizationId } = request.client
      const { host, protocol } = new URL(request.redirectUri)
      const isRegisteredByItself = organizationId === undefined
      return { status: true as const, data: { name, host: host || protocol, isRegisteredByItself, scopes } }
    },
  })

  app.post("/oauth-consent", {
    config: { ...access, idempotent: false },
    schema: {
      operationId: "giveOAuthConsent",
      summary: "Allow or refuse an application's authorization request",
      body: Type.Object({ ...RequestParameters, isAllowed: Type.Boolean() }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Object({ location: Type.String({ description: "Where the browser goes now" }) }),
        }),
      },
    },
    async handler({ sql, caller, body, ip }) {
      const request = await readFor(caller, () => readRequest(sql, issuer, body))
      const location = body.isAllowed
        ? await inTransaction(sql, (tx) => allow(tx, caller, { request, issuer, address: ip }))
        : redirectTo(request.redirectUri, { error: "access_denied", state: request.state, iss: issuer })
      return { status: true as const, data: { location } }
    },
  })

  app.get("/oauth-grants", {
    config: access,
    schema: {
      operationId: "listOAuthGrants",
      summary: "List the applications that the caller has allowed to act for them",
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Array(
            Type.Object(
              {
                _id: IdSchema("oauth-grant"),
                clientId: Type.String(),
                name: Type.String(),
                scopes: Type.Array(Type.String()),
                lastTime: Type.String({ description: "When the application last got a token" }),
              },
              { title: "OAuthGrant" },
            ),
          ),
        }),
      },
    },
    async handler({ sql, caller }) {
      const data = (await listGrants(sql, caller)).map(({ id, lastTime, ...grant }) => ({
        _id: id,
        ...grant,
        lastTime: toT2(lastTime),
      }))
      return { status: true as const, data }
    },
  })

  app.delete("/oauth-grant/:oauthGrantId", {
    config: access,
    schema: {
      operationId: "deleteOAuthGrant",
      summary: "Disconnect an application: its tokens for the caller end at once",
      params: Type.Object({ oauthGrantId: IdSchema("oauth-grant") }),
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, ip }: FastifyRequest & { params: { oauthGrantId: string } }) {
      await inTransaction(sql, async (tx) => {
        const name = await endGrant(tx, caller, params.oauthGrantId)
        if (name === undefined) throw oauthErrors.grantNotFound()
        await audit(tx, actorOf(caller, ip), {
          action: "oauth-grant.delete",
          targetType: "oauth-grant",
          targetId: params.oauthGrantId,
          targetName: name,
        })
      })
      return { status: true as const, message: "Success." }
    },
  })
}

const labelOf = (name: string) => permissionCatalogue[name as keyof typeof permissionCatalogue]?.label ?? name

/** A person decides, in the organization of the client. */
async function readFor(caller: Caller, read: () => Promise<ValidRequest>): Promise<ValidRequest> {
  if (caller.tokenKind !== "session") throw oauthErrors.needsSession()
  try {
    const request = await read()
    const { organizationId } = request.client
    if (organizationId !== undefined && organizationId !== caller.organizationId)
      throw oauthErrors.otherOrganization()
    return request
  } catch (error) {
    if (error instanceof RequestRefusal) throw oauthErrors.badRequest({ message: error.message })
    throw error
  }
}
