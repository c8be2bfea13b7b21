import { Readable } from "node:stream"
import { type Static, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import type { BoundingBox } from "#shared/geodesy.ts"
import { parseTimeBound } from "#shared/wire-time.ts"
import { locationErrors } from "./errors.ts"
import { timeZoneOf } from "./links.ts"
import { listRecords } from "./list-records.ts"
import { tenantOf } from "./people.ts"
import type { ReadAudit } from "./read-audit.ts"
import { readTrack, type TrackWish } from "./read-track.ts"
import { toWireLocation } from "./record-rows.ts"
import { LocationHistorySchema } from "./schemas.ts"
import { readRetentionDays } from "./settings.ts"
import { legDistances, trackTotals } from "./track/distance.ts"
import { judgeTrack, type VerdictName, verdicts } from "./track/plausibility.ts"
import { simplifyTrack } from "./track/simplify.ts"
import { orderedTrack } from "./track/track.ts"
import { writeGeoJson } from "./track/write-geojson.ts"
import { writeGpx } from "./track/write-gpx.ts"
import { isVisible, visiblePeople } from "./visible-people.ts"
import { writtenTrack } from "./written-positions.ts"

const TrackParams = Type.Object({ userId: IdSchema("user") })
const spanFields = {
  date: Type.Optional(
    Type.String({
      format: "wire-date",
      description: "A day in the person's time zone; today if nothing is given",
    }),
  ),
  timeFrom: Type.Optional(Type.String({ format: "wire-time-bound" })),
  timeTo: Type.Optional(Type.String({ format: "wire-time-bound" })),
}
const TrackQuery = Type.Object({
  ...spanFields,
  zoom: Type.Optional(Type.Number({ minimum: 0, maximum: 24, description: "Zoom of the map; default 14" })),
  maxVertices: Type.Optional(Type.Integer({ minimum: 2, maximum: 20_000, description: "Default 5000" })),
  bbox: Type.Optional(Type.String({ description: "west,south,east,north: the line is coarser outside" })),
  createdFrom: Type.Optional(Type.String()),
})
const DownloadQuery = Type.Object({
  ...spanFields,
  format: Type.Union([Type.Literal("gpx"), Type.Literal("geojson")]),
})

const TrackSchema = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  name: Type.String(),
  timeZone: Type.String(),
  from: Type.Integer({ description: "Epoch milliseconds" }),
  to: Type.Integer({ description: "Epoch milliseconds" }),
  pointCount: Type.Integer({ description: "Points that the line was made of" }),
  sampledSeconds: Type.Union([Type.Number(), Type.Null()], {
    description:
      "Not null: the span holds more points than are read at once, and one was taken every so many seconds",
  }),
  tolerancePixels: Type.Number({ description: "No shown place is further than this from the recorded one" }),
  totalDistance: Type.Number({ description: "Kilometres over plausible points" }),
  totalDuration: Type.Number({ description: "Minutes from the first to the last plausible point" }),
  vertices: Type.Array(Type.Array(Type.Union([Type.Number(), Type.Null()])), {
    description: "[longitude, latitude, epoch milliseconds, km/h or null, kilometres from the start]",
  }),
  flagged: Type.Array(
    Type.Object({ lon: Type.Number(), lat: Type.Number(), time: Type.Integer(), reason: Type.String() }),
    { description: "Points that are kept and not travelled: jump, repeat, inaccurate; at most 1000" },
  ),
  flaggedCount: Type.Integer(),
  sessions: Type.Array(LocationHistorySchema),
})

const mostFlagged = 1000
const mostSessions = 1000

/** The way of one person: simplified for a map, or whole as a file. */
export function trackRoutes(app: App, auditRead: ReadAudit): void {
  app.get(
    "/track/:userId",
    {
      config: { signedIn: true },
      schema: {
        tags: ["Locations"],
        operationId: "getTrack",
        summary: "A person's track of a day or a time span, simplified for the zoom",
        params: TrackParams,
        querystring: TrackQuery,
        response: {
          200: Type.Object({ status: Type.Literal(true), message: Type.String(), data: TrackSchema }),
        },
      },
    },
    async ({ sql, caller, params, query, ip }) => {
      const { person, wish } = await spanOf(sql, caller, params.userId, query, app.clock.now())
      await auditRead(sql, caller, ip, { ...person, how: "track" })
      return { status: true as const, message: "Success", data: await trackOf(sql, person, wish, query) }
    },
  )

  app.get(
    "/track/:userId/download",
    {
      config: { signedIn: true, produces: "other" },
      schema: {
        tags: ["Locations"],
        operationId: "downloadTrack",
        summary: "A person's points of a day or a time span as GPX or GeoJSON",
        params: TrackParams,
        querystring: DownloadQuery,
        response: { 200: Type.Any({ description: "The file" }) },
      },
    },
    async ({ sql, caller, params, query, ip }, reply) => {
      const { person, wish } = await spanOf(sql, caller, params.userId, query, app.clock.now())
      await auditRead(sql, caller, ip, { ...person, how: "download" })
      const tracks = [writtenTrack(app.sql, person, wish)]
      const isGpx = query.format === "gpx"
      const day = wish.from.toString().slice(0, 10)
      const stem = `${person.email.replace(/[^\w.@-]/g, "_")}-${day}`
      reply.header("content-disposition", `attachment; filename="${stem}.${isGpx ? "gpx" : "geojson"}"`)
      reply.type(isGpx ? "application/gpx+xml" : "application/geo+json")
      return reply.send(Readable.from(isGpx ? writeGpx(tracks) : writeGeoJson(tracks)))
    },
  )
}

export interface TrackPerson {
  userId: string
  number: number
  email: string
  name: string
  timeZone: string
}

/** Whose track and when, within what the caller may see and what is kept. */
async function spanOf(
  sql: Sql,
  caller: Caller,
  userId: string,
  query: { date?: string; timeFrom?: string; timeTo?: string },
  now: Temporal.Instant,
): Promise<{ person: TrackPerson; wish: TrackWish }> {
  const rows = await sql<Omit<TrackPerson, "timeZone">[]>`
    select id as user_id, number, email, name from users
    where organization_id = ${caller.organizationId} and id = ${userId.toLowerCase()}`
  const found = rows[0]
  if (!found || !isVisible(await visiblePeople(sql, caller), found.number)) throw locationErrors.notFound()
  const timeZone = await timeZoneOf(sql, caller.organizationId, found.userId)
  const tenant = tenantOf(caller)
  const kept = now.subtract({ hours: 24 * (await readRetentionDays(sql, tenant)) })
  const [from, to] = bounds(query, timeZone, now)
  const start = Temporal.Instant.compare(from, kept) < 0 ? kept : from
  return { person: { ...found, timeZone }, wish: { tenant, personNumber: found.number, from: start, to } }
}

function bounds(
  query: { date?: string; timeFrom?: string; timeTo?: string },
  timeZone: string,
  now: Temporal.Instant,
): [Temporal.Instant, Temporal.Instant] {
  if (query.timeFrom !== undefined || query.timeTo !== undefined) {
    const from = query.timeFrom === undefined ? undefined : parseTimeBound(query.timeFrom, "from")
    const to = query.timeTo === undefined ? undefined : parseTimeBound(query.timeTo, "to")
    return [
      Temporal.Instant.fromEpochMilliseconds(from ?? 0),
      to === undefined ? now.add({ hours: 24 }) : Temporal.Instant.fromEpochMilliseconds(to),
    ]
  }
  const day = query.date
    ? Temporal.PlainDate.from(query.date)
    : now.toZonedDateTimeISO(timeZone).toPlainDate()
  const next = day.add({ days: 1 }).toZonedDateTime(timeZone).toInstant()
  return [day.toZonedDateTime(timeZone).toInstant(), next.subtract({ milliseconds: 1 })]
}

async function trackOf(
  sql: Sql,
  person: TrackPerson,
  wish: TrackWish,
  query: Static<typeof TrackQuery>,
): Promise<Static<typeof TrackSchema>> {
  const { points, sampledSeconds } = await readTrack(sql, { ...wish, createdFrom: query.createdFrom })
  const track = orderedTrack(points)
  const judged = judgeTrack(track)
  const legs = legDistances(track, judged)
  const totals = trackTotals(track, judged)
  const focus = boxOf(query.bbox)
  const line = simplifyTrack(track, {
    zoom: query.zoom ?? 14,
    maxVertices: query.maxVertices ?? 5_000,
    judged,
    ...(focus ? { focus } : {}),
  })
  const along = new Float64Array(legs.length)
  for (let i = 0, sum = 0; i < legs.length; i++) {
    sum += legs[i] ?? 0
    along[i] = sum
  }
  const flagged = flaggedIn(judged)
  return {
    ...person,
    from: wish.from.epochMilliseconds,
    to: wish.to.epochMilliseconds,
    pointCount: points.length,
    sampledSeconds,
    tolerancePixels: line.tolerancePixels,
    totalDistance: Math.round(totals.distanceMeters) / 1000,
    totalDuration: Math.round(totals.durationSeconds / 6) / 10,
    vertices: [...line.indices].map((i) => {
      const point = points[i]
      return [
        point?.position[0] ?? 0,
        point?.position[1] ?? 0,
        point?.recordedAt ?? 0,
        point?.speedKilometersPerHour ?? null,
        Math.round(along[i] ?? 0) / 1000,
      ]
    }),
    flagged: flagged.slice(0, mostFlagged).map(({ index, reason }) => ({
      lon: points[index]?.position[0] ?? 0,
      lat: points[index]?.position[1] ?? 0,
      time: points[index]?.recordedAt ?? 0,
      reason,
    })),
    flaggedCount: flagged.length,
    sessions: await sessionsIn(sql, wish),
  }
}

const reasonByVerdict = new Map<number, VerdictName>(
  Object.entries(verdicts).map(([name, verdict]) => [verdict, name as VerdictName]),
)

function flaggedIn(judged: Uint8Array): { index: number; reason: string }[] {
  const flagged = []
  for (const [index, verdict] of judged.entries())
    if (verdict !== verdicts.plausible && verdict !== verdicts.restart)
      flagged.push({ index, reason: reasonByVerdict.get(verdict) ?? "jump" })
  return flagged
}

async function sessionsIn(sql: Sql, { tenant, personNumber, from, to }: TrackWish) {
  const rows = await listRecords(
    sql,
    {
      tenant,
      people: [personNumber],
      taskId: undefined,
      timeBy: "startTime",
      from,
      to,
      startFinish: true,
      isLatest: undefined,
      eventName: undefined,
      createdFrom: undefined,
      now: to,
    },
    "asc",
    { page: 1, limit: mostSessions, offset: 0 },
  )
  return rows.map((row) => toWireLocation(row, tenant))
}

function boxOf(text: string | undefined): BoundingBox | undefined {
  if (text === undefined) return undefined
  const [west, south, east, north] = text.split(",").map(Number)
  if (![west, south, east, north].every((value) => Number.isFinite(value)))
    throw locationErrors.badCoordinates({ message: "bbox must be west,south,east,north in degrees" })
  return { west: west ?? 0, south: south ?? 0, east: east ?? 0, north: north ?? 0 }
}
