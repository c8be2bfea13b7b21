import { Type } from "typebox"
import { domainEvents } from "#core/domain-events.ts"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { toT2 } from "#shared/wire-time.ts"
import { cursorPattern, readCursor, readServerId, writeCursor } from "./feed-cursor.ts"
import { listFeed } from "./list-feed.ts"

const FeedEvent = Type.Object(
  {
    cursor: Type.String({ description: "The cursor after this event" }),
    event: Type.String(),
    dataType: Type.String(),
    referenceId: Type.String(),
    createdTime: Type.String(),
    record: Type.Record(Type.String(), Type.Unknown(), {
      description: "The record at the time of the event, as sent by a webhook",
    }),
  },
  { title: "FeedEvent" },
)

const maxEvents = 1000
/** Everything that webhooks would carry, for integrations that ask instead of being called. */
export function eventFeedRoutes(app: App): void {
  let serverId: Promise<string> | undefined
  app.get("/events/feed", {
    config: { anyOf: ["view/task", "view/data", "view/result", "view/tracking"] },
    schema: {
      operationId: "readEventFeed",
      summary: "List events of the last 30 days, oldest first, from a cursor",
      description:
        "Keep `cursor` of the response and send it as `after` next time: nothing is missed and nothing comes twice. Without `after` the feed starts at its oldest event. A cursor of another server, or one before events that are no longer kept, returns 410 with the oldest valid one in `cursor`. Only kinds that the caller may see, in their hubs.",
      querystring: Type.Object({
        after: Type.Optional(Type.String({ pattern: cursorPattern })),
        limit: Type.Optional(Type.Integer({ description: "1 to 1,000; default 100" })),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Array(FeedEvent),
          cursor: Type.Union([Type.String(), Type.Null()]),
          hasMore: Type.Boolean(),
        }),
      },
    },
    async handler({ sql, caller, query }) {
      const limit = query.limit ?? 100
      if (limit < 1) throw new AppError(400, "sys-009", "limit must be 1 or more")
      const size = Math.min(limit, maxEvents)
      serverId ??= readServerId(app.sql)
      // A database that was away is asked again.
      serverId.catch(() => {
        serverId = undefined
      })
      const server = await serverId
      const { xid, number } = await readCursor(sql, caller.organizationId, server, query.after)
      const rows = await listFeed(sql, caller, { xid, number }, size + 1)
      const shown = rows.slice(0, size)
      const data = shown.map((row) => ({
        cursor: writeCursor(server, row),
        event: row.event,
        dataType: domainEvents[row.event],
        referenceId: row.referenceId,
        createdTime: toT2(row.createdTime),
        record: row.record,
      }))
      return {
        status: true as const,
        data,
        cursor: data.at(-1)?.cursor ?? query.after ?? null,
        hasMore: rows.length > size,
      }
    },
  })
}
