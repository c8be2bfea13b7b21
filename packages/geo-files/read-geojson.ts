import {
  type GeoCounter,
  type GeoFeature,
  GeoFileError,
  type GeoLimits,
  type Geometry,
  type GeoPosition,
  type GeoTrack,
  type GeoValue,
  geoCounter,
} from "./feature.ts"
import { altitudeOf, BadCoordinates, lineOf, positionOf, ringOf } from "./geometry.ts"
import { instantOf, trackBuilder } from "./track-builder.ts"

type JsonObject = Readonly<Record<string, unknown>>

/**
 * GeoJSON (RFC 7946): a FeatureCollection, a Feature or a geometry. A line with a time for each coordinate
 * (`coordinateProperties.times` or `coordTimes`) is a movement.
 */
export function readGeoJson(
  text: string,
  limits: GeoLimits,
): { features: GeoFeature[]; tracks: readonly GeoTrack[] } {
  const count = geoCounter(limits)
  const features: GeoFeature[] = []
  const tracks: GeoTrack[] = []
  for (const feature of featuresIn(parse(text, limits))) {
    const track = trackOf(feature, count)
    if (track) tracks.push(track)
    else features.push(featureOf(feature, count))
  }
  return { features, tracks }
}

function parse(text: string, { maxDepth }: GeoLimits): unknown {
  // Before parsing: text of nothing but brackets would become millions of objects.
  let depth = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isText) {
      if (code === 0x5c /* \ */) at++
      else if (code === 0x22 /* " */) isText = false
    } else if (code === 0x22) isText = true
    else if (code === 0x5b /* [ */ || code === 0x7b /* { */) {
      if (++depth > maxDepth)
        throw new GeoFileError("too-deep", `The file nests more than ${maxDepth} arrays and objects`)
    } else if (code === 0x5d /* ] */ || code === 0x7d /* } */) depth--
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it is no JSON"
    throw new GeoFileError("damaged", `The file is damaged or incomplete: ${reason}`, { cause: error })
  }
}

const geometryTypes = new Set([
  "Point",
  "MultiPoint",
  "LineString",
  "MultiLineString",
  "Polygon",
  "MultiPolygon",
  "GeometryCollection",
])

function featuresIn(root: unknown): JsonObject[] {
  const { type, features } = objectOf(root)
  if (type === "FeatureCollection" && Array.isArray(features)) return features.map(objectOf)
  if (type === "Feature") return [objectOf(root)]
  if (typeof type === "string" && geometryTypes.has(type)) return [{ geometry: root }]
  throw new GeoFileError("wrong-type", "The file is JSON, but not GeoJSON")
}

function featureOf(feature: JsonObject, count: GeoCounter): GeoFeature {
  count.feature()
  const given = objectOf(feature.properties)
  const named = (word: RegExp) =>
    Object.keys(given).find((key) => word.test(key) && typeof given[key] === "string")
  const [nameKey, descriptionKey] = [named(/^name$/i) ?? named(/^title$/i), named(/^desc(ription)?$/i)]
  const textAt = (key: string | undefined) => (key === undefined ? "" : count.text(String(given[key])))
  const properties: Record<string, GeoValue> = {}
  const { id } = feature
  if (typeof id === "string" || typeof id === "number") properties.id = id
  for (const [key, value] of Object.entries(given)) {
    if (key === nameKey || key === descriptionKey || key === "" || value === null) continue
    const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    const plain = isPlain ? value : JSON.stringify(value)
    properties[count.text(key)] = typeof plain === "string" ? count.text(plain) : plain
  }
  const about = { name: textAt(nameKey), description: textAt(descriptionKey), properties }
  try {
    return { ...about, geometries: geometriesOf(feature.geometry, count) }
  } catch (error) {
    if (!(error instanceof BadCoordinates)) throw error
    return { ...about, geometries: [], problem: error.message }
  }
}

function geometriesOf(value: unknown, count: GeoCounter): Geometry[] {
  if (value === null || value === undefined) return []
  const { type, coordinates, geometries } = objectOf(value)
  const position = (item: unknown) => readPosition(item, count)
  const positions = (items: unknown) => listOf(items).map(position)
  const line = (items: unknown): Geometry => ({ type: "LineString", coordinates: lineOf(positions(items)) })
  const polygon = (rings: unknown): Geometry => {
    const read = listOf(rings).map((ring) => ringOf(positions(ring)))
    if (read.length === 0) throw new BadCoordinates("an area has no corners")
    return { type: "Polygon", coordinates: read }
  }
  switch (type) {
    case "Point":
      return [{ type, coordinates: position(coordinates) }]
    case "MultiPoint":
      return listOf(coordinates).map((item) => ({ type: "Point", coordinates: position(item) }))
    case "LineString":
      return [line(coordinates)]
    case "MultiLineString":
      return listOf(coordinates).map(line)
    case "Polygon":
      return [polygon(coordinates)]
    case "MultiPolygon":
      return listOf(coordinates).map(polygon)
    case "GeometryCollection":
      return listOf(geometries).flatMap((item) => geometriesOf(item, count))
    default:
      throw new BadCoordinates("the geometry has no known type")
  }
}

function readPosition(value: unknown, count: GeoCounter): GeoPosition {
  count.position()
  const [longitude, latitude, altitude] = listOf(value)
  return positionOf(longitude, latitude, altitude)
}

function trackOf(feature: JsonObject, count: GeoCounter): GeoTrack | undefined {
  const { type, coordinates } = objectOf(feature.geometry)
  const properties = objectOf(feature.properties)
  const times = objectOf(properties.coordinateProperties).times ?? properties.coordTimes
  if (type !== "LineString" || !Array.isArray(times) || !Array.isArray(coordinates)) return undefined
  const track = trackBuilder(count)
  const { name } = properties
  if (typeof name === "string") track.name = count.text(name)
  for (const [index, item] of coordinates.entries()) {
    const [lng, lat, altitude] = Array.isArray(item) ? item : []
    const time: unknown = times[index]
    const recordedAt = typeof time === "string" ? instantOf(time) : undefined
    track.add(lng, lat, { recordedAt, altitudeMeters: altitudeOf(altitude) })
  }
  return track.build()
}

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new BadCoordinates("the coordinates are not as GeoJSON has them")
  return value
}
