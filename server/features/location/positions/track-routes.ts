import { Readable } from "node:stream"
import { type Static, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { writeTracksAsGeoJson } from "#packages/geo-files/write-track-geojson.ts"
import { writeTracksAsGpx } from "#packages/geo-files/write-track-gpx.ts"
import { writeTracksAsKml } from "#packages/geo-files/write-track-kml.ts"
import { parseTimeBound } from "#shared/wire-time.ts"
import { boxOf } from "./box.ts"
import { locationErrors } from "./errors.ts"
import { readSimplifiedTrack, simplifyInThread } from "./read-simplified-track.ts"
import type { TrackOptions } from "./read-track.ts"
import { listRecords } from "./records/list-records.ts"
import { toWireLocation } from "./records/record-rows.ts"
import { LocationHistorySchema } from "./schemas.ts"
import { readSettings } from "./settings.ts"
import { timeZoneOf } from "./sharing/links.ts"
import type { ReadAudit } from "./sharing/read-audit.ts"
import { isVisible, visiblePeople } from "./sharing/visible-people.ts"
import { findMember, tenantOf } from "./store/people.ts"
import { writtenTrack } from "./store/written-positions.ts"
import { type VerdictName, verdicts } from "./track/plausibility.ts"

const TrackParams = Type.Object({ userId: IdSchema("user") })
const spanFields = {
  date: Type.Optional(
    Type.String({
      format: "wire-date",
      description: "A day in the person's time zone; default: today",
    }),
  ),
  until: Type.Optional(
    Type.String({ format: "wire-date", description: "With `date`: the last day, of several" }),
  ),
  timeFrom: Type.Optional(Type.String({ format: "wire-time-bound" })),
  timeTo: Type.Optional(Type.String({ format: "wire-time-bound" })),
}
const TrackQuery = Type.Object({
  ...spanFields,
  zoom: Type.Optional(Type.Number({ minimum: 0, maximum: 24, description: "Zoom of the map; default 14" })),
  maxVertices: Type.Optional(Type.Integer({ minimum: 2, maximum: 50_000, description: "Default 20000" })),
  bbox: Type.Optional(
    Type.String({ description: "west,south,east,north: the track is simplified more outside this area" }),
  ),
  createdFrom: Type.Optional(Type.String()),
})
const DownloadQuery = Type.Object({
  ...spanFields,
  format: Type.Union([Type.Literal("gpx"), Type.Literal("kml"), Type.Literal("geojson")]),
})

const TrackSchema = Type.Object(
  {
    userId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    timeZone: Type.String(),
    from: Type.Integer({ description: "Epoch milliseconds" }),
    to: Type.Integer({ description: "Epoch milliseconds" }),
    pointCount: Type.Integer({ description: "Number of points in the original track" }),
    tolerancePixels: Type.Number({
      description: "Maximum distance between the simplified and the recorded track",
    }),
    toleranceSeconds: Type.Number({
      description:
        "Maximum time difference for that distance; 0 unless the track is too large to show in full",
    }),
    totalDistance: Type.Number({ description: "Distance in kilometres over plausible points" }),
    totalDuration: Type.Number({ description: "Minutes from the first to the last plausible point" }),
    vertices: Type.Array(Type.Array(Type.Union([Type.Number(), Type.Null()])), {
      description: "[longitude, latitude, epoch milliseconds, km/h or null, kilometres from the start]",
    }),
    flagged: Type.Array(
      Type.Object({ lon: Type.Number(), lat: Type.Number(), time: Type.Integer(), reason: Type.String() }),
      { description: "Points that are excluded from the track: jump, repeat, inaccurate; at most 1000" },
    ),
    flaggedCount: Type.Integer(),
    sessions: Type.Array(LocationHistorySchema),
  },
  { title: "Track" },
)

const trackFormats = {
  gpx: { write: writeTracksAsGpx, type: "application/gpx+xml" },
  kml: { write: writeTracksAsKml, type: "application/vnd.google-earth.kml+xml" },
  geojson: { write: writeTracksAsGeoJson, type: "application/geo+json" },
} as const

const maxSessions = 1000

/** A person's track: simplified for a map, or complete as a file. */
export function trackRoutes(app: App, auditRead: ReadAudit): void {
  app.get("/track/:userId", {
    config: { signedIn: true, scopedToken: ["view/tracking"] },
    schema: {
      operationId: "getTrack",
      summary: "Get a person's track of a day or time range, simplified for the zoom level",
      params: TrackParams,
      querystring: TrackQuery,
      response: {
        200: Type.Object({ status: Type.Literal(true), message: Type.String(), data: TrackSchema }),
      },
    },
    async handler({ sql, caller, params, query, ip }) {
      const { person, options } = await spanOf(sql, caller, params.userId, query, app.clock.now())
      await auditRead(sql, caller, ip, { ...person, how: "track" })
      return {
        status: true as const,
        message: "Success",
        data: await trackOf(sql, caller, person, options, query),
      }
    },
  })

  app.get("/track/:userId/download", {
    config: { signedIn: true, scopedToken: ["view/tracking"], produces: "other" },
    schema: {
      operationId: "downloadTrack",
      summary: "Export a person's points of a day or time range as GPX, KML or GeoJSON",
      params: TrackParams,
      querystring: DownloadQuery,
      response: { 200: Type.Any({ description: "The file" }) },
    },
    async handler({ sql, caller, params, query, ip }, reply) {
      const { person, options } = await spanOf(sql, caller, params.userId, query, app.clock.now())
      await auditRead(sql, caller, ip, { ...person, how: "download" })
      const tracks = [writtenTrack(app.sql, person, options)]
      const { write, type } = trackFormats[query.format]
      const day = options.from.toString().slice(0, 10)
      const stem = `${person.email.replace(/[^\w.@-]/g, "_")}-${day}`
      reply.header("content-disposition", `attachment; filename="${stem}.${query.format}"`)
      reply.type(type)
      return reply.send(Readable.from(write(tracks)))
    },
  })
}

interface SpanQuery {
  date?: string
  until?: string
  timeFrom?: string
  timeTo?: string
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
  query: SpanQuery,
  now: Temporal.Instant,
): Promise<{ person: TrackPerson; options: TrackOptions }> {
  const found = await findMember(sql, caller, userId)
  if (!found || !isVisible(await visiblePeople(sql, caller), found.number)) throw locationErrors.notFound()
  const timeZone = await timeZoneOf(sql, caller.organizationId, found.userId)
  const tenant = tenantOf(caller)
  const kept = now.subtract({ hours: 24 * (await readSettings(sql, tenant)).retentionDays })
  const [from, to] = bounds(query, timeZone, now)
  const start = Temporal.Instant.compare(from, kept) < 0 ? kept : from
  return { person: { ...found, timeZone }, options: { tenant, personNumber: found.number, from: start, to } }
}

function bounds(
  query: SpanQuery,
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
  const last = query.until === undefined ? day : Temporal.PlainDate.from(query.until)
  if (Temporal.PlainDate.compare(last, day) < 0)
    throw locationErrors.badTime({ message: "until must not be before date" })
  const next = last.add({ days: 1 }).toZonedDateTime(timeZone).toInstant()
  return [day.toZonedDateTime(timeZone).toInstant(), next.subtract({ milliseconds: 1 })]
}

async function trackOf(
  sql: Sql,
  { organizationId }: Caller,
  person: TrackPerson,
  options: TrackOptions,
  query: Static<typeof TrackQuery>,
): Promise<Static<typeof TrackSchema>> {
  const zoom = query.zoom ?? 14
  const segment = await readSimplifiedTrack(sql, { ...options, createdFrom: query.createdFrom }, zoom)
  const { lng, lat, recordedAt } = segment.track
  const focus = boxOf(query.bbox)
  const line = await simplifyInThread(organizationId, segment.track, {
    zoom,
    maxVertices: query.maxVertices ?? 20_000,
    isThinned: true,
    ...(focus ? { focus } : {}),
  })
  return {
    ...person,
    from: options.from.epochMilliseconds,
    to: options.to.epochMilliseconds,
    pointCount: segment.pointCount,
    tolerancePixels: line.tolerancePixels,
    toleranceSeconds: line.toleranceSeconds,
    totalDistance: Math.round(segment.along.at(-1) ?? 0) / 1000,
    totalDuration: Math.round(((recordedAt.at(-1) ?? 0) - (recordedAt[0] ?? 0)) / 6000) / 10,
    vertices: [...line.indices].map((i) => {
      const speed = segment.speed[i] ?? Number.NaN
      return [
        lng[i] ?? 0,
        lat[i] ?? 0,
        recordedAt[i] ?? 0,
        Number.isNaN(speed) ? null : speed,
        Math.round(segment.along[i] ?? 0) / 1000,
      ]
    }),
    flagged: segment.flagged.map(({ verdict, recordedAt: time, lng: lon, lat: latitude }) => ({
      lon,
      lat: latitude,
      time,
      reason: reasonByVerdict.get(verdict) ?? "jump",
    })),
    flaggedCount: segment.flaggedCount,
    sessions: await sessionsIn(sql, options),
  }
}

const reasonByVerdict = new Map<number, VerdictName>(
  Object.entries(verdicts).map(([name, verdict]) => [verdict, name as VerdictName]),
)

async function sessionsIn(sql: Sql, { tenant, personNumber, from, to }: TrackOptions) {
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
    { page: 1, limit: maxSessions, offset: 0 },
  )
  return rows.map((row) => toWireLocation(row, tenant))
}
