import { Type } from "typebox"
import { type Caller, may } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { type Id, IdSchema, newId } from "#core/ids.ts"
import { toT1 } from "#shared/wire-time.ts"
import { deviceErrors } from "./errors.ts"
import { newDeviceKey } from "./keys.ts"
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

interface KeyRow {
  id: Id<"deviceKey">
  userId: string
  email: string
  userName: string
  name: string
  createdBy: string | null
  createdTime: Temporal.Instant
  lastUsedAt: Temporal.Instant | null
  lastProtocol: string | null
  lastRefusal: string | null
}

/** Device keys: everybody manages their own; people with edit/member manage all. */
export function deviceKeyRoutes(app: App): void {
  app.get(
    "/device-keys",
    {
      config: { signedIn: true, scopedToken: ["edit/member"] },
      schema: {
        tags: ["Devices"],
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
    },
    async ({ sql, caller, query }) => {
      const own = may(caller, "edit/member") ? sql`` : sql`and device.user_id = ${caller.userId}`
      const rows = await sql<KeyRow[]>`
        select device.id, device.user_id, users.email, users.name as user_name, device.name, device.created_by,
          device.created_time, device.last_used_at, device.last_protocol, device.last_refusal
        from device_keys device
        join users on users.organization_id = device.organization_id and users.id = device.user_id
        where device.organization_id = ${caller.organizationId} and device.revoked_at is null ${own}
          ${query.userId === undefined ? sql`` : sql`and device.user_id = ${query.userId.toLowerCase()}`}
        order by lower(users.name), device.created_time, device.id`
      return { status: true as const, message: "Success", data: rows.map(toWireKey) }
    },
  )

  app.post(
    "/device-key",
    {
      config: { signedIn: true, scopedToken: ["edit/member"] },
      schema: {
        tags: ["Devices"],
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
                  fields: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
                }),
              ),
            }),
          }),
        },
      },
    },
    async ({ sql, caller, body, ip, address }, reply) => {
      const userId = body.userId?.toLowerCase() ?? caller.userId
      checkOwn(caller, userId)
      // A key outlives the token that made it and has no scopes: making one takes a person, or an administrator's token.
      if (caller.tokenKind === "personal" && !may(caller, "edit/member"))
        throw deviceErrors.forbiddenToToken()
      const id = newId<"deviceKey">()
      const { key, hash } = newDeviceKey(caller.organizationId)
      await inTransaction(sql, async (tx) => {
        const made = await tx<{ email: string }[]>`
          insert into device_keys (organization_id, id, hash, user_id, name, created_by, created_time)
          select organization_id, ${id}, ${hash}, id, ${body.name.trim()}, ${caller.email}, ${app.clock.now()}
          from users where organization_id = ${caller.organizationId} and id = ${userId} and status = 'active'
          returning (select email from users u where u.organization_id = device_keys.organization_id and u.id = device_keys.user_id) as email`
        if (!made[0]) throw deviceErrors.badPerson()
        await audit(tx, actorOf(caller, ip), {
          action: "device-key.create",
          targetType: "user",
          targetId: userId,
          targetName: made[0].email,
          after: { name: body.name.trim() },
        })
      })
      reply.code(201)
      const origin = app.settings.isPublicUrlGiven ? app.settings.publicUrl : address.origin
      const data = { _id: id, key, apps: appSetups(`${origin}/api/v3`, key) }
      return { status: true as const, message: "Copy the key now: it is not shown again", data }
    },
  )

  app.delete(
    "/device-key/:deviceKeyId",
    {
      config: { signedIn: true, scopedToken: ["edit/member"] },
      schema: {
        tags: ["Devices"],
        operationId: "revokeDeviceKey",
        summary: "Revoke a device key",
        params: Type.Object({ deviceKeyId: IdSchema("deviceKey") }),
        response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
      },
    },
    async ({ sql, caller, params, ip }) => {
      await inTransaction(sql, async (tx) => {
        const rows = await tx<{ userId: string; name: string }[]>`
          select user_id, name from device_keys
          where organization_id = ${caller.organizationId} and id = ${params.deviceKeyId.toLowerCase()} and revoked_at is null
          for update`
        const row = rows[0]
        if (!row) throw deviceErrors.notFound()
        checkOwn(caller, row.userId)
        await tx`
          update device_keys set revoked_at = ${app.clock.now()}
          where organization_id = ${caller.organizationId} and id = ${params.deviceKeyId.toLowerCase()}`
        await audit(tx, actorOf(caller, ip), {
          action: "device-key.revoke",
          targetType: "user",
          targetId: row.userId,
          before: { name: row.name },
        })
      })
      return { status: true as const, message: "The key has been revoked" }
    },
  )
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
