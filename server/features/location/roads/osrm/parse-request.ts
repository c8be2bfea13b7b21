import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { parseDateTime } from "#shared/wire-time.ts"
import { decodePolyline, type Mode, type TravelOptions } from "../../../../../packages/road-network/index.ts"
import type { JobPlace } from "../road-jobs.ts"
import { OsrmError } from "./osrm-error.ts"

/** Query parameters as they come. Lists have semicolons between their values. */
export type OsrmQuery = Readonly<Record<string, string | undefined>>

/** Names of profiles as OSRM servers use them. */
const profiles: Readonly<Record<string, Mode>> = {
  car: "car",
  driving: "car",
  motorcycle: "motorcycle",
  bicycle: "bicycle",
  bike: "bicycle",
  cycling: "bicycle",
  foot: "foot",
  walking: "foot",
  truck: "truck",
}

export function modeOf(profile: string): Mode | undefined {
  return Object.hasOwn(profiles, profile) ? profiles[profile] : undefined
}

export interface OsrmRequest {
  options: TravelOptions
  /** Undefined: at the usual speeds. */
  departure: Temporal.Instant | undefined
  places: JobPlace[]
  query: OsrmQuery
}

/** @throws OsrmError */
export function parseRequest(
  params: { profile: string; coordinates: string },
  query: OsrmQuery,
  { limits, now }: { limits: { min: number; max: number }; now: Temporal.Instant },
): OsrmRequest {
  const mode = modeOf(params.profile)
  if (!mode) throw new OsrmError("InvalidValue", `The profile is none of ${Object.keys(profiles).join(", ")}`)
  const coordinates = parseCoordinates(params.coordinates)
  if (coordinates.length < limits.min)
    throw new OsrmError("InvalidOptions", `At least ${limits.min} coordinates are needed`)
  if (limits.max === 1 && coordinates.length > 1)
    throw new OsrmError("InvalidOptions", "This service takes one coordinate only")
  if (coordinates.length > limits.max)
    throw new OsrmError("TooBig", `${coordinates.length} coordinates are more than ${limits.max}`)
  const count = coordinates.length
  const radiuses = listOf(query, "radiuses", count, parseRadius)
  const bearings = listOf(query, "bearings", count, parseBearing)
  // Hints only save a search; places are found without them.
  listOf(query, "hints", count, (text) => text)
  const approaches = listOf(query, "approaches", count, parseApproach)
  const isOnFerries = wordOf(query, "snapping", ["default", "any"]) === "any"
  const places = coordinates.map((lngLat, index): JobPlace => {
    const [maxMeters, bearing, approach] = [radiuses?.[index], bearings?.[index], approaches?.[index]]
    return {
      lngLat,
      ...(maxMeters === undefined ? {} : { maxMeters }),
      ...(bearing === undefined ? {} : { bearing }),
      ...(approach === undefined ? {} : { approach }),
      ...(isOnFerries ? { isOnFerries } : {}),
    }
  })
  return { options: { mode, ...parseTravel(query) }, departure: departureOf(query, now), places, query }
}

/** When the organization's own speeds count: now, at a given time, or never. */
function departureOf(query: OsrmQuery, now: Temporal.Instant): Temporal.Instant | undefined {
  if (query.depart_at === undefined || query.depart_at === "now") return now
  if (query.depart_at === "any") return undefined
  const at = parseDateTime(query.depart_at)
  if (at === undefined) throw new OsrmError("InvalidValue", "depart_at is a time of ISO 8601, now or any")
  return Temporal.Instant.fromEpochMilliseconds(at)
}

/** "lng,lat;lng,lat", "polyline(...)" or "polyline6(...)", with an optional ".json". */
function parseCoordinates(text: string): LngLat[] {
  if (text.endsWith(".flatbuffers"))
    throw new OsrmError("NotImplemented", "Responses are JSON; flatbuffers are not supported")
  const bare = text.replace(/\.json$/, "")
  const polyline = /^polyline(6?)\((.*)\)$/s.exec(bare)
  const coordinates = polyline
    ? decodePolyline(polyline[2] ?? "", polyline[1] === "6" ? 6 : 5)
    : bare.split(";").map((pair): LngLat => {
        const match = /^(-?\d{1,3}(?:\.\d{1,20})?),(-?\d{1,2}(?:\.\d{1,20})?)$/.exec(pair)
        if (!match)
          throw new OsrmError("InvalidQuery", "Coordinates are longitude,latitude pairs with ; between them")
        return [Number(match[1]), Number(match[2])]
      })
  if (!coordinates) throw new OsrmError("InvalidQuery", "The polyline is not readable")
  for (const [lng, lat] of coordinates)
    if (!(Math.abs(lng) <= 180 && Math.abs(lat) <= 90))
      throw new OsrmError("InvalidValue", "A coordinate is outside of the world")
  return coordinates
}

function listOf<T>(
  query: OsrmQuery,
  name: string,
  count: number,
  parse: (text: string) => T | undefined,
): (T | undefined)[] | undefined {
  const text = query[name]
  if (text === undefined) return undefined
  const values = text.split(";")
  if (values.length !== count)
    throw new OsrmError("InvalidOptions", `${name} has ${values.length} values for ${count} coordinates`)
  return values.map((value) => (value === "" ? undefined : parse(value)))
}

export function numbersOf(query: OsrmQuery, name: string, count: number): (number | undefined)[] | undefined {
  return listOf(query, name, count, (text) => {
    const value = Number(text)
    if (!Number.isFinite(value) || value < 0)
      throw new OsrmError("InvalidQuery", `${name} are numbers with ; between them`)
    return value
  })
}

function parseRadius(text: string): number | undefined {
  if (text === "unlimited") return Number.POSITIVE_INFINITY
  const meters = Number(text)
  if (!Number.isFinite(meters) || meters < 0)
    throw new OsrmError("InvalidQuery", "radiuses are metres or unlimited")
  return meters
}

function parseBearing(text: string): { degrees: number; range: number } {
  const match = /^(\d{1,3}),(\d{1,3})$/.exec(text)
  const [degrees, range] = [Number(match?.[1]), Number(match?.[2])]
  if (!(degrees <= 360 && range <= 180))
    throw new OsrmError("InvalidQuery", "bearings are degrees,range: 0 to 360 and 0 to 180")
  return { degrees, range }
}

function parseApproach(text: string): "curb" | "opposite" | undefined {
  if (text === "unrestricted") return undefined
  if (text === "curb" || text === "opposite") return text
  throw new OsrmError("InvalidQuery", "approaches are curb, opposite or unrestricted")
}

const excludable = {
  none: {},
  toll: { avoidTolls: true },
  ferry: { avoidFerries: true },
  motorway: { avoidMotorways: true },
} as const

/** What is excluded, and the size of the vehicle. */
function parseTravel(query: OsrmQuery): Omit<TravelOptions, "mode"> {
  const options: Omit<TravelOptions, "mode"> = {}
  for (const name of query.exclude?.split(",") ?? []) {
    if (!Object.hasOwn(excludable, name))
      throw new OsrmError("InvalidValue", `exclude is a list of ${Object.keys(excludable).join(", ")}`)
    Object.assign(options, excludable[name as keyof typeof excludable])
  }
  const vehicle: NonNullable<TravelOptions["vehicle"]> = {}
  for (const name of ["height", "width", "length", "weight"] as const) {
    if (query[name] === undefined) continue
    const value = Number(query[name])
    if (!(value > 0 && value <= 1000)) throw new OsrmError("InvalidValue", `${name} is metres or tonnes`)
    vehicle[name] = Math.round(value * 100) / 100
  }
  return Object.keys(vehicle).length > 0 ? { ...options, vehicle } : options
}

/** One of some words, the first by default. */
export function wordOf<const Word extends string>(
  query: OsrmQuery,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const value = query[name]
  if (value === undefined) return words[0]
  const found = words.find((word) => word === value)
  if (found === undefined) throw new OsrmError("InvalidQuery", `${name} is one of ${words.join(", ")}`)
  return found
}

export function isSet(query: OsrmQuery, name: string): boolean {
  return wordOf(query, name, ["false", "true"]) === "true"
}

/** Of the coordinates that end a leg, in ascending order; undefined for all of them. */
export function waypointsOf(query: OsrmQuery, count: number): number[] | undefined {
  if (query.waypoints === undefined) return undefined
  const indexes = [...new Set(indexesOf(query, "waypoints", count))].sort((a, b) => a - b)
  if (indexes.length < 2) throw new OsrmError("InvalidOptions", "At least two waypoints are needed")
  if (indexes[0] !== 0 || indexes.at(-1) !== count - 1)
    throw new OsrmError("InvalidValue", "The first and the last coordinate must be waypoints")
  return indexes
}

/** Positions in the list of coordinates; all of them by default. */
export function indexesOf(query: OsrmQuery, name: string, count: number): number[] {
  const text = query[name]
  if (text === undefined || text === "all") return Array.from({ length: count }, (_, index) => index)
  return text.split(";").map((value) => {
    const index = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN
    if (Number.isNaN(index))
      throw new OsrmError("InvalidQuery", `${name} are positions with ; between them, or all`)
    if (index >= count)
      throw new OsrmError("InvalidOptions", `${name} has ${index}, but there are ${count} coordinates`)
    return index
  })
}
