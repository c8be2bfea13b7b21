import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { IdSchema, newId } from "#core/ids.ts"
import { PaginatorSchema, paginate, readPage } from "#core/paging.ts"
import { seal } from "#core/security/sealing.ts"
import { otherSystemErrors } from "./errors.ts"
import { keptDays } from "./jobs.ts"
import { findReading, keyPurpose, listReadings, type ReadingRow } from "./queries.ts"
import { checkQuery } from "./read-collection.ts"
import { endReading } from "./run-reading.ts"
import { OtherSystemBody, ReadingResponse, ReadingSchema } from "./schemas.ts"
import { startReading } from "./start-reading.ts"
import { toWireReading } from "./wire.ts"

const Params = Type.Object({ readingId: IdSchema("reading") })
const config = { permission: "import/data" as const, notFoundCode: "import-007" }

export function readingRoutes(app: App): void {
  const toWire = (row: ReadingRow) => toWireReading(row, (key) => app.links.sign(key, app.clock.now()))

  app.post("/data/import/readings", {
    config: { permission: "import/data" },
    schema: {
      operationId: "startReading",
      summary: "Start reading a list of another system in the background",
      description: `Reads from the API of Traccar, Fleetbase, Onfleet, OptimoRoute or another server with this API. Poll \`GET /data/import/readings/{readingId}\` until \`status\` is \`done\`, then send its id as \`readingId\` to \`POST /data/import/preview\` and \`POST /data/import\`, instead of a file. The key is stored encrypted and removed when the reading ends. Readings are kept for ${keptDays} days.`,
      body: OtherSystemBody,
      response: { 200: ReadingResponse },
    },
    async handler({ sql, caller, body }) {
      const { options } = checkQuery(body)
      checkAddress(options.address)
      const id = newId<"reading">(app.clock.now().epochMilliseconds)
      const sealing = { sql, config: app.settings }
      const row = await startReading(app, sql, caller, {
        id,
        system: body.system,
        collection: body.collection,
        address: options.address,
        fromDay: options.from,
        toDay: options.to,
        sealedKey: await seal(sealing, keyPurpose(id), options.token),
        dumpKey: null,
        dumpName: null,
      })
      return { status: true as const, message: "The list is being read", data: toWire(row) }
    },
  })

  app.get("/data/import/readings", {
    config: { ...config, rateBucket: "none" },
    schema: {
      operationId: "listReadings",
      summary: `List your readings of other systems of the last ${keptDays} days`,
      querystring: Type.Object({
        page: Type.Optional(Type.Integer()),
        limit: Type.Optional(Type.Integer({ description: "1 to 100, default 20" })),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: PaginatorSchema(ReadingSchema),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "import", { max: 100 })
      const { rows, total } = await listReadings(sql, caller, page)
      const data = paginate(rows.map(toWire), total, page, address)
      return { status: true as const, message: "Success", data }
    },
  })

  app.get("/data/import/readings/:readingId", {
    config: { ...config, rateBucket: "none" },
    schema: {
      operationId: "getReading",
      summary: "Get a reading of another system and its progress",
      params: Params,
      response: { 200: ReadingResponse },
    },
    async handler({ sql, caller, params }) {
      const row = await findReading(sql, caller, params.readingId)
      if (!row) throw otherSystemErrors.notFound()
      return { status: true as const, message: "Success", data: toWire(row) }
    },
  })

  app.post("/data/import/readings/:readingId/cancel", {
    config,
    schema: {
      operationId: "cancelReading",
      summary: "Cancel a reading of another system; rows read so far are removed",
      params: Params,
      response: { 200: ReadingResponse },
    },
    async handler({ sql, caller, params }) {
      const row = await findReading(sql, caller, params.readingId)
      if (!row) throw otherSystemErrors.notFound()
      const context = { sql, clock: app.clock, live: app.live, objects: app.objects }
      const ended = await endReading(context, row, { status: "cancelled" })
      if (!ended) throw otherSystemErrors.notRunning()
      return { status: true as const, message: "The reading was cancelled", data: toWire(ended) }
    },
  })
}

/** The address is stored and shown, so that nothing secret may be in it. */
function checkAddress(address: string): void {
  const refuse = (reason: string) =>
    otherSystemErrors.badChoice({ message: `address ${reason}`, fields: { address: [reason] } })
  const url = URL.parse(address)
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw refuse("must start with http:// or https://")
  if (url.username || url.password) throw refuse("must not contain a name or a password")
  if (url.search || url.hash) throw refuse("must end before the question mark")
}
