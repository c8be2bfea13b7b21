import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { readLine } from "#core/plain-text.ts"
import { orNull, parseDateTime, toT2 } from "#shared/wire-time.ts"
import { tokenErrors } from "./errors.ts"
import { createToken, listTokens, renameToken, revokeToken, type TokenRow } from "./tokens.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const TokenParams = Type.Object({ tokenId: IdSchema("token") })
const Token = Type.Object(
  {
    _id: IdSchema("token"),
    name: Type.String(),
    revoked: Type.Boolean(),
    expires_at: Type.String(),
    scopes: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: "Permissions to which the token is limited; null: all permissions of its owner",
    }),
    createdTime: Type.String(),
    lastUsedTime: NullableText,
    lastUsedFrom: NullableText,
  },
  { title: "PersonalToken" },
)
const envelope = <Data extends Parameters<typeof Type.Array>[0]>(data: Data) =>
  Type.Object({ status: Type.Literal(true), message: Type.String(), data })

/** Personal access tokens, for programs that act for their owner. */
export function tokenRoutes(app: App): void {
  app.get("/tokens", {
    config: { permission: "token/manage-token" },
    schema: {
      operationId: "listTokens",
      summary: "List the caller's personal access tokens",
      response: { 200: envelope(Type.Array(Token)) },
    },
    handler: async ({ sql, caller }) => ({
      status: true as const,
      message: "Success.",
      data: (await listTokens(sql, caller)).map(toWireToken),
    }),
  })

  app.post("/token", {
    config: { permission: "token/manage-token" },
    schema: {
      operationId: "createToken",
      summary: "Create a personal access token; it is returned once",
      body: Type.Object({
        name: Type.String({ minLength: 1, maxLength: 200 }),
        expires_at: Type.String({ format: "wire-date-time" }),
        scopes: Type.Optional(
          Type.Array(Type.String({ maxLength: 200 }), {
            minItems: 1,
            maxItems: 1000,
            description: "Names or ids of permissions; default all permissions of the owner",
          }),
        ),
      }),
      response: {
        200: envelope(
          Type.Object({
            ...Token.properties,
            token: Type.String(),
            expireUnix: Type.Integer({ description: "Seconds until it expires" }),
          }),
        ),
      },
    },
    async handler({ sql, caller, body, ip }) {
      const expiresAt = Temporal.Instant.fromEpochMilliseconds(parseDateTime(body.expires_at) ?? 0)
      if (Temporal.Instant.compare(expiresAt, Temporal.Now.instant()) <= 0) throw tokenErrors.past()
      const options = { name: readLine(body.name, "auth", "name"), expiresAt, scopes: body.scopes }
      const made = await inTransaction(sql, (tx) => createToken(tx, caller, options, ip))
      const data = { ...toWireToken(made.row), token: made.token, expireUnix: made.expiresInSeconds }
      return { status: true as const, message: "Success.", data }
    },
  })

  app.put("/token/:tokenId", {
    config: { permission: "token/manage-token" },
    schema: {
      operationId: "renameToken",
      summary: "Rename a personal access token",
      params: TokenParams,
      body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) }),
      response: { 200: envelope(Token) },
    },
    async handler({ sql, caller, params, body, ip }) {
      const name = readLine(body.name, "auth", "name")
      const row = await inTransaction(sql, (tx) => renameToken(tx, caller, params.tokenId, name, ip))
      return { status: true as const, message: "Success.", data: toWireToken(row) }
    },
  })

  app.delete("/token/:tokenId", {
    config: { permission: "token/manage-token" },
    schema: {
      operationId: "deleteToken",
      summary: "Revoke a personal access token",
      params: TokenParams,
      response: { 200: envelope(Token) },
    },
    async handler({ sql, caller, params, ip }) {
      const row = await inTransaction(sql, (tx) => revokeToken(tx, caller, params.tokenId, ip))
      return { status: true as const, message: "Success.", data: toWireToken(row) }
    },
  })
}

function toWireToken(row: TokenRow) {
  return {
    _id: row.id,
    name: row.name,
    revoked: row.isRevoked,
    expires_at: toT2(row.expiresAt),
    scopes: row.scopes,
    createdTime: toT2(row.createdTime),
    lastUsedTime: orNull(row.usedAt, toT2),
    lastUsedFrom: row.usedFrom,
  }
}
