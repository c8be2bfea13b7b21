import type { FastifyRequest } from "fastify"
import { Type } from "typebox"
import { type App, inScope } from "#core/http/types.ts"
import type { AppSource, WriteContext } from "../positions/index.ts"
import { deviceErrors } from "./errors.ts"
import { friendsOf } from "./friends.ts"
import { findHolder } from "./keys.ts"
import { deviceKeyOf } from "./protocols/credentials.ts"
import type { DeviceReport, DeviceRequest } from "./protocols/device-report.ts"
import { parseGpx } from "./protocols/gpx.ts"
import { parseOsmAnd } from "./protocols/osmand.ts"
import { overlandResponse, parseOverland } from "./protocols/overland.ts"
import { ownTracksResponse, parseOwnTracks } from "./protocols/owntracks.ts"
import { recordReport } from "./record-report.ts"

type Storing = Pick<WriteContext, "recorder" | "onPointsStored">

/**
 * Where phone apps and trackers send to. Apps repeat what is not answered with 200 before anything newer, so
 * what can never be stored is answered like what was; 429 and 5xx mean that sending again helps. Only a key
 * that does not work is 401: a phone then keeps its positions until it gets a new one.
 */
export function deviceProtocolRoutes(app: App, storing: Storing): void {
  inScope(app, (routes) => {
    routes.removeAllContentTypeParsers()
    routes.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body))
    protocolRoutes(routes, storing)
  })
}

function protocolRoutes(app: App, storing: Storing): void {
  const config = { public: true, body: "device", rateBucket: "positions", produces: "other" } as const
  const contextOf = (request: FastifyRequest): WriteContext => ({
    pool: app.sql,
    sql: request.sql,
    ...storing,
    live: app.live,
    now: app.clock.now(),
  })
  const receive = async (
    request: FastifyRequest,
    protocol: AppSource,
    parse: (device: DeviceRequest) => DeviceReport | Promise<DeviceReport>,
  ) => {
    const device = toDeviceRequest(request, app.clock.now())
    const key = deviceKeyOf(device)
    const known = key === undefined ? undefined : await findHolder(app.sql, key)
    // Traccar Client shows its key as the identifier of the device, which the report contains.
    if (!known && protocol !== "osmand") throw deviceErrors.badKey()
    const report = await parse(device)
    const holder = known ?? (report.deviceId ? await findHolder(app.sql, report.deviceId) : undefined)
    if (!holder) throw deviceErrors.badKey()
    const outcome = await recordReport(contextOf(request), holder, protocol, report)
    return { holder, outcome }
  }

  for (const method of ["GET", "POST"] as const)
    app.route({
      method,
      url: "/device/osmand",
      exposeHeadRoute: false,
      config,
      schema: {
        operationId: method === "GET" ? "sendOsmAndPosition" : "sendOsmAndPositions",
        summary: "OsmAnd protocol: OsmAnd, Traccar Client and many trackers",
        description: "`key=` in the address, or the key as device identifier.",
        response: { 200: Type.String({ description: "Empty" }) },
      },
      handler: async (request, reply) => {
        const { outcome } = await receive(request, "osmand", parseOsmAnd)
        reply.header("x-stored", outcome.stored)
        return reply.type("text/plain").send("")
      },
    })

  app.post("/device/owntracks", {
    config,
    schema: {
      operationId: "sendOwnTracksMessage",
      summary: "OwnTracks in HTTP mode",
      description:
        "The key as password of Basic authentication. Returns where colleagues are, as far as the sender may see them.",
      response: { 200: Type.Any({ description: "Array of OwnTracks messages" }) },
    },
    async handler(request) {
      const { holder } = await receive(request, "owntracks", parseOwnTracks)
      return ownTracksResponse(await friendsOf(app.sql, holder, app.clock.now()))
    },
  })

  app.post("/device/overland", {
    config,
    schema: {
      operationId: "sendOverlandBatch",
      summary: "Overland: a batch of GeoJSON positions",
      description: "The key as access token.",
      response: { 200: Type.Object({ result: Type.Literal("ok") }) },
    },
    async handler(request) {
      await receive(request, "overland", parseOverland)
      return overlandResponse
    },
  })

  app.post("/device/gpx", {
    config: { ...config, body: "track" },
    schema: {
      operationId: "sendGpxFile",
      summary: "Track points of a GPX file",
      description: "The key as `key=` in the address or as bearer. The file is the body.",
      response: {
        200: Type.Object({
          status: Type.Boolean(),
          message: Type.String(),
          stored: Type.Integer(),
          refused: Type.Integer(),
          refusals: Type.Array(
            Type.Object({ index: Type.Union([Type.Integer(), Type.Null()]), message: Type.String() }),
          ),
        }),
      },
    },
    async handler(request) {
      const { outcome } = await receive(request, "gpx", (device) => parseGpx(device.body))
      const [first] = outcome.refused
      const isNothing = outcome.stored === 0 && first !== undefined
      if (isNothing && first.index === null) throw deviceErrors.notReadable({ message: first.message })
      return {
        status: true,
        message: "Success",
        stored: outcome.stored,
        refused: outcome.refused.length,
        refusals: outcome.refused.slice(0, 100),
      }
    },
  })
}

function toDeviceRequest(request: FastifyRequest, now: Temporal.Instant): DeviceRequest {
  const question = request.url.indexOf("?")
  return {
    headers: request.headers,
    query: new URLSearchParams(question < 0 ? "" : request.url.slice(question + 1)),
    body: Buffer.isBuffer(request.body) ? request.body : new Uint8Array(),
    receivedAt: new Date(now.epochMilliseconds),
  }
}
