import { Type } from "typebox"
import { type Caller, may } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema, newId } from "#core/ids.ts"
import { toT1 } from "#shared/wire-time.ts"
import { deviceErrors } from "./errors.ts"
import { newDeviceKey } from "./keys.ts"
import { insertKey, type KeyRow, listKeys, lockKey, revokeKey } from "./queries.ts"
import { appSetups } from "./setup.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const DeviceKeySchema = Type.Object(
  {
    _id: IdSchema("deviceKey"),
    userId: Type.String(),
    email: Type.String(),
    userName: Type.String(),
    name: Type.String(),
    createdBy: NullableText,
    createdTime: Type.String(),
    lastUsedTime: NullableText,
    lastProtocol: NullableText,
    lastRefusal: Type.Union([Type.String(), Type.Null()], {
      description: "Why the last rejected position was rejected",
    }),
  },
  { title: "DeviceKey" },
)

/** Device keys: everybody manages their own; people with edit/member manage all. */
export function deviceKeyRoutes(app: App): void {
  app.get("/device-keys", {
    config: { signedIn: true, scopedToken: ["edit/member"] },
    schema: {
      operationId: "listDeviceKeys",
      summary: "List active device keys",
      querystring: Type.Object({ userId: Type.Optional(IdSchema("user")) }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Array(DeviceKeySchema),
        }),
      },
    },
    async handler({ sql, caller, query }) {
      const rows = await listKeys(sql, caller, query.userId)
      return { status: true as const, message: "Success", data: rows.map(toWireKey) }
    },
  })

  app.post("/device-key", {
    config: { signedIn: true, scopedToken: ["edit/member"] },
    schema: {
      operationId: "createDeviceKey",
      summary: "Create a device key for a phone app or tracker; it is shown only once",
      body: Type.Object({
        userId: Type.Optional(IdSchema("user")),
        name: Type.String({ minLength: 1, maxLength: 200 }),
      }),
      response: {
        201: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Object({
            _id: IdSchema("deviceKey"),
            key: Type.String(),
            apps: Type.Array(
              Type.Object({
                app: Type.String(),
                link: Type.Union([Type.String(), Type.Null()], {
                  description: "Configures the app when opened on the phone, from a link or a QR code",
                }),
                scan: Type.Union([Type.String(), Type.Null()], {
                  description: "What the app itself scans as a QR code",
                }),
                fields: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
              }),
            ),
          }),
        }),
      },
    },
    async handler({ sql, caller, body, ip, address }, reply) {
      const userId = body.userId?.toLowerCase() ?? caller.userId
      checkOwn(caller, userId)
      // A key outlives the token that made it and has no scopes: making one takes a person, or an administrator's token.
      if (caller.tokenKind !== "session" && !may(caller, "edit/member")) throw deviceErrors.forbiddenToToken()
      const id = newId<"deviceKey">()
      const { key, hash } = newDeviceKey(caller.organizationId)
      await inTransaction(sql, async (tx) => {
        const key = { id, hash, userId, name: body.name.trim(), now: app.clock.now() }
        const email = await insertKey(tx, caller, key)
        if (email === undefined) throw deviceErrors.badPerson()
        await audit(tx, actorOf(caller, ip), {
          action: "device-key.create",
          targetType: "user",
          targetId: userId,
          targetName: email,
          after: { name: body.name.trim() },
        })
      })
      reply.code(201)
      const origin = app.settings.isPublicUrlGiven ? app.settings.publicUrl : address.origin
      const data = { _id: id, key, apps: appSetups(`${origin}/api/v3`, key) }
      return { status: true as const, message: "Copy the key now: it is not shown again", data }
    },
  })

  app.delete("/device-key/:deviceKeyId", {
    config: { signedIn: true, scopedToken: ["edit/member"] },
    schema: {
      operationId: "revokeDeviceKey",
      summary: "Revoke a device key",
      params: Type.Object({ deviceKeyId: IdSchema("deviceKey") }),
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, ip }) {
      await inTransaction(sql, async (tx) => {
        const row = await lockKey(tx, caller, params.deviceKeyId)
        if (!row) throw deviceErrors.notFound()
        checkOwn(caller, row.userId)
        await revokeKey(tx, caller, params.deviceKeyId, app.clock.now())
        await audit(tx, actorOf(caller, ip), {
          action: "device-key.revoke",
          targetType: "user",
          targetId: row.userId,
          before: { name: row.name },
        })
      })
      return { status: true as const, message: "The key has been revoked" }
    },
  })
}

function checkOwn(caller: Caller, userId: string): void {
  if (userId !== caller.userId && !may(caller, "edit/member")) throw deviceErrors.forbidden()
}

function toWireKey(row: KeyRow) {
  return {
    _id: row.id,
    userId: row.userId,
    email: row.email,
    userName: row.userName,
    name: row.name,
    createdBy: row.createdBy,
    createdTime: toT1(row.createdTime),
    lastUsedTime: row.lastUsedAt ? toT1(row.lastUsedAt) : null,
    lastProtocol: row.lastProtocol,
    lastRefusal: row.lastRefusal,
  }
}
