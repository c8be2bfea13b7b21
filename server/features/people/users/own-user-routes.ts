import { Type } from "typebox"
import { refusePersonalToken } from "#core/access/access.ts"
import type { Caller } from "#core/access/caller.ts"
import { actsAsOwner, may } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import { sendJson } from "#core/http/send-json.ts"
import type { App } from "#core/http/types.ts"
import { discardFilesLater, keepFile } from "#core/objects/loose-files.ts"
import { isOwnerRole } from "#core/permissions.ts"
import { readName } from "#core/plain-text.ts"
import { accountErrors, confirmPassword, endAccess, endSessions, setPassword } from "../accounts/index.ts"
import { expiryOf } from "../password-policies/index.ts"
import { readAvatar, storeAvatar } from "./avatar.ts"
import { changeEmail } from "./change-email.ts"
import { settingsOf } from "./create-user.ts"
import { userErrors } from "./errors.ts"
import { announceUser } from "./events.ts"
import {
  completeUser,
  type FullUser,
  findFullUser,
  findUser,
  findVisibleUser,
  updateAvatar,
  updateProfile,
} from "./queries.ts"
import type { PersonHooks } from "./routes.ts"
import { readPhone } from "./rules.ts"
import { OwnUserBody, UserSchema } from "./schemas.ts"
import { toWireFullUser, toWireUser, type UserRow } from "./wire.ts"

const Written = Type.Object({ status: Type.Literal(true), message: Type.String(), property: UserSchema })

/**
 * What the caller is, as text. A caller is read again when their row, role, organization, hubs or teams change (see
 * core/access), and what changes their account touches their row; only time itself has to be watched here.
 */
const responses = new WeakMap<Caller, { text: string; goodUntil: number }>()

function goodUntil({ user, policy }: FullUser, now: number): number {
  const expiry = user.passwordChangedTime && expiryOf(user.passwordChangedTime, policy)
  const moments = [expiry?.epochMilliseconds, user.lockedUntil?.epochMilliseconds]
  return Math.min(...moments.filter((moment) => moment !== undefined && moment > now).map(Number))
}

/** How long after signing in a new e-mail needs no password again. */
const recentMilliseconds = 10 * 60 * 1000

/** The caller: profile, password, avatar. */
export function ownUserRoutes(app: App, hooks: PersonHooks): void {
  app.get("/user", {
    config: { signedIn: true, scopedToken: "accepted" },
    schema: {
      operationId: "getOwnUser",
      summary: "Get the caller",
      response: { 200: UserSchema },
    },
    async handler({ sql, caller }, reply) {
      const now = app.clock.now().epochMilliseconds
      const known = responses.get(caller)
      if (known && now < known.goodUntil) return sendJson(reply, known.text)
      const found = await findFullUser(sql, caller, caller.userId)
      if (!found) throw userErrors.notFound()
      const wire = toWireFullUser(found.user, found.role, found.organization, found.policy)
      const text = reply.serializeInput(wire, "200") as string
      responses.set(caller, { text, goodUntil: goodUntil(found, now) })
      return sendJson(reply, text)
    },
  })

  app.patch("/user", {
    config: { body: "account", signedIn: true, scopedToken: "refused" },
    schema: {
      operationId: "patchOwnUser",
      summary: "Change the caller's name, contact, language or onboarding progress",
      body: OwnUserBody,
      response: { 200: Written },
    },
    async handler({ sql, caller, body, ip }) {
      const before = await findUser(sql, caller, caller.userId)
      if (!before) throw userErrors.notFound()
      const newEmail =
        body.email !== undefined && body.email.toLowerCase() !== before.email ? body.email : undefined
      if (newEmail !== undefined) {
        refusePersonalToken(caller, "user")
        const isRecent = app.clock.now().epochMilliseconds - caller.signedInAt < recentMilliseconds
        if (!isRecent && body.currentPassword === undefined) throw userErrors.confirmFirst()
        if (
          body.currentPassword !== undefined &&
          !(await confirmPassword(app.sql, caller, body.currentPassword))
        )
          throw accountErrors.wrongPassword()
      }
      await inTransaction(sql, async (tx) => {
        if (newEmail !== undefined)
          await changeEmail(tx, caller, before, newEmail, "self", hooks.onEmailChange)
        const phone = readPhone(body.phoneNumber)
        await updateProfile(tx, caller, {
          name: body.name === undefined ? before.name : readName(body.name, "user", "name"),
          phoneNumber: phone === undefined ? before.phoneNumber : phone,
          language: body.language ?? before.language,
          onboardingStep: body.onboardingStep ?? before.onboardingStep,
        })
        const after = await findUser(tx, caller, caller.userId)
        await audit(tx, actorOf(caller, ip), {
          action: "user.update",
          targetType: "user",
          targetId: caller.userId,
          targetName: caller.email,
          before: settingsOf(before),
          after: after && settingsOf(after),
        })
        if (after) await announceUser(tx, app.live, "user.updated", after)
      })
      return written(sql, caller, caller.userId, "User has been updated")
    },
  })

  app.put("/user/change-password", {
    config: { body: "account", signedIn: true, scopedToken: "refused" },
    schema: {
      operationId: "changePassword",
      summary: "Change the caller's password in all organizations; other sessions end",
      body: Type.Object({
        currentPassword: Type.String({ minLength: 1, maxLength: 1000 }),
        password: Type.String({ minLength: 8, maxLength: 200 }),
        revokeTokens: Type.Optional(
          Type.Boolean({
            description:
              "Also revoke the caller's personal tokens, device keys, calendar feeds and push subscriptions",
          }),
        ),
      }),
      response: { 200: Written },
    },
    async handler({ sql, caller, body, ip }) {
      refusePersonalToken(caller, "user")
      if (!(await confirmPassword(app.sql, caller, body.currentPassword))) throw accountErrors.wrongPassword()
      await inTransaction(sql, async (tx) => {
        await setPassword(tx, caller.accountId, body.password, "self")
        const { accountId, tokenId: exceptTokenId } = caller
        if (body.revokeTokens) await endAccess(tx, accountId, { ...hooks, exceptTokenId })
        else await endSessions(tx, accountId, exceptTokenId)
        await audit(tx, actorOf(caller, ip), {
          action: "user.change-password",
          targetType: "user",
          targetId: caller.userId,
          targetName: caller.email,
          ...(body.revokeTokens ? { after: { revokeTokens: true } } : {}),
        })
      })
      return written(sql, caller, caller.userId, "Password has been changed")
    },
  })

  app.post("/user/avatar", {
    config: { body: "form", signedIn: true, scopedToken: ["edit/member"] },
    schema: {
      operationId: "setAvatar",
      summary: "Upload the caller's picture, or with edit/member that of another member",
      description: "Multipart form: `_id` the user, `image` a JPEG or PNG of at most 1024 kB.",
      response: { 200: Written },
    },
    async handler(request) {
      const { sql, caller } = request
      const upload = await readAvatar(request)
      const userId = (upload.userId ?? caller.userId).toLowerCase()
      if (userId !== caller.userId && !may(caller, "edit/member"))
        throw userErrors.noRight({
          message: "Changing the picture of another member requires the permission edit/member",
        })
      const user = await findVisibleUser(sql, caller, { id: userId })
      if (!user) throw userErrors.badImage({ message: "_id is not a member of the organization" })
      const { role } = await completeUser(sql, user)
      if (user.id !== caller.userId && isOwnerRole(role) && !actsAsOwner(caller))
        throw userErrors.ownerNeeded()
      const key = await storeAvatar(app.sql, app.objects, caller.organizationId, upload)
      await saveAvatar(sql, caller, user, key)
      return written(sql, caller, user.id, "Avatar has been updated")
    },
  })

  app.delete("/user/avatar", {
    config: { body: "form", signedIn: true, scopedToken: "refused" },
    schema: {
      operationId: "deleteAvatar",
      summary: "Delete the caller's picture",
      response: { 200: Written },
    },
    async handler({ sql, caller }) {
      const user = await findUser(sql, caller, caller.userId)
      if (user) await saveAvatar(sql, caller, user, null)
      return written(sql, caller, caller.userId, "Avatar has been removed")
    },
  })

  async function saveAvatar(
    sql: Sql,
    caller: Caller,
    user: Pick<UserRow, "organizationId" | "id" | "email" | "avatar">,
    key: string | null,
  ): Promise<void> {
    const avatar = key === null ? null : app.links.plain(key)
    const oldKey = user.avatar === null ? undefined : app.links.keyOf(user.avatar)
    await inTransaction(sql, async (tx) => {
      await updateAvatar(tx, user, avatar)
      await announceUser(tx, app.live, "user.updated", user)
      if (key) await keepFile(tx, key)
      if (oldKey?.startsWith(`${caller.organizationId}/avatars/`)) await discardFilesLater(tx, [oldKey])
    })
  }
}

/** The changed user, under the key of these responses. */
async function written(sql: Sql, caller: Pick<Caller, "organizationId">, userId: string, message: string) {
  const found = await findFullUser(sql, caller, userId)
  if (!found) throw userErrors.notFound()
  return { status: true as const, message, property: toWireUser(found.user, found.role) }
}
