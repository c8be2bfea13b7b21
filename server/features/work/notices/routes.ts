import { refuseScopedToken } from "#core/access/access.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { newId } from "#core/ids.ts"
import { areSubscriptionKeys } from "#packages/web-push/web-push.ts"
import { toT1 } from "#shared/wire-time.ts"
import { noticeErrors } from "./errors.ts"
import { pushKeys } from "./push-keys.ts"
import { countUnread, listNotices, markRead, openInbox, subscribe, unsubscribe } from "./queries.ts"
import {
  DoneResponse,
  EndpointBody,
  NoticesQuery,
  NoticesResponse,
  PushKeyResponse,
  ReadBody,
  SubscriptionBody,
  UnreadResponse,
} from "./schemas.ts"

/** The caller's own inbox, and the browsers that receive push messages for it. */
export function noticeRoutes(app: App): void {
  const success = { status: true as const, message: "Success" }
  const anyOf = ["do/task", "view/task", "view/data", "view/result"] as const

  app.get("/notices", {
    config: { anyOf },
    schema: {
      operationId: "listNotices",
      summary: "List the caller's notices, newest first",
      description:
        "New, changed and cancelled tasks, messages and mentions that other people caused. Notices are written from a person's first call of this route on and kept for 30 days.",
      querystring: NoticesQuery,
      response: { 200: NoticesResponse },
    },
    async handler({ sql, caller, query }) {
      await openInbox(sql, caller, app.clock.now())
      const { rows, unread } = await listNotices(sql, caller, query)
      const data = rows.map(({ id, createdTime, readTime, ...row }) => ({
        _id: id,
        ...row,
        createdTime: toT1(createdTime),
        isRead: readTime !== null,
      }))
      return { ...success, data, unread }
    },
  })

  app.put("/notices/read", {
    config: { anyOf },
    schema: {
      operationId: "readNotices",
      summary: "Mark notices of the caller as read",
      body: ReadBody,
      response: { 200: UnreadResponse },
    },
    async handler({ sql, caller, body }) {
      await markRead(sql, caller, body.noticeIds, app.clock.now())
      return { ...success, unread: await countUnread(sql, caller) }
    },
  })

  app.get("/push-key", {
    config: { anyOf },
    schema: {
      operationId: "getPushKey",
      summary: "Get the public key for push subscriptions",
      response: { 200: PushKeyResponse },
    },
    async handler() {
      const { publicKey } = await pushKeys({ sql: app.sql, config: app.settings })
      return { ...success, publicKey }
    },
  })

  app.post("/push-subscription", {
    config: { anyOf },
    schema: {
      operationId: "subscribeToPush",
      summary: "Receive push messages for the caller's notices in a browser",
      description:
        "Takes a subscription as the browser returns it. A push message says how many notices of each kind are unread and nothing else. A browser belongs to the person who subscribed it last.",
      body: SubscriptionBody,
      response: { 201: DoneResponse },
    },
    async handler({ sql, caller, body }, reply) {
      refuseScopedToken(caller, "notic")
      const { endpoint, keys, language = "en" } = body
      const now = app.clock.now()
      if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? "") || !areSubscriptionKeys(keys))
        throw noticeErrors.badEndpoint()
      await inTransaction(sql, async (tx) => {
        await openInbox(tx, caller, now)
        await subscribe(tx, caller, { id: newId<"push">(), endpoint, ...keys, language }, now)
      })
      reply.code(201)
      return success
    },
  })

  app.delete("/push-subscription", {
    config: { anyOf },
    schema: {
      operationId: "unsubscribeFromPush",
      summary: "Stop push messages to a browser",
      body: EndpointBody,
      response: { 200: DoneResponse },
    },
    async handler({ sql, caller, body }) {
      refuseScopedToken(caller, "notic")
      await unsubscribe(sql, caller, body.endpoint)
      return success
    },
  })
}
