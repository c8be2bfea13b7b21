import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { readLine } from "#core/plain-text.ts"
import { orNull, toT2 } from "#shared/wire-time.ts"
import { createToken, deleteToken, listTokens, type ScimTokenRow } from "./tokens.ts"

const TokenSchema = Type.Object(
  {
    _id: IdSchema("scim-token"),
    name: Type.String(),
    roleId: IdSchema("role"),
    hubId: IdSchema("hub"),
    createdBy: Type.String(),
    createdTime: Type.String(),
    lastUsedTime: Type.Union([Type.String(), Type.Null()]),
  },
  { title: "ScimToken" },
)

/** Tokens with which a company directory provisions people (docs/scim.md). */
export function tokenRoutes(app: App): void {
  app.get("/scim-tokens", {
    config: { permission: "view/integration" },
    schema: {
      operationId: "listScimTokens",
      summary: "List the directories that provision people",
      response: { 200: Type.Object({ status: Type.Literal(true), data: Type.Array(TokenSchema) }) },
    },
    handler: async ({ sql, caller }) => ({
      status: true as const,
      data: (await listTokens(sql, caller)).map(toWire),
    }),
  })

  app.post("/scim-token", {
    config: { permission: "add/integration" },
    schema: {
      operationId: "createScimToken",
      summary: "Connect a directory; its token is returned once. Owners only",
      body: Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 100 }),
          roleId: Type.String({
            maxLength: 24,
            description: "Role of people for whom the directory names none",
          }),
          hubId: Type.String({
            maxLength: 24,
            description: "Hub of people and teams for which it names none",
          }),
        },
        { title: "ScimTokenInput" },
      ),
      response: {
        201: Type.Object({
          status: Type.Literal(true),
          data: Type.Object({ ...TokenSchema.properties, token: Type.String(), baseUrl: Type.String() }),
        }),
      },
    },
    async handler({ sql, caller, body, ip }, reply) {
      const options = { ...body, name: readLine(body.name, "scim", "name") }
      const { row, token } = await inTransaction(sql, (tx) => createToken(tx, caller, options, ip))
      reply.code(201)
      const baseUrl = `${app.settings.publicUrl}/scim/v2`
      return { status: true as const, data: { ...toWire(row), token, baseUrl } }
    },
  })

  app.delete("/scim-token/:scimTokenId", {
    config: { permission: "delete/integration" },
    schema: {
      operationId: "deleteScimToken",
      summary: "Disconnect a directory; its people stay",
      params: Type.Object({ scimTokenId: IdSchema("scim-token") }),
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, ip }) {
      await inTransaction(sql, (tx) => deleteToken(tx, caller, params.scimTokenId, ip))
      return { status: true as const, message: "Success." }
    },
  })
}

function toWire(row: ScimTokenRow) {
  const { id, name, roleId, hubId, createdBy } = row
  return {
    _id: id,
    name,
    roleId,
    hubId,
    createdBy,
    createdTime: toT2(row.createdTime),
    lastUsedTime: orNull(row.usedTime, toT2),
  }
}
