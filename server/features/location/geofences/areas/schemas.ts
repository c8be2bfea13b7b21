import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { areaLimits } from "#packages/geodesy/area-problem.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

const Geometry = Type.Object(
  {
    type: Type.String({
      enum: ["Polygon", "Point", "LineString"],
      description:
        "Polygon: an area, with holes if it has further rings. Point: a circle. LineString: a corridor",
    }),
    coordinates: Type.Array(Type.Unknown(), {
      maxItems: areaLimits.positions,
      description: "As in GeoJSON: longitude, then latitude, in degrees",
      examples: [
        [
          [
            [106.82, -6.18],
            [106.84, -6.18],
            [106.84, -6.16],
            [106.82, -6.18],
          ],
        ],
      ],
    }),
  },
  { title: "GeofenceGeometry" },
)

const Meters = (what: string) => Type.Union([Type.Number(), Type.Null()], { description: what })
const radiusMeters = Meters("Of a circle, up to 500,000")
const widthMeters = Meters("Of a corridor, from edge to edge, up to 100,000")
const color = Type.String({ pattern: "^#[0-9a-fA-F]{6}$", examples: ["#c7791a"] })
const hubId = Type.Union([IdSchema("hub"), Type.Null()], {
  description: "Null: a geofence of the whole organization. Otherwise it is for people of the hub",
})
const group = Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
  description: "A name that several geofences share",
})

export const GeofenceBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    group: Type.Optional(group),
    color: Type.Optional(color),
    hubId: Type.Optional(hubId),
    geometry: Geometry,
    radiusMeters: Type.Optional(radiusMeters),
    widthMeters: Type.Optional(widthMeters),
  },
  { title: "GeofenceInput" },
)
export type GeofenceInput = Static<typeof GeofenceBody>

export const GeofenceSchema = Type.Object(
  {
    _id: IdSchema("geofence"),
    name: Type.String(),
    group: NullableText,
    color: Type.String(),
    hubId,
    type: Type.String({ description: "polygon, circle or corridor" }),
    geometry: Geometry,
    radiusMeters,
    widthMeters,
    createdTime: Type.String(),
    updatedTime: Type.String(),
    updatedBy: NullableText,
  },
  { title: "Geofence" },
)

export const MapAreaSchema = Type.Object(
  {
    name: NullableText,
    kind: Type.String({ description: "Such as building, park or lake" }),
    geometry: Geometry,
    isPart: Type.Boolean({ description: "The map shows no more of it in one piece" }),
  },
  { title: "MapArea" },
)

export const ImportBody = Type.Object(
  {
    content: Type.String({ minLength: 1, description: "The file's text: GeoJSON, or KML" }),
    hubId: Type.Optional(hubId),
    group: Type.Optional(group),
  },
  { title: "GeofenceImport" },
)

export const ImportResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({
    created: Type.Integer(),
    replaced: Type.Integer({ description: "Replaced a geofence with the same name, hub and group" }),
    failed: Type.Array(Type.Object({ name: Type.String(), reason: Type.String() }), {
      description: "The first 100 that are no valid geofence; the others were imported",
    }),
    totalFailed: Type.Integer(),
  }),
})

/** A feature collection; circles are points with `radiusMeters`, corridors lines with `widthMeters`. */
export const GeoJsonResponse = Type.Object({
  type: Type.Literal("FeatureCollection"),
  features: Type.Array(
    Type.Object({
      type: Type.Literal("Feature"),
      id: Type.String(),
      properties: Type.Object({
        name: Type.String(),
        group: NullableText,
        color: Type.String(),
        hubId,
        radiusMeters: Type.Optional(Type.Number()),
        widthMeters: Type.Optional(Type.Number()),
      }),
      geometry: Geometry,
    }),
  ),
})
