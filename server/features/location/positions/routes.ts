import type { FastifyRequest } from "fastify"
import { type Static, Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { paginate, pickFields, readDirection, readPage } from "#core/paging.ts"
import { locationErrors } from "./errors.ts"
import { findAnyRecord, findRecord } from "./records/find-record.ts"
import { countRecords, listRecords, RecordsQuery, readFilter } from "./records/list-records.ts"
import { toWireLocation } from "./records/record-rows.ts"
import {
  BulkBody,
  BulkResponse,
  LocationBody,
  LocationResponse,
  LocationsResponse,
  type WireLocation,
} from "./schemas.ts"
import type { ReadAudit } from "./sharing/read-audit.ts"
import { seesOthers, tenantOf } from "./store/people.ts"
import { type EntryOutcome, recordRaw, type WriteContext, writerOf } from "./store/record-entries.ts"
import { toWirePoint } from "./store/wire-point.ts"

/** Entries are read by `location-entry.ts`, one by one and in the wire's order of checks. */
const readByHand = { validatorCompiler: () => (value: unknown) => ({ value }) }

const maxEntries = 1000

export function recordRoutes(
  app: App,
  storing: Pick<WriteContext, "recorder" | "onPointsStored">,
  auditRead: ReadAudit,
): void {
  const contextOf = (request: FastifyRequest): WriteContext => ({
    pool: app.sql,
    sql: request.sql,
    ...storing,
    live: app.live,
    now: app.clock.now(),
  })

  app.get("/location-histories", {
    config: { signedIn: true, scopedToken: ["view/tracking"] },
    schema: {
      operationId: "listLocations",
      summary: "List positions and sessions, newest device time first",
      description: "Without view/tracking only the caller's own.",
      querystring: RecordsQuery,
      response: { 200: LocationsResponse },
    },
    async handler({ sql, caller, query, address, ip }) {
      const page = readPage(query, "lochi")
      const filter = await readFilter(sql, caller, query, app.clock.now())
      if (!query.isLatest && seesOthers(caller))
        await auditRead(sql, caller, ip, { userId: null, email: query.email ?? null, how: "list" })
      const rows = await listRecords(sql, filter, readDirection(query.sortOrder), page)
      const total = await countRecords(sql, filter)
      const tenant = tenantOf(caller)
      const data = rows.map((row) =>
        pickFields(withoutOpenFinish(toWireLocation(row, tenant)), query.fields, ["_id", "trackedTime"]),
      )
      return { status: true as const, message: "Success", tasks: paginate(data, total, page, address) }
    },
  })

  app.get("/location-history/:locationHistoryId", {
    config: { signedIn: true, scopedToken: ["view/tracking"] },
    schema: {
      operationId: "getLocation",
      summary: "Get a position or session",
      params: Type.Object({ locationHistoryId: Type.String() }),
      response: { 200: LocationResponse },
    },
    async handler({ sql, caller, params }) {
      const row = await findRecord(sql, caller, params.locationHistoryId, app.clock.now())
      if (!row) throw locationErrors.notFound()
      return {
        status: true as const,
        message: "Success",
        location_history: toWireLocation(row, tenantOf(caller)),
      }
    },
  })

  app.post("/location-history", {
    ...readByHand,
    config: { signedIn: true, scopedToken: ["edit/member"], rateBucket: "positions" },
    schema: {
      operationId: "createLocation",
      summary: "Record a position, or start or finish a session",
      body: LocationBody,
      response: { 201: LocationResponse },
    },
    async handler(request, reply) {
      const { caller, body } = request
      const context = contextOf(request)
      const [outcome] = await recordRaw(context, writerOf(caller), [body])
      if (!outcome) throw new Error("an entry has no outcome")
      if (!outcome.ok) throw outcome.refusal
      reply.code(201)
      const tenant = tenantOf(caller)
      if (outcome.kind === "point" && !outcome.stored.isDuplicate) {
        const location_history = toWirePoint(tenant, outcome.point, outcome.stored, caller.email)
        return { status: true as const, message: "Success", location_history }
      }
      const row = await findAnyRecord(context.sql, caller, outcome.id, context.now)
      if (!row) throw locationErrors.notFound()
      const warning = outcome.kind === "session" ? outcome.warning : undefined
      return {
        status: true as const,
        message: "Success",
        location_history: toWireLocation(row, tenant),
        ...(warning === undefined ? {} : { warnings: [warning] }),
      }
    },
  })

  app.post("/location-history/bulk", {
    ...readByHand,
    config: { body: "bulk", signedIn: true, scopedToken: ["edit/member"], rateBucket: "positions" },
    schema: {
      operationId: "createLocations",
      summary: "Record up to 1000 positions and session records",
      body: BulkBody,
      response: { 201: BulkResponse },
    },
    async handler(request, reply) {
      const entries = readEntries(request.body)
      const outcomes = await recordRaw(contextOf(request), writerOf(request.caller), entries)
      const location_histories = outcomes.map(toWireOutcome)
      const success = outcomes.filter((outcome) => outcome.ok).length
      // Fastify names the content type only where it writes the response itself.
      reply.code(201).type("application/json; charset=utf-8").serializer(writeBulkResponse)
      return {
        success,
        failed: outcomes.length - success,
        location_histories,
        tasks: location_histories,
      }
    },
  })
}

/** Lists leave `finish` out while a session is open; webhooks and single reads say null. */
function withoutOpenFinish({ finish, ...location }: WireLocation): WireLocation {
  return finish ? { ...location, finish } : location
}

/**
 * The wire has the outcomes twice; they are written once, and in one piece: text put together from thousands of
 * pieces took the connection a third of the call's time to flatten.
 */
function writeBulkResponse(payload: unknown): string {
  const { success, failed, location_histories } = payload as Static<typeof BulkResponse>
  const outcomes = JSON.stringify(location_histories)
  return `{"success":${success},"failed":${failed},"location_histories":${outcomes},"tasks":${outcomes}}`
}

function readEntries(body: unknown): unknown[] {
  const entries = (body as { location_histories?: unknown } | null | undefined)?.location_histories
  const fields = { location_histories: ["must be an array of 1 to 1000 entries"] }
  if (entries === undefined || entries === null)
    throw locationErrors.required({ message: "location_histories is required", fields })
  if (!Array.isArray(entries)) throw locationErrors.badArray({ fields })
  if (entries.length === 0) throw locationErrors.required({ message: "location_histories is empty", fields })
  if (entries.length > maxEntries) throw locationErrors.overLimit({ fields })
  return entries
}

function toWireOutcome(outcome: EntryOutcome) {
  if (outcome.ok) {
    const warning = outcome.kind === "session" ? outcome.warning : undefined
    const warnings = warning === undefined ? {} : { warnings: [warning] }
    return { status: true, message: "Success", _id: outcome.id, email: outcome.email, ...warnings }
  }
  return {
    status: false,
    message: outcome.refusal.message,
    _id: null,
    email: outcome.email,
    failedCode: outcome.refusal.failedCode,
  }
}
