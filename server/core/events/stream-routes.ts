import type { ServerResponse } from "node:http"
import { Type } from "typebox"
import type { App } from "../http/types.ts"
import { cursorPattern, type LiveEvent } from "./live-events.ts"
import { createStreamCounts } from "./stream-counts.ts"
import { watchedPeople, watchedPeopleQuery } from "./watched-people.ts"

/** How long a revoked token can still listen: all streams are looked at together, with one statement for 200. */
const lookMilliseconds = 800
/** Every so many looks a quiet stream shows that it lives. */
const looksOfHeartbeat = 5
/**
 * A reader with more than this waiting when more is to come is not reading: it is cut off and will resume by its cursor.
 * What waits is at most this and one delivery, so that a catch-up, which is one, reaches a slow line however large.
 */
const maxWaitingBytes = 1024 * 1024

/** `GET /events`: the server-sent stream of everything that the caller may see change. */
export function eventStreamRoutes(app: App): void {
  const open = new Map<ServerResponse, (showsLife: boolean) => Promise<void>>()
  const { streamsPerUser, streamsPerOrganization } = app.settings
  const counts = createStreamCounts({ perUser: streamsPerUser, perOrganization: streamsPerOrganization })
  let looks = 0
  const looking = setInterval(() => {
    looks += 1
    for (const look of open.values()) void look(looks % looksOfHeartbeat === 0)
  }, lookMilliseconds)
  looking.unref()
  // A stream never ends by itself: a closing server ends them all, and the readers resume elsewhere.
  app.addHook("preClose", async () => {
    clearInterval(looking)
    for (const stream of open.keys()) stream.end()
  })
  app.get("/events", {
    config: {
      signedIn: true,
      scopedToken: "accepted",
      produces: "other",
      rateBucket: "none",
      admission: "free",
    },
    schema: {
      operationId: "streamEvents",
      summary: "Live events as a server-sent stream",
      description:
        "Resumes after `Last-Event-ID` (or `?after=`). An event may be delivered more than once: deduplicate by the `id` in its data. By default, a user can have 20 and an organization 1,000 open streams per node; further requests return 429.",
      querystring: Type.Object({
        after: Type.Optional(Type.String({ pattern: cursorPattern })),
        ...watchedPeopleQuery,
      }),
      response: { 200: Type.String({ description: "text/event-stream" }) },
    },
    async handler(request, reply) {
      const header = request.headers["last-event-id"]
      const after =
        typeof header === "string" && new RegExp(cursorPattern).test(header) ? header : request.query.after
      const close = counts.open(request.caller)
      reply.hijack()
      const { raw } = reply
      const origins = app.settings.corsOrigins
      const origin = request.headers.origin
      raw.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",
        "x-request-id": request.id,
        ...(origin && (origins === "*" || origins.includes(origin))
          ? { "access-control-allow-origin": origins === "*" ? "*" : origin }
          : {}),
      })
      raw.write("retry: 2000\n\n")
      let leave: (() => void) | undefined
      const write = (part: string | Buffer): boolean => {
        if (raw.destroyed) return false
        if (raw.writableLength > maxWaitingBytes) {
          raw.destroy()
          return false
        }
        raw.write(part)
        return true
      }
      const reader = {
        caller: request.caller,
        people: watchedPeople(request.query),
        deliver: (events: readonly LiveEvent[], cursor: string) => write(frames(events, cursor)),
      }
      open.set(raw, async (showsLife) => {
        const caller = await app.identify(request).catch(() => reader.caller)
        if (!caller) return void raw.end()
        reader.caller = caller
        if (!showsLife) return
        // Who limits the positions may receive nothing for long, and would resume from where much has happened since. What
        // was missed before the connection has to be on its way by then.
        const reached = reader.people && leave ? app.live.cursor() : undefined
        write(reached ? frameText([], reached) : ": here\n\n")
      })
      const end = () => {
        open.delete(raw)
        close()
        leave?.()
      }
      raw.on("close", end)
      try {
        leave = await app.live.connect(reader, after)
      } catch (error) {
        // Fastify does not respond to hijacked requests: the client reconnects.
        request.log.warn({ reason: String(error) }, "an event stream could not be opened")
        raw.destroy()
      }
      if (raw.destroyed) end()
    },
  })
}

interface Written {
  cursor: string
  bytes: Buffer
}
const writtenLists = new WeakMap<readonly LiveEvent[], Written>()
const writtenEvents = new WeakMap<LiveEvent, string>()

/** The frames of a list of events. Hundreds of readers get the same lists: each is written out once. */
function frames(events: readonly LiveEvent[], cursor: string): Buffer {
  const known = writtenLists.get(events)
  if (known?.cursor === cursor) return known.bytes
  const bytes = Buffer.from(frameText(events, cursor))
  writtenLists.set(events, { cursor, bytes })
  return bytes
}

/** The cursor goes with the last event only: a stream cut in the middle of a batch resumes before it. */
function frameText(events: readonly LiveEvent[], cursor: string): string {
  if (events.length === 0) return `id: ${cursor}\nevent: cursor\ndata: {}\n\n`
  return events
    .map((event, index) => `${index === events.length - 1 ? `id: ${cursor}\n` : ""}${dataOf(event)}`)
    .join("")
}

function dataOf(event: LiveEvent): string {
  const known = writtenEvents.get(event)
  if (known !== undefined) return known
  const { id, type, hubId, content } = event
  const text = `data: ${JSON.stringify({ id, type, hubId, content })}\n\n`
  writtenEvents.set(event, text)
  return text
}
