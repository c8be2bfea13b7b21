import { Readable } from "node:stream"
import { type Static, Type } from "typebox"
import { type Caller, hasHub } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readPage } from "#core/paging.ts"
import { readLine } from "#core/plain-text.ts"
import { type WrittenFeature, writeFeaturesAsKml } from "#packages/geo-files/write-features.ts"
import type { BoundingBox } from "#packages/geodesy/geodesy.ts"
import { toT2 } from "#shared/wire-time.ts"
import { findHub } from "../../../organization/hubs/index.ts"
import { boxOf } from "../../positions/index.ts"
import {
  deleteGeofence,
  findGeofence,
  type GeofenceRow,
  type GeofenceValues,
  insertGeofences,
  listGeofences,
  maxGeofences,
  updateGeofence,
} from "./areas.ts"
import { geofenceErrors } from "./errors.ts"
import { firstColor, importGeofences } from "./import-geofences.ts"
import { mapAreaAt } from "./map-area.ts"
import {
  GeofenceBody,
  type GeofenceInput,
  GeofenceSchema,
  GeoJsonResponse,
  ImportBody,
  ImportResponse,
  MapAreaSchema,
} from "./schemas.ts"
import { checkedShape, geometryOf } from "./shapes.ts"

const Params = Type.Object({ geofenceId: IdSchema("geofence") })
const Filter = {
  hubId: Type.Optional(IdSchema("hub")),
  group: Type.Optional(Type.String()),
  q: Type.Optional(Type.String({ description: "Part of the name" })),
  bbox: Type.Optional(
    Type.String({
      description:
        "west,south,east,north in degrees: those whose box touches it. West is greater across the antimeridian",
      examples: ["106.7,-6.3,106.9,-6.1"],
    }),
  ),
}
const FilterQuery = Type.Object(Filter)
const OneGeofence = Type.Object({ status: Type.Literal(true), message: Type.String(), data: GeofenceSchema })
const editing = { permission: "edit/hub" } as const

/** Geofences: areas that people enter and leave. Visits are in `GET /location-visits`. */
export function areaRoutes(app: App): void {
  const changed = (tx: Tx, { organizationId }: Pick<Caller, "organizationId">, hubId: string | null) =>
    publish(tx, app.live, "geofence.changed", { organizationId, hubId, content: {} })

  app.get("/geofences", {
    config: { permission: "view/tracking" },
    schema: {
      operationId: "listGeofences",
      summary: "List geofences of the organization and of the caller's hubs",
      querystring: Type.Object({ page: ListQuery.page, limit: ListQuery.limit, ...Filter }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: PaginatorSchema(GeofenceSchema),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "geofn")
      const { rows, total } = await listGeofences(
        sql,
        caller,
        { ...query, box: unwrapped(boxOf(query.bbox)) },
        page,
      )
      const data = paginate(rows.map(toWireGeofence), total, page, address)
      return { status: true as const, message: "Success", data }
    },
  })

  app.get("/geofences/geojson", {
    config: { permission: "view/tracking" },
    schema: {
      operationId: "exportGeofences",
      summary: "Export geofences as GeoJSON",
      description:
        "Circles are points with radiusMeters, corridors lines with widthMeters; the import reads them back.",
      querystring: FilterQuery,
      response: { 200: GeoJsonResponse },
    },
    async handler({ sql, caller, query }, reply) {
      const features = await listFeatures(sql, caller, query)
      reply.header("content-disposition", 'attachment; filename="geofences.geojson"')
      return { type: "FeatureCollection" as const, features }
    },
  })

  app.get("/geofences/kml", {
    config: { permission: "view/tracking", produces: "other" },
    schema: {
      operationId: "exportGeofencesAsKml",
      summary: "Export geofences as KML",
      description:
        "Groups, colours and sizes of circles and corridors are extended data; the import reads them back.",
      querystring: FilterQuery,
      response: { 200: Type.Any({ description: "The file" }) },
    },
    async handler({ sql, caller, query }, reply) {
      const features = (await listFeatures(sql, caller, query)).map(toWritten)
      reply.header("content-disposition", 'attachment; filename="geofences.kml"')
      reply.type("application/vnd.google-earth.kml+xml")
      return reply.send(Readable.from(writeFeaturesAsKml(features, "Geofences")))
    },
  })

  app.get("/geofences/map-area", {
    config: editing,
    schema: {
      operationId: "getMapArea",
      summary: "Get the smallest building, park, lake or other area of the street map at a place",
      description:
        "To make a geofence of it. Areas that reach beyond one tile of the map are returned from a coarser one.",
      querystring: Type.Object({
        lat: Type.Number({ minimum: -85, maximum: 85 }),
        lon: Type.Number({ minimum: -180, maximum: 180 }),
      }),
      response: {
        200: Type.Object({ status: Type.Literal(true), message: Type.String(), data: MapAreaSchema }),
      },
    },
    async handler({ query: { lat, lon } }) {
      const context = { sql: app.sql, objects: app.objects, config: app.settings }
      const area = await mapAreaAt(context, { lat, lng: lon })
      if (!area) throw geofenceErrors.noArea()
      const { rings, ...about } = area
      const data = { ...about, geometry: { type: "Polygon", coordinates: rings } }
      return { status: true as const, message: "Success", data }
    },
  })

  app.get("/geofence/:geofenceId", {
    config: { permission: "view/tracking" },
    schema: {
      operationId: "getGeofence",
      summary: "Get a geofence",
      params: Params,
      response: { 200: OneGeofence },
    },
    async handler({ sql, caller, params }) {
      const data = toWireGeofence(await findGeofence(sql, caller, params.geofenceId))
      return { status: true as const, message: "Success", data }
    },
  })

  app.post("/geofence", {
    config: editing,
    schema: {
      operationId: "createGeofence",
      summary: "Create a geofence",
      description: `A polygon, a circle (Point with radiusMeters) or a corridor (LineString with widthMeters). Edges are great circles. At most ${maxGeofences} for an organization.`,
      body: GeofenceBody,
      response: { 201: OneGeofence },
    },
    async handler({ sql, caller, body, ip }, reply) {
      const row = await inTransaction(sql, async (tx) => {
        const values = await readValues(tx, caller, body)
        const [made] = await insertGeofences(tx, caller, [values], app.clock.now())
        if (!made) throw new Error("a geofence was not written")
        await audit(tx, actorOf(caller, ip), entryOf("create", made, values))
        await changed(tx, caller, made.hubId)
        return made
      })
      reply.code(201)
      return { status: true as const, message: "Geofence created", data: toWireGeofence(row) }
    },
  })

  app.put("/geofence/:geofenceId", {
    config: editing,
    schema: {
      operationId: "updateGeofence",
      summary: "Replace a geofence",
      description: "Visits that have been recorded stay as they are.",
      params: Params,
      body: GeofenceBody,
      response: { 200: OneGeofence },
    },
    async handler({ sql, caller, params, body, ip }) {
      const row = await inTransaction(sql, async (tx) => {
        const before = await findGeofence(tx, caller, params.geofenceId)
        const values = await readValues(tx, caller, body)
        const after = await updateGeofence(tx, caller, before.id, values, app.clock.now())
        await audit(tx, actorOf(caller, ip), { ...entryOf("update", after, values), before: before.shape })
        await changed(tx, caller, after.hubId)
        return after
      })
      return { status: true as const, message: "Saved", data: toWireGeofence(row) }
    },
  })

  app.delete("/geofence/:geofenceId", {
    config: editing,
    schema: {
      operationId: "deleteGeofence",
      summary: "Delete a geofence",
      description: "Visits that have been recorded stay; who is inside leaves it at this moment.",
      params: Params,
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, ip }) {
      await inTransaction(sql, async (tx) => {
        const row = await findGeofence(tx, caller, params.geofenceId)
        await deleteGeofence(tx, row.organizationId, row.id, app.clock.now())
        await audit(tx, actorOf(caller, ip), entryOf("delete", row))
        await changed(tx, caller, row.hubId)
      })
      return { status: true as const, message: "The geofence has been deleted" }
    },
  })

  app.post("/geofences/import", {
    config: { ...editing, body: "bulk" },
    schema: {
      operationId: "importGeofences",
      summary: "Import geofences from GeoJSON or KML",
      description:
        "Polygons, lines and points with their names, groups (folders) and colours. A geofence replaces an existing one with the same name, hub and group. Points and lines without a size get 100 metres.",
      body: ImportBody,
      response: { 200: ImportResponse },
    },
    async handler({ sql, caller, body, ip }) {
      const data = await inTransaction(sql, async (tx) => {
        const hubId = await readHub(tx, caller, body.hubId)
        const group = readGroup(body.group)
        const result = await importGeofences(
          tx,
          caller,
          { content: body.content, hubId, group },
          app.clock.now(),
        )
        const after = { ...result, failed: result.totalFailed }
        await audit(tx, actorOf(caller, ip), { action: "geofence.import", targetType: "geofence", after })
        await changed(tx, caller, hubId)
        return result
      })
      return { status: true as const, message: `${data.created} created, ${data.replaced} replaced`, data }
    },
  })
}

const unwrapped = (box: BoundingBox | undefined) =>
  box && { ...box, east: box.east < box.west ? box.east + 360 : box.east }

async function readValues(sql: Sql, caller: Caller, body: GeofenceInput): Promise<GeofenceValues> {
  return {
    hubId: await readHub(sql, caller, body.hubId),
    name: readLine(body.name, "geofn", "name"),
    group: readGroup(body.group),
    color: (body.color ?? firstColor).toLowerCase(),
    shape: checkedShape(body.geometry, body),
  }
}

async function readHub(sql: Sql, caller: Caller, hubId: string | null | undefined): Promise<string | null> {
  if (hubId === null || hubId === undefined) return null
  const id = hubId.toLowerCase()
  if (!hasHub(caller, id) || !(await findHub(sql, caller, id))) throw geofenceErrors.badHub()
  return id
}

const readGroup = (group: string | null | undefined) =>
  group === null || group === undefined || group.trim() === "" ? null : readLine(group, "geofn", "group")

function entryOf(action: string, { id, name }: GeofenceRow, after?: GeofenceValues) {
  const rest = after ? { after } : {}
  return { action: `geofence.${action}`, targetType: "geofence", targetId: id, targetName: name, ...rest }
}

function toWireGeofence(row: GeofenceRow) {
  const { shape } = row
  return {
    _id: row.id,
    name: row.name,
    group: row.groupName,
    color: row.color,
    hubId: row.hubId as GeofenceInput["hubId"] & (string | null),
    type: shape.kind,
    geometry: geometryOf(shape),
    radiusMeters: shape.kind === "circle" ? shape.radiusMeters : null,
    widthMeters: shape.kind === "corridor" ? shape.widthMeters : null,
    createdTime: toT2(row.createdTime),
    updatedTime: toT2(row.updatedTime),
    updatedBy: row.updatedBy,
  }
}

async function listFeatures(sql: Sql, caller: Caller, query: Static<typeof FilterQuery>) {
  const page = { page: 1, offset: 0, limit: maxGeofences }
  const { rows } = await listGeofences(sql, caller, { ...query, box: unwrapped(boxOf(query.bbox)) }, page)
  return rows.map(toFeature)
}

function toWritten({ properties, geometry }: ReturnType<typeof toFeature>): WrittenFeature {
  const { name, group, color, radiusMeters, widthMeters } = properties
  const values = Object.entries({ group, color, radiusMeters, widthMeters }).map(([key, value]) => ({
    ...{ key, title: key },
    text: String(value ?? ""),
  }))
  return { name, geometry, values }
}

function toFeature(row: GeofenceRow) {
  const { _id, name, group, color, hubId, geometry, radiusMeters, widthMeters } = toWireGeofence(row)
  return {
    type: "Feature" as const,
    id: _id,
    properties: {
      ...{ name, group, color, hubId },
      ...(radiusMeters === null ? {} : { radiusMeters }),
      ...(widthMeters === null ? {} : { widthMeters }),
    },
    geometry,
  }
}
