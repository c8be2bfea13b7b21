import { Type } from "typebox"
import { refusePersonalToken } from "#core/access/access.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { readLine } from "#core/plain-text.ts"
import { toT2 } from "#shared/wire-time.ts"
import {
  type ClientRow,
  clientIdOf,
  createClient,
  deleteClient,
  listClients,
  readClient,
  rotateSecret,
  updateClient,
} from "./clients.ts"

const ClientSchema = Type.Object(
  {
    _id: IdSchema("oauth-client"),
    clientId: Type.String({ description: "client_id of the protocol" }),
    name: Type.String(),
    isPublic: Type.Boolean({ description: "Has no secret, as an app on people's devices" }),
    redirectUris: Type.Array(Type.String()),
    scopes: Type.Array(Type.String(), { description: "Permissions that it may ask for" }),
    isService: Type.Boolean({ description: "May act by itself, as the person who saved it last" }),
    createdBy: Type.String(),
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "OAuthClient" },
)
const changes = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  redirectUris: Type.Array(Type.String({ maxLength: 500 }), {
    maxItems: 20,
    description: "Compared character by character; ports of loopback addresses may differ",
  }),
  scopes: Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 500 }),
  isService: Type.Boolean({ default: false, description: "Whether client_credentials are allowed" }),
}
const Params = Type.Object({ oauthClientId: IdSchema("oauth-client") })
const Response = Type.Object({ status: Type.Literal(true), message: Type.String(), data: ClientSchema })
const WithSecret = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({
    ...ClientSchema.properties,
    clientSecret: Type.Union([Type.String(), Type.Null()], { description: "Returned once" }),
  }),
})
const success = { status: true as const, message: "Success." }

/** OAuth clients of an organization. */
export function clientRoutes(app: App): void {
  app.get("/oauth-clients", {
    config: { permission: "view/integration" },
    schema: {
      operationId: "listOAuthClients",
      summary: "List the organization's OAuth clients",
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Array(ClientSchema),
        }),
      },
    },
    handler: async ({ sql, caller }) => ({ ...success, data: (await listClients(sql, caller)).map(toWire) }),
  })

  app.get("/oauth-client/:oauthClientId", {
    config: { permission: "view/integration" },
    schema: {
      operationId: "getOAuthClient",
      summary: "Get an OAuth client",
      params: Params,
      response: { 200: Response },
    },
    handler: async ({ sql, caller, params }) => ({
      ...success,
      data: toWire(await readClient(sql, caller, params.oauthClientId)),
    }),
  })

  app.post("/oauth-client", {
    config: { permission: "add/integration" },
    schema: {
      operationId: "createOAuthClient",
      summary: "Create an OAuth client; its secret is returned once",
      body: Type.Object(
        { ...changes, isPublic: Type.Boolean({ default: false }) },
        { title: "OAuthClientInput" },
      ),
      response: { 201: WithSecret },
    },
    async handler({ sql, caller, body, ip }, reply) {
      refusePersonalToken(caller, "oauth")
      const options = { ...body, name: readLine(body.name, "oauth", "name") }
      const { row, secret } = await inTransaction(sql, (tx) => createClient(tx, caller, options, ip))
      reply.code(201)
      return { ...success, data: { ...toWire(row), clientSecret: secret ?? null } }
    },
  })

  app.put("/oauth-client/:oauthClientId", {
    config: { permission: "edit/integration" },
    schema: {
      operationId: "updateOAuthClient",
      summary: "Change an OAuth client; its tokens end",
      params: Params,
      body: Type.Object(changes),
      response: { 200: Response },
    },
    async handler({ sql, caller, params, body, ip }) {
      refusePersonalToken(caller, "oauth")
      const options = { ...body, name: readLine(body.name, "oauth", "name") }
      const row = await inTransaction(sql, (tx) =>
        updateClient(tx, caller, params.oauthClientId, options, ip),
      )
      return { ...success, data: toWire(row) }
    },
  })

  app.post("/oauth-client/:oauthClientId/rotate-secret", {
    config: { permission: "edit/integration" },
    schema: {
      operationId: "rotateOAuthClientSecret",
      summary: "Replace the secret of an OAuth client; its tokens end",
      params: Params,
      response: { 200: WithSecret },
    },
    async handler({ sql, caller, params, ip }) {
      refusePersonalToken(caller, "oauth")
      const { row, secret } = await inTransaction(sql, (tx) =>
        rotateSecret(tx, caller, params.oauthClientId, ip),
      )
      return { ...success, data: { ...toWire(row), clientSecret: secret } }
    },
  })

  app.delete("/oauth-client/:oauthClientId", {
    config: { permission: "delete/integration" },
    schema: {
      operationId: "deleteOAuthClient",
      summary: "Delete an OAuth client; its tokens end",
      params: Params,
      response: { 200: Response },
    },
    async handler({ sql, caller, params, ip }) {
      const row = await inTransaction(sql, (tx) => deleteClient(tx, caller, params.oauthClientId, ip))
      return { ...success, data: toWire(row) }
    },
  })
}

function toWire(row: ClientRow) {
  return {
    _id: row.id,
    clientId: clientIdOf(row),
    name: row.name,
    isPublic: row.secretHash === null,
    redirectUris: row.redirectUris,
    scopes: row.scopes,
    isService: row.actsAs !== null,
    createdBy: row.createdBy,
    createdTime: toT2(row.createdTime),
    updatedTime: toT2(row.updatedTime),
  }
}
