import type { Pool } from "#core/database/database.ts"
import { distanceMeters } from "#packages/geodesy/geodesy.ts"
import { isMotorized, unreachable } from "../../../../../packages/road-network/index.ts"
import type { MapRegion } from "../../maps/index.ts"
import type { PlaceOnRoad, RoadJob, RoadOutput } from "../road-jobs.ts"
import type { RoadMaps } from "../road-maps.ts"
import type { RoadRoute } from "../road-routes.ts"
import { atSpeedsOf } from "../speeds/speed-store.ts"
import { OsrmError } from "./osrm-error.ts"
import { indexesOf, isSet, numbersOf, type OsrmRequest, waypointsOf, wordOf } from "./parse-request.ts"
import { type Annotations, type RouteFormat, routeOf, waypointOf } from "./write-response.ts"

/** Who asks, and where the roads are. */
export interface OsrmContext {
  maps: RoadMaps
  caller: { organizationId: string; signal?: AbortSignal }
  sql: Pool
}

export const limits = {
  nearest: { min: 1, max: 1 },
  route: { min: 2, max: 500 },
  table: { min: 1, max: 2_000 },
  match: { min: 2, max: 500 },
  isochrone: { min: 1, max: 1 },
} as const
const maxTableEntries = 1_000_000
const maxNearest = 100
const maxAlternatives = 3

async function run<Kind extends RoadJob["kind"]>(
  { maps, caller, sql }: OsrmContext,
  { options, departure, places }: OsrmRequest,
  job: Extract<RoadJob, { kind: Kind }>,
): Promise<Extract<RoadOutput, { kind: Kind }>> {
  const roads = await roadsFor(maps, places)
  const hasTimes = job.kind !== "nearest" && job.kind !== "match"
  const travel = await atSpeedsOf(sql, caller.organizationId, options, hasTimes ? departure : undefined)
  return maps.run<Kind>(roads, travel, job, caller)
}

async function roadsFor(maps: RoadMaps, places: OsrmRequest["places"]): Promise<MapRegion> {
  const roads = await maps.covering(places.map(({ lngLat }) => lngLat))
  if (roads) return roads
  const isAny = await maps.isAnyInstalled()
  throw new OsrmError(
    "NoSegment",
    isAny ? "No installed map covers all coordinates" : "No map with roads is installed",
  )
}

function allSnapped(places: readonly (PlaceOnRoad | undefined)[]): PlaceOnRoad[] {
  return places.map((place, index) => {
    if (!place) throw new OsrmError("NoSegment", `Could not find a matching segment for coordinate ${index}`)
    return place
  })
}

const isSkipped = ({ query }: OsrmRequest) => isSet(query, "skip_waypoints")

function waypointWriter({ query }: OsrmRequest) {
  const hasHints = wordOf(query, "generate_hints", ["true", "false"]) === "true"
  return (place: PlaceOnRoad) => waypointOf(place, hasHints)
}

export async function nearest(context: OsrmContext, request: OsrmRequest) {
  const { query, places } = request
  const count = Number(query.number ?? 1)
  if (!Number.isInteger(count)) throw new OsrmError("InvalidQuery", "number is a positive integer")
  if (count < 1) throw new OsrmError("InvalidOptions", "number is at least 1")
  if (count > maxNearest) throw new OsrmError("TooBig", `number is at most ${maxNearest}`)
  const [place] = places
  if (!place) throw new OsrmError("InvalidOptions", "One coordinate is needed")
  const { places: found } = await run(context, request, { kind: "nearest", place, count })
  if (found.length === 0)
    throw new OsrmError("NoSegment", "Could not find a matching segment for coordinate 0")
  const shown = waypointWriter(request)
  return { code: "Ok", ...(isSkipped(request) ? {} : { waypoints: found.map(shown) }) }
}

export async function table(context: OsrmContext, request: OsrmRequest) {
  const { query, places } = request
  const sources = indexesOf(query, "sources", places.length)
  const destinations = indexesOf(query, "destinations", places.length)
  if (sources.length * destinations.length > maxTableEntries)
    throw new OsrmError("TooBig", `A table has at most ${maxTableEntries} entries`)
  const wanted = (query.annotations ?? "duration").split(",")
  if (!wanted.every((name) => name === "duration" || name === "distance"))
    throw new OsrmError("InvalidQuery", "annotations are duration, distance or both")
  const factor = Number(query.scale_factor ?? 1)
  if (!(factor > 0 && factor <= 1000))
    throw new OsrmError("InvalidValue", "scale_factor is a positive number")
  const fallback = fallbackOf(request)
  const output = await run(context, request, { kind: "table", places, sources, destinations })
  const snapped = allSnapped(output.places)
  const estimated: [number, number][] = []
  /** Metres in a straight line where no road leads, if the request asks for them. */
  const straight = sources.map((source, row) =>
    destinations.map((destination, column) => {
      if (output.costs[row * destinations.length + column] !== unreachable || !fallback) return undefined
      estimated.push([row, column])
      const positionOf = (index: number) => (fallback.isSnapped ? snapped : places)[index]?.lngLat ?? [0, 0]
      return distanceMeters(positionOf(source), positionOf(destination))
    }),
  )
  const rows = (values: Uint32Array, unit: number, perMeter: number) =>
    straight.map((row, i) =>
      row.map((meters, j) => {
        if (meters !== undefined) return Math.round(meters * perMeter * 10) / 10
        const value = values[i * destinations.length + j] as number
        return value === unreachable ? null : Math.round((value / unit) * 10) / 10
      }),
    )
  const shown = waypointWriter(request)
  const chosen = (indexes: readonly number[]) =>
    indexes.flatMap((index) => (snapped[index] ? [shown(snapped[index])] : []))
  const durations = () => rows(output.costs, 1000 / factor, factor / (fallback?.speed ?? 1))
  return {
    code: "Ok",
    ...(wanted.includes("duration") ? { durations: durations() } : {}),
    ...(wanted.includes("distance") ? { distances: rows(output.lengths, 100, 1) } : {}),
    ...(fallback ? { fallback_speed_cells: estimated } : {}),
    ...(isSkipped(request) ? {} : { sources: chosen(sources), destinations: chosen(destinations) }),
  }
}

/** Metres a second for pairs without a way, and between which positions. */
function fallbackOf({ query }: OsrmRequest): { speed: number; isSnapped: boolean } | undefined {
  const isSnapped = wordOf(query, "fallback_coordinate", ["input", "snapped"]) === "snapped"
  if (query.fallback_speed === undefined) return undefined
  const speed = Number(query.fallback_speed)
  if (!(speed > 0 && speed <= 1000))
    throw new OsrmError("InvalidValue", "fallback_speed is metres a second, more than 0")
  return { speed, isSnapped }
}

export async function route(context: OsrmContext, request: OsrmRequest) {
  const { query, places } = request
  const { mode } = request.options
  const format = formatOf(request)
  const waypoints = waypointsOf(query, places.length)
  const straight = wordOf(query, "continue_straight", ["default", "true", "false"])
  const job = {
    kind: "route",
    places,
    alternatives: alternativesOf(query.alternatives),
    continueStraight: straight === "true" || (straight === "default" && isMotorized(mode)),
    ...(waypoints ? { waypoints } : {}),
    detail: detailOf(format),
  } as const
  const output = await run(context, request, job)
  const snapped = allSnapped(output.places)
  checkNodes(query, output.routes)
  if (output.routes.length === 0) {
    const leg = output.brokenLeg ?? 0
    throw new OsrmError("NoRoute", `No route found between coordinates ${leg} and ${leg + 1}`)
  }
  const shownPlaces = waypoints ? waypoints.flatMap((index) => snapped[index] ?? []) : snapped
  return {
    code: "Ok",
    routes: output.routes.map((found) => routeOf(found, format, mode)),
    ...(isSkipped(request) ? {} : { waypoints: shownPlaces.map(waypointWriter(request)) }),
  }
}

function alternativesOf(text: string | undefined): number {
  if (text === undefined || text === "false") return 0
  if (text === "true") return 2
  const count = Number(text)
  if (!Number.isInteger(count) || count < 0)
    throw new OsrmError("InvalidQuery", "alternatives is true, false or a number")
  return Math.min(count, maxAlternatives)
}

/** Maps that were built by earlier versions have no ids of nodes. */
function checkNodes({ annotations }: OsrmRequest["query"], routes: readonly RoadRoute[]): void {
  const isMissing = routes.some(({ legs }) => legs.some((leg) => leg.annotation && !leg.annotation.nodes))
  if (isMissing && annotations?.split(",").includes("nodes"))
    throw new OsrmError("NotImplemented", "This map has no ids of nodes: add its file again")
}

const overviews = { simplified: "simplified", full: "full", by_legs: "byLegs", false: "none" } as const

function formatOf({ query }: OsrmRequest): RouteFormat {
  return {
    geometries: wordOf(query, "geometries", ["polyline", "polyline6", "geojson"]),
    overview: overviews[wordOf(query, "overview", ["simplified", "full", "by_legs", "false"])],
    hasSteps: isSet(query, "steps"),
    annotations: annotationsOf(query.annotations),
  }
}

function annotationsOf(text: string | undefined): Annotations {
  const all = ["duration", "distance", "speed", "weight", "datasources", "nodes"] as const
  if (text === undefined || text === "false") return []
  if (text === "true") return all
  const wanted = text.split(",")
  const unknown = wanted.find((name) => !(all as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new OsrmError("InvalidQuery", `annotations are true, false or some of ${all.join(", ")}`)
  return all.filter((name) => wanted.includes(name))
}

function detailOf({ overview, hasSteps, annotations }: RouteFormat) {
  return {
    overview,
    steps: hasSteps,
    annotations: annotations.length > 0,
  }
}

/** A silence of more than a minute splits a track, as in OSRM. */
const gapSeconds = 60
/** OSRM's usual precision of a position, metres. */
const usualPrecision = 5

export async function match(context: OsrmContext, request: OsrmRequest) {
  const { query, places } = request
  const format = formatOf(request)
  const times = numbersOf(query, "timestamps", places.length) ?? []
  if (times.some((time, i) => i > 0 && time !== undefined && time < (times[i - 1] ?? 0)))
    throw new OsrmError("InvalidValue", "timestamps must not fall")
  const waypoints = waypointsOf(query, places.length)
  const kept = isSet(query, "tidy") ? tidied(places, times) : places.map((_, index) => index)
  const output = await run(context, request, {
    kind: "match",
    places: kept.flatMap((index) => places[index] ?? []),
    accuracies: kept.map((index) => places[index]?.maxMeters ?? usualPrecision),
    times: kept.map((index) => times[index]),
    ...(waypoints ? { waypoints: kept.flatMap((at, i) => (waypoints.includes(at) ? [i] : [])) } : {}),
    maxGapSeconds: wordOf(query, "gaps", ["split", "ignore"]) === "split" ? gapSeconds : undefined,
    detail: detailOf(format),
  })
  checkNodes(
    query,
    output.parts.map((part) => part.route),
  )
  if (output.parts.length === 0) throw new OsrmError("NoMatch", "Could not match the trace")
  const shown = waypointWriter(request)
  const tracepoints: (object | null)[] = places.map(() => null)
  for (const [matching, part] of output.parts.entries())
    for (const [index, place] of part.places.entries()) {
      const waypoint = part.legEnds.indexOf(index)
      tracepoints[kept[part.points[index] ?? 0] ?? 0] = {
        ...shown(place),
        matchings_index: matching,
        waypoint_index: waypoint === -1 ? null : waypoint,
        alternatives_count: 0,
      }
    }
  return {
    code: "Ok",
    matchings: output.parts.map(({ route: found, confidence }) => ({
      ...routeOf(found, format, request.options.mode),
      confidence: Math.round(confidence * 1e4) / 1e4,
    })),
    ...(isSkipped(request) ? {} : { tracepoints }),
  }
}

/** Without positions that repeat the one before: the same second or the same place. */
function tidied(places: OsrmRequest["places"], times: readonly (number | undefined)[]): number[] {
  return places.flatMap(({ lngLat }, index) => {
    const before = places[index - 1]
    const isSamePlace = before?.lngLat[0] === lngLat[0] && before.lngLat[1] === lngLat[1]
    const isSameTime = times[index] !== undefined && times[index] === times[index - 1]
    return before && (isSamePlace || isSameTime) ? [] : [index]
  })
}

const maxContours = 6
const maxIsochroneMinutes = 120

/** Not part of OSRM: GeoJSON areas for `contours_minutes`. */
export async function isochrone(context: OsrmContext, request: OsrmRequest) {
  const minutes = (request.query.contours_minutes ?? "10").split(/[,;]/).map(Number)
  const isSound = minutes.every((value) => value > 0 && value <= maxIsochroneMinutes)
  if (!isSound)
    throw new OsrmError("InvalidQuery", `contours_minutes are numbers up to ${maxIsochroneMinutes}`)
  if (minutes.length > maxContours) throw new OsrmError("TooBig", `At most ${maxContours} contours`)
  const [place] = request.places
  if (!place) throw new OsrmError("InvalidOptions", "One coordinate is needed")
  const seconds = minutes.map((value) => value * 60)
  const output = await run(context, request, { kind: "isochrone", place, seconds })
  if (!output.place) throw new OsrmError("NoSegment", "Could not find a matching segment for coordinate 0")
  return {
    code: "Ok",
    type: "FeatureCollection",
    features: output.areas.map(({ seconds: limit, polygons }) => ({
      type: "Feature",
      properties: { contour: limit / 60, metric: "time" },
      geometry: { type: "MultiPolygon", coordinates: polygons },
    })),
    waypoints: [waypointWriter(request)(output.place)],
  }
}
