import { hash } from "node:crypto"
import { Type } from "typebox"
import { refuseScopedToken } from "#core/access/access.ts"
import { inTransaction } from "#core/database/database.ts"
import { coreErrors } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { orNull, toT2 } from "#shared/wire-time.ts"
import { calendarOf } from "./calendar.ts"
import { calendarErrors } from "./errors.ts"
import {
  createFeed,
  deleteFeed,
  type FeedRow,
  type FeedTarget,
  findTarget,
  listFeeds,
  openFeed,
} from "./feeds.ts"

const Kind = Type.Union([Type.Literal("person"), Type.Literal("hub"), Type.Literal("schedule")], {
  description: "The tasks of a person, the tasks of a hub, or the runs of a schedule",
})
const Feed = Type.Object(
  {
    _id: IdSchema("calendarFeed"),
    kind: Kind,
    targetId: Type.String({ description: "Id of the person, hub or schedule" }),
    name: Type.Union([Type.String(), Type.Null()], {
      description: "Name of the person, hub or schedule; null if it was deleted or you may no longer see it",
    }),
    createdTime: Type.String(),
    readTime: Type.Union([Type.String(), Type.Null()], {
      description: "When a calendar program last read it, to ten minutes",
    }),
  },
  { title: "CalendarFeed" },
)
const envelope = <Data extends Parameters<typeof Type.Array>[0]>(data: Data) =>
  Type.Object({ status: Type.Literal(true), message: Type.String(), data })

/** Of one address: an office with a hundred people whose programs read every 15 minutes. */
const readsPerHour = 600

/** Calendar feeds: addresses that calendar programs subscribe to. */
export function calendarRoutes(app: App): void {
  app.get("/calendar-feeds", {
    config: { permission: "view/task" },
    schema: {
      operationId: "listCalendarFeeds",
      summary: "List the caller's calendar feeds",
      response: { 200: envelope(Type.Array(Feed)) },
    },
    async handler({ sql, caller }) {
      const feeds = await listFeeds(sql, caller)
      const targets = await Promise.all(
        feeds.map((feed) => findTarget(sql, caller, feed.kind, feed.targetId)),
      )
      const data = feeds.map((feed, index) => toWireFeed(feed, targets[index]))
      return { status: true as const, message: "Success.", data }
    },
  })

  app.post("/calendar-feed", {
    config: { permission: "view/task" },
    schema: {
      operationId: "createCalendarFeed",
      summary: "Create a calendar feed; its address is returned once",
      description:
        "Anyone with the address reads the feed with the rights that you have at that moment. Delete the feed to withdraw it.",
      body: Type.Object({
        kind: Kind,
        targetId: Type.Optional(
          Type.String({ maxLength: 24, description: "Id of the person, hub or schedule. Default: you" }),
        ),
      }),
      response: {
        200: envelope(
          Type.Object({
            ...Feed.properties,
            url: Type.String({ description: "Address for calendar programs" }),
          }),
        ),
      },
    },
    async handler({ sql, caller, body, ip }) {
      refuseScopedToken(caller, "cal")
      const targetId = body.targetId?.toLowerCase() ?? (body.kind === "person" ? caller.userId : undefined)
      if (targetId === undefined) throw calendarErrors.missing()
      const wanted = { kind: body.kind, targetId }
      const made = await inTransaction(sql, (tx) => createFeed(tx, caller, wanted, app.clock.now(), ip))
      const url = `${app.settings.publicUrl}/calendar/${made.token}.ics`
      return {
        status: true as const,
        message: "Success.",
        data: { ...toWireFeed(made.row, made.target), url },
      }
    },
  })

  app.delete("/calendar-feed/:feedId", {
    config: { permission: "view/task" },
    schema: {
      operationId: "deleteCalendarFeed",
      summary: "Delete a calendar feed; its address stops working at once",
      params: Type.Object({ feedId: IdSchema("calendarFeed") }),
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, ip }) {
      refuseScopedToken(caller, "cal")
      await inTransaction(sql, (tx) => deleteFeed(tx, caller, params.feedId, ip))
      return { status: true as const, message: "The calendar feed has been deleted" }
    },
  })
}

function toWireFeed(row: FeedRow, target: FeedTarget | undefined) {
  return {
    _id: row.id,
    kind: row.kind,
    targetId: row.targetId,
    name: target?.name ?? null,
    createdTime: toT2(row.createdTime),
    readTime: orNull(row.readTime, toT2),
  }
}

/** `/calendar/{token}.ics`, outside of the API: calendar programs send no headers of their own. */
export function calendarFeedRoutes(app: App): void {
  app.get<{ Params: { file: string } }>("/calendar/:file", {
    schema: { hide: true },
    async handler(request, reply) {
      if (!(await app.limiter.take(`calendar:${request.ip}`, readsPerHour, 3600)))
        throw coreErrors.tooManyRequests({ headers: { "retry-after": "3600" } })
      const token = /^(.{1,100})\.ics$/.exec(request.params.file)?.[1] ?? ""
      const now = app.clock.now()
      const feed = await openFeed(app.sql, token, now)
      if (!feed) throw calendarErrors.notFound()
      const text = await calendarOf(app.sql, feed.caller, feed.target, {
        now,
        publicUrl: app.settings.publicUrl,
      })
      const etag = `"${hash("sha256", text, "base64url").slice(0, 22)}"`
      reply
        .header("etag", etag)
        .header("cache-control", "private, no-cache")
        .header("x-robots-tag", "noindex")
      if (request.headers["if-none-match"] === etag) return reply.code(304).send()
      return reply.type("text/calendar; charset=utf-8").send(text)
    },
  })
}
