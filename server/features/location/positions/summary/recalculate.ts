import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { defineJob, longQueue, send } from "#core/jobs/define-job.ts"
import { formatLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { roadSupplyOf } from "../../roads/index.ts"
import { locationErrors } from "../errors.ts"
import { readTrack } from "../read-track.ts"
import { checkOwn } from "../records/change-record.ts"
import { findRecord } from "../records/find-record.ts"
import { type RecordRow, toWireLocation } from "../records/record-rows.ts"
import { LocationHistorySchema } from "../schemas.ts"
import { type Tenant, tenantOf } from "../store/people.ts"
import { judgeTrack, verdicts } from "../track/plausibility.ts"
import { orderedTrack } from "../track/track.ts"
import { type LegBatch, type RoadPoint, roadLegs } from "./road-distances.ts"

const RecalculateResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({
    background: Type.Boolean(),
    locationHistory: LocationHistorySchema,
    payload: Type.Object({
      coordinates: Type.Array(
        Type.Object({ coordinateOrigin: Type.String(), coordinateDestination: Type.String() }),
      ),
      countryCode: Type.Union([Type.String(), Type.Null()]),
    }),
    result: Type.Array(
      Type.Object({
        status: Type.Boolean(),
        message: Type.String(),
        data: Type.Array(Type.Object({ distance: Type.Number(), time: Type.Number() })),
      }),
    ),
  }),
})

/** Measures a finished session again, along the roads when an engine is configured. */
export function recalculateRoutes(app: App): void {
  app.post("/location-history/recalculate-distance", {
    config: { signedIn: true, scopedToken: ["view/tracking"] },
    schema: {
      operationId: "recalculateDistance",
      summary: "Recalculate the distance of a finished session along roads",
      description: "Without a routing engine the distances are great circles, and the messages say so.",
      body: Type.Object({
        locationHistoryId: Type.String({ minLength: 1 }),
        background: Type.Boolean(),
      }),
      response: { 200: RecalculateResponse },
    },
    async handler({ sql, caller, body }) {
      const { background } = body
      const session = await finishedSession(sql, caller, body.locationHistoryId, app.clock.now())
      const tenant = tenantOf(caller)
      const points = await pointsOf(sql, tenant, session)
      const payload = { coordinates: pairsOf(points), countryCode: await countryOf(sql, tenant) }
      if (background) {
        await inTransaction(sql, (tx) =>
          send(
            tx,
            recalculateDistance,
            {
              organizationId: tenant.organizationId,
              locationHistoryId: session.sessionId ?? "",
              writer: caller.email,
            },
            { queue: longQueue("outside", tenant.organizationId) },
          ),
        )
        const locationHistory = toWireLocation(session, tenant)
        const message = "The distance is being recalculated"
        return { status: true as const, message, data: { background, locationHistory, payload, result: [] } }
      }
      const result = await roadLegs(
        points,
        roadSupplyOf({ config: app.settings, sql: app.sql, objects: app.objects }, tenant.organizationId),
      )
      await writeResult(sql, tenant, session.sessionId ?? "", result, caller.email, app.clock.now())
      const after = await findRecord(sql, caller, body.locationHistoryId, app.clock.now())
      const locationHistory = toWireLocation(after ?? session, tenant)
      return {
        status: true as const,
        message: "Success",
        data: { background, locationHistory, payload, result },
      }
    },
  })
}

export const recalculateDistance = defineJob({
  name: "location.recalculate-distance",
  payload: Type.Object({
    organizationId: Type.String(),
    locationHistoryId: Type.String(),
    writer: Type.String(),
  }),
  maxAttempts: 3,
  timeoutSeconds: 600,
  isLong: true,
  async handle({ sql, clock, config, objects, signal }, { organizationId, locationHistoryId, writer }) {
    const [organization] = await sql<{ number: number }[]>`
      select number from organizations where id = ${organizationId}`
    if (!organization) return
    const tenant = { organizationId, organizationNumber: organization.number }
    const session = await sessionById(sql, tenant, locationHistoryId)
    if (!session) return
    const result = await roadLegs(
      await pointsOf(sql, tenant, session),
      roadSupplyOf({ config, sql, objects }, organizationId),
      signal,
    )
    await writeResult(sql, tenant, locationHistoryId, result, writer, clock.now())
  },
})

interface SessionSpan {
  sessionId: string | null
  personNumber: number
  lat: number
  lng: number
  startedAt: Temporal.Instant | null
  finish: { at: string; lat: number; lng: number } | null
}

async function finishedSession(
  sql: Sql,
  caller: Caller,
  id: string,
  now: Temporal.Instant,
): Promise<RecordRow> {
  const row = await findRecord(sql, caller, id, now)
  if (!row) throw locationErrors.notFound()
  checkOwn(caller, row.personNumber === caller.userNumber)
  if (row.kind !== "session") throw locationErrors.badState({ message: "This record is not a session" })
  if (!row.finish) throw locationErrors.badState({ message: "This session is still open. Finish it first" })
  return row
}

async function sessionById(sql: Sql, tenant: Tenant, id: string): Promise<SessionSpan | undefined> {
  const rows = await sql<SessionSpan[]>`
    select id as session_id, person_number, lat, lng, started_at,
      jsonb_build_object('at', finished_at, 'lat', finish_lat, 'lng', finish_lng) as finish
    from location_sessions
    where organization_number = ${tenant.organizationNumber} and id = ${id} and finished_at is not null`
  return rows[0]
}

/** Start, plausible points and finish, in time order. */
async function pointsOf(sql: Sql, tenant: Tenant, session: SessionSpan): Promise<RoadPoint[]> {
  const { startedAt, finish, personNumber } = session
  if (!startedAt || !finish) return []
  const to = Temporal.Instant.from(finish.at)
  const { points } = await readTrack(sql, { tenant, personNumber, from: startedAt, to })
  const judged = judgeTrack(orderedTrack(points))
  const travelled = points.filter(
    (_, index) => judged[index] === verdicts.plausible || judged[index] === verdicts.restart,
  )
  return [
    { position: [session.lng, session.lat], at: startedAt.epochMilliseconds },
    ...travelled.map((point) => ({ position: point.position, at: point.recordedAt })),
    { position: [finish.lng, finish.lat], at: to.epochMilliseconds },
  ]
}

function pairsOf(points: readonly RoadPoint[]) {
  return points.slice(1).map((point, index) => ({
    coordinateOrigin: formatLatLng(points[index]?.position ?? point.position),
    coordinateDestination: formatLatLng(point.position),
  }))
}

async function countryOf(sql: Sql, tenant: Tenant): Promise<string | null> {
  const rows = await sql<{ countryCode: string | null }[]>`
    select country_code from organizations where id = ${tenant.organizationId}`
  return rows[0]?.countryCode ?? null
}

async function writeResult(
  sql: Sql,
  tenant: Tenant,
  id: string,
  result: readonly LegBatch[],
  writer: string,
  now: Temporal.Instant,
): Promise<void> {
  const legs = result.flatMap((batch) => batch.data)
  const sum = (read: (leg: { distance: number; time: number }) => number) =>
    Math.round(legs.reduce((total, leg) => total + read(leg), 0) * 1000) / 1000
  await sql`
    update location_sessions set total_distance = ${sum((leg) => leg.distance)}, total_duration = ${sum((leg) => leg.time)},
      is_recalculated = true, updated_by = ${writer}, updated_at = ${now}
    where organization_number = ${tenant.organizationNumber} and id = ${id}`
}
