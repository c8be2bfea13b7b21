import { type Static, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { readLine } from "#core/plain-text.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { toT2 } from "#shared/wire-time.ts"
import { findHub } from "../../../organization/hubs/index.ts"
import { geoErrors } from "../errors.ts"
import { geocode } from "./geocode.ts"
import {
  findGeotag,
  type GeotagRow,
  insertGeotag,
  listGeotags,
  removeGeotag,
  updateGeotag,
} from "./geotags.ts"

const GeotagSchema = Type.Object(
  {
    _id: IdSchema("geotag"),
    organizationId: IdSchema("organization"),
    hubId: IdSchema("hub"),
    name: Type.String(),
    geoTaggingCoordinate: Type.Object({
      type: Type.Literal("Polygon"),
      coordinates: Type.Array(Type.Array(Type.Array(Type.Number()))),
    }),
    color: Type.Union([Type.String(), Type.Null()]),
    isActive: Type.Boolean(),
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "Geotag" },
)

const drawn = {
  geoTaggingCoordinate: Type.Array(Type.String(), {
    description: '"lat, lng" of each corner',
    maxItems: 1000,
  }),
  color: Type.String({ pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$" }),
  isActive: Type.Boolean(),
}
const name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: "Unique in the hub; used as the tag",
})

const Params = Type.Object({ geotagId: IdSchema("geotag") })
const GeotagResponse = Type.Object({ status: Type.Literal(true), message: Type.String(), data: GeotagSchema })

/** Positions of addresses, and areas that give their name as a tag to what lies in them. */
export function geoRoutes(app: App): void {
  app.post("/geocode", {
    config: { admission: "waiting", permission: "route-optimization", idempotent: false },
    schema: {
      tags: ["Routes"],
      operationId: "geocodeAddresses",
      summary: "Geocode addresses",
      body: Type.Object({
        address: Type.Array(Type.String({ maxLength: 2000 }), { minItems: 1, maxItems: 500 }),
        hubCoordinate: Type.Optional(
          Type.String({ description: '"lat,lng" near which matches are preferred' }),
        ),
        radius: Type.Optional(
          Type.Number({ exclusiveMinimum: 0, description: "Metres; farther matches fail" }),
        ),
        engines: Type.Optional(
          Type.Array(Type.String(), {
            description: "Ignored: the configured engine is used",
          }),
        ),
      }),
      response: {
        200: Type.Object({
          success: Type.Boolean(),
          totalSuccess: Type.Integer(),
          totalFailed: Type.Integer(),
          message: Type.String(),
          data: Type.Array(
            Type.Object({
              address: Type.String(),
              coordinate: Type.Array(Type.Number()),
              engine: Type.String(),
            }),
          ),
          failed: Type.Array(
            Type.Object({ address: Type.String(), failedCode: Type.String(), message: Type.String() }),
          ),
        }),
      },
    },
    async handler({ body }) {
      const position = body.hubCoordinate === undefined ? undefined : parseLatLng(body.hubCoordinate)
      if (body.hubCoordinate !== undefined && !position)
        throw geoErrors.badInput({ message: 'hubCoordinate must be "latitude,longitude"' })
      const found = await geocode(
        body.address,
        { sql: app.sql, geocoderUrl: app.settings.geocoderUrl },
        {
          position,
          radiusMeters: body.radius,
        },
      )
      const data = found.flatMap(({ address, position: at, engine = "", confidence = 0 }) =>
        at ? [{ address, coordinate: [at[1], at[0]], engine, confidence }] : [],
      )
      const failed = found.flatMap(({ address, reason }) =>
        reason === undefined ? [] : [{ address, failedCode: "route-041", message: reason }],
      )
      const message =
        failed[0] && data.length === 0 ? failed[0].message : `${data.length} of ${found.length} found`
      return {
        success: data.length > 0,
        totalSuccess: data.length,
        totalFailed: failed.length,
        message,
        data,
        failed,
      }
    },
  })

  app.get("/geotagging", {
    config: { permission: "view/configuration" },
    schema: {
      operationId: "listGeotags",
      summary: "List the areas of a hub",
      querystring: Type.Object({ hubId: IdSchema("hub") }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Array(GeotagSchema),
        }),
      },
    },
    async handler({ sql, caller, query }) {
      const rows = await listGeotags(sql, caller, query.hubId)
      return { status: true as const, message: "Success", data: rows.map(toWireGeotag) }
    },
  })

  app.post("/geotagging", {
    config: { permission: "edit/configuration" },
    schema: {
      operationId: "createGeotag",
      summary: "Create an area of a hub",
      body: Type.Object({
        name,
        hubId: IdSchema("hub"),
        geoTaggingCoordinate: drawn.geoTaggingCoordinate,
        color: Type.Optional(drawn.color),
        isActive: Type.Optional(drawn.isActive),
      }),
      response: { 200: GeotagResponse },
    },
    async handler({ sql, caller, body, ip }) {
      const hub = await findHub(sql, caller, body.hubId)
      if (!hub) throw geoErrors.badHub({ fields: { hubId: ["is not one of your hubs"] } })
      const row = await inTransaction(sql, async (tx) => {
        const made = await insertGeotag(tx, caller, hub.id, {
          name: readLine(body.name, "geo", "name"),
          ring: readRing(body.geoTaggingCoordinate),
          color: body.color ?? null,
          isActive: body.isActive ?? true,
        })
        await note(tx, caller, ip, "create", made)
        return made
      })
      return { status: true as const, message: "Success", data: toWireGeotag(row) }
    },
  })

  app.patch("/geotagging/:geotagId", {
    config: { permission: "edit/configuration" },
    schema: {
      operationId: "updateGeotag",
      summary: "Change an area",
      params: Params,
      body: Type.Partial(Type.Object({ name, ...drawn, color: Type.Union([drawn.color, Type.Null()]) })),
      response: { 200: GeotagResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const row = await inTransaction(sql, async (tx) => {
        const before = await findGeotag(tx, caller, params.geotagId)
        if (!before) throw geoErrors.notFound()
        const after = await updateGeotag(tx, caller, before.id, {
          name: body.name === undefined ? before.name : readLine(body.name, "geo", "name"),
          ring: body.geoTaggingCoordinate ? readRing(body.geoTaggingCoordinate) : before.ring,
          color: body.color === undefined ? before.color : body.color,
          isActive: body.isActive ?? before.isActive,
        })
        await note(tx, caller, ip, "update", after)
        return after
      })
      return { status: true as const, message: "Success", data: toWireGeotag(row) }
    },
  })

  app.delete("/geotagging/:geotagId", {
    config: { permission: "edit/configuration" },
    schema: {
      operationId: "deleteGeotag",
      summary: "Delete an area",
      params: Params,
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, ip }) {
      await inTransaction(sql, async (tx) => {
        const gone = await removeGeotag(tx, caller, params.geotagId)
        if (!gone) throw geoErrors.notFound()
        await note(tx, caller, ip, "delete", gone)
      })
      return { status: true as const, message: "Deleted" }
    },
  })

  async function note(tx: Tx, caller: Caller, address: string, verb: string, row: GeotagRow): Promise<void> {
    await audit(tx, actorOf(caller, address), {
      action: `geotag.${verb}`,
      targetType: "geotag",
      targetId: row.id,
      targetName: row.name,
    })
    const { organizationId } = caller
    await publish(tx, app.live, "routing.settings", {
      organizationId,
      hubId: row.hubId,
      content: { hubId: row.hubId },
    })
  }
}

/** A closed ring of at least three different places. */
function readRing(corners: readonly string[]): LngLat[] {
  const ring = corners.map((corner, index): LngLat => {
    const position = parseLatLng(corner)
    if (!position)
      throw geoErrors.badInput({
        message: `geoTaggingCoordinate.${index} must be "latitude, longitude"`,
        fields: { [`geoTaggingCoordinate.${index}`]: ['must be "latitude, longitude"'] },
      })
    return position
  })
  const [first] = ring
  const last = ring.at(-1)
  const isClosed = first && last && ring.length > 1 && first[0] === last[0] && first[1] === last[1]
  const open = isClosed ? ring.slice(0, -1) : ring
  if (!first || new Set(open.map((position) => position.join(","))).size < 3) throw geoErrors.badInput()
  return [...open, first]
}

function toWireGeotag(row: GeotagRow): Static<typeof GeotagSchema> {
  return {
    _id: row.id,
    organizationId: row.organizationId,
    hubId: row.hubId,
    name: row.name,
    geoTaggingCoordinate: { type: "Polygon", coordinates: [row.ring.map((position) => [...position])] },
    color: row.color,
    isActive: row.isActive,
    createdTime: toT2(row.createdTime),
    updatedTime: toT2(row.updatedTime),
  }
}
