import type { FastifyReply, FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { parseLatitude, parseLongitude } from "#packages/geodesy/lng-lat-text.ts"
import { placeErrors } from "./errors.ts"
import { describeAddresses, findAddressAt, findPlaces, middleOf, parseViewBox } from "./find-places.ts"
import { collectionOf } from "./formats.ts"
import { BatchBody, BatchResult, PlaceSchema, ReverseQuery, SearchQuery } from "./schemas.ts"
import { type FeatureType, type Layer, layers } from "./search/layers.ts"
import type { SearchOptions } from "./search/options.ts"
import type { WireOptions, WirePlace } from "./wire.ts"

const maxLimit = 40
const access = { signedIn: true, scopedToken: "accepted" } as const

/** Search and reverse geocoding like Nominatim's, from the addresses of the installed maps. */
export function placeRoutes(app: App): void {
  app.get(
    "/places/search",
    {
      config: { ...access, admission: "waiting" },
      schema: {
        operationId: "searchPlaces",
        summary: "Find addresses and places by name",
        querystring: SearchQuery,
        response: { 200: Type.Array(PlaceSchema) },
      },
    },
    async (request, reply) => {
      const { query } = request
      const limit = Math.max(1, Math.min(maxLimit, Number(query.limit ?? 10)))
      const options = { ...searchOptions(query), limit, isComplete: query.autocomplete === "0" }
      const excluded = excludedIds(query.exclude_place_ids)
      const themes = {
        layers: layersOf(query.layer),
        featureType: query.featureType as FeatureType | undefined,
      }
      const places = await findPlaces(
        app.sql,
        textOf(query),
        { ...options, ...themes, excluded, isDistinct: query.dedupe !== "0" },
        wireOptions(request, query, "0"),
      )
      return inFormat(reply, query, places) ?? places
    },
  )

  app.get(
    "/places/reverse",
    {
      config: { ...access, admission: "waiting" },
      schema: {
        operationId: "reversePlaces",
        summary: "Find the address at a position",
        querystring: ReverseQuery,
        response: { 200: Type.Union([PlaceSchema, Type.Object({ error: Type.String() })]) },
      },
    },
    async (request, reply) => {
      const { query } = request
      const [lat, lon] = [parseLatitude(query.lat), parseLongitude(query.lon)]
      if (lat === undefined || lon === undefined)
        throw placeErrors.badInput({ message: "lat and lon must be decimal degrees" })
      if (layersOf(query.layer)?.has("address") === false)
        throw placeErrors.badInput({ message: "reverse finds places of the layer address only" })
      const wire = wireOptions(request, query, "1")
      const found = await findAddressAt(app.sql, [lon, lat], Number(query.zoom ?? 18), wire)
      return (found && inFormat(reply, query, [found])) ?? found ?? { error: "Unable to geocode" }
    },
  )

  app.post(
    "/places/batch",
    {
      config: { ...access, admission: "waiting", idempotent: false },
      schema: {
        operationId: "locateAddresses",
        summary: "Find the positions of up to 1,000 addresses",
        body: BatchBody,
        response: { 200: Type.Object({ status: Type.Literal(true), data: Type.Array(BatchResult) }) },
      },
    },
    async (request) => {
      const { body } = request
      const options = searchOptions({ ...body, bounded: body.bounded ? "1" : "0" })
      const wire = wireOptions(request, { ...body, addressdetails: "1" }, "1")
      return { status: true as const, data: await describeAddresses(app.sql, body.addresses, options, wire) }
    },
  )
}

interface Area {
  viewbox?: string
  bounded?: string
  countrycodes?: string
}

function searchOptions({ viewbox, bounded, countrycodes = "" }: Area): Omit<SearchOptions, "limit"> {
  const box = parseViewBox(viewbox)
  const countries = countrycodes
    .toLowerCase()
    .split(",")
    .map((code) => code.trim())
    .filter((code) => /^[a-z]{2}$/.test(code))
  return { near: box && middleOf(box), within: isOn(bounded) ? box : undefined, countries }
}

/** GeoJSON in place of the list that the response declares; undefined for lists. */
function inFormat(
  reply: FastifyReply,
  query: { format?: string; q?: string },
  places: readonly WirePlace[],
): never | undefined {
  const collection = collectionOf(query.format, places, query.q ?? "")
  if (!collection) return undefined
  return reply.type("application/geo+json").serializer(JSON.stringify).send(collection) as never
}

function layersOf(text: string | undefined): ReadonlySet<Layer> | undefined {
  if (text === undefined || text.trim() === "") return undefined
  const names = text.split(",").map((name) => name.trim())
  if (!names.every((name): name is Layer => (layers as readonly string[]).includes(name)))
    throw placeErrors.badInput({ message: `layer is a list of ${layers.join(", ")}` })
  return new Set(names)
}

/** As Nominatim reads switches: everything but 0 is on. */
const isOn = (value: string | undefined) => value !== undefined && value !== "0"

const maxExcluded = 50

function excludedIds(text = ""): ReadonlySet<string> {
  const ids = text.split(",").map((id) => id.trim().toUpperCase())
  return new Set(ids.filter((id) => /^[NWR]?[0-9]{1,16}$/.test(id)).slice(0, maxExcluded))
}

/** `q`, or the parts of a structured query in the order in which an address is written. */
function textOf(query: Record<string, string | undefined>): string {
  const parts = ["amenity", "street", "city", "county", "state", "postalcode", "country"].flatMap(
    (key) => query[key]?.trim() || [],
  )
  const whole = query.q?.trim()
  if (whole && parts.length > 0)
    throw placeErrors.badInput({ message: "q cannot be combined with the fields of an address" })
  const text = whole || parts.join(", ")
  if (!text) throw placeErrors.badInput()
  return text
}

interface Shown extends Partial<Record<(typeof outlines)[number], string>> {
  format?: string
  "accept-language"?: string
  addressdetails?: string
  namedetails?: string
  extratags?: string
}

const outlines = ["polygon_geojson", "polygon_kml", "polygon_svg", "polygon_text"] as const

const maxLanguages = 5

function wireOptions(request: FastifyRequest, query: Shown, addressDefault: "0" | "1"): WireOptions {
  const outline = outlines.find((name) => isOn(query[name]))
  if (outline)
    throw placeErrors.badInput({ message: `${outline} is not supported: maps keep no outlines of places` })
  const accepted = query["accept-language"] ?? request.headers["accept-language"] ?? ""
  const languages = accepted
    .split(",", maxLanguages)
    .map((part) => {
      const [language = "", quality] = part.split(";", 2)
      return { language: language.trim(), weight: Number(/q=([0-9.]+)/.exec(quality ?? "")?.[1] ?? 1) }
    })
    .filter(({ language }) => /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language))
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ language }) => language)
  return {
    languages,
    withAddress: isOn(query.addressdetails ?? addressDefault) || query.format === "geocodejson",
    withNames: isOn(query.namedetails),
    withExtraTags: isOn(query.extratags),
    keyOfCategory: query.format === "json" ? "class" : "category",
  }
}
