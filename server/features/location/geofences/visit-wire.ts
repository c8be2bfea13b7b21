import { Type } from "typebox"
import { hubRadiusMeters, taskRadiusMeters } from "#packages/geodesy/fence-radius.ts"
import { toT1 } from "#shared/wire-time.ts"
import { type PlaceType, placeTypes } from "./fences.ts"
import type { VisitRow } from "./list-visits.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
export const PlaceTypeSchema = Type.Unsafe<PlaceType>(Type.String({ enum: [...placeTypes] }))

export const VisitSchema = Type.Object(
  {
    _id: Type.String(),
    userId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    placeType: PlaceTypeSchema,
    placeId: Type.String(),
    placeName: Type.Union([Type.String(), Type.Null()], {
      description:
        "Name of the hub or geofence, or title of the task; null where it is gone, or not the caller's to see",
    }),
    lat: Type.Union([Type.Number(), Type.Null()]),
    lon: Type.Union([Type.Number(), Type.Null()]),
    radiusMeters: Type.Union([Type.Number(), Type.Null()], {
      description: "Null, like lat and lon, for geofences: they have their own shape",
    }),
    arrivedTime: Type.String(),
    leftTime: NullableText,
  },
  { title: "Visit" },
)

const radiusOf = { hub: hubRadiusMeters, task: taskRadiusMeters, geofence: null } as const

export function toWireVisit(row: VisitRow) {
  return {
    _id: row.id,
    userId: row.userId,
    email: row.email,
    name: row.name,
    placeType: row.placeType,
    placeId: row.placeId,
    placeName: row.placeName,
    lat: row.lat,
    lon: row.lng,
    radiusMeters: radiusOf[row.placeType],
    arrivedTime: toT1(row.arrivedAt),
    leftTime: row.leftAt ? toT1(row.leftAt) : null,
  }
}
