import { Type } from "typebox"
import { buildStatuses, type MapBuild, type MapRegion } from "./queries.ts"

const Timestamp = Type.String({ format: "date-time" })

export const MapRegionSchema = Type.Object(
  {
    name: Type.String(),
    version: Type.String({ description: "Changes with each build" }),
    bounds: Type.Array(Type.Number(), { description: "West, south, east, north in degrees" }),
    bytes: Type.Integer({ description: "Size of all files of the map" }),
    attribution: Type.String(),
    source: Type.String({ description: "File or address that the map was built from" }),
    dataTime: Type.Union([Timestamp, Type.Null()], { description: "State of OpenStreetMap in the extract" }),
    builtTime: Timestamp,
    report: Type.Record(
      Type.String(),
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    ),
  },
  { title: "MapRegion" },
)

export const MapBuildSchema = Type.Object(
  {
    id: Type.String(),
    region: Type.String(),
    status: Type.Unsafe<MapBuild["status"]>(Type.String({ enum: [...buildStatuses] })),
    source: Type.String(),
    step: Type.Union([Type.String(), Type.Null()]),
    progress: Type.Number({ description: "Share of the step, 0 to 1" }),
    error: Type.Union([Type.String(), Type.Null()]),
    requestedBy: Type.String(),
    createdTime: Timestamp,
    updatedTime: Timestamp,
  },
  { title: "MapBuild" },
)

export function toWireRegion(region: MapRegion) {
  const { name, version, attribution, source, report, west, south, east, north } = region
  return {
    name,
    version,
    bounds: [west, south, east, north],
    bytes: Object.values(region.files).reduce((sum, bytes) => sum + bytes, 0),
    attribution,
    source,
    dataTime: region.dataTime?.toString() ?? null,
    builtTime: region.builtAt.toString(),
    report: { ...report },
  }
}

export function toWireBuild(build: MapBuild) {
  const { id, region, status, source, step, progress, error, requestedBy } = build
  return {
    id,
    region,
    status,
    source,
    step,
    progress,
    error,
    requestedBy,
    createdTime: build.createdAt.toString(),
    updatedTime: build.updatedAt.toString(),
  }
}
