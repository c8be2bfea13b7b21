import { Type } from "typebox"
import { placeFormats } from "./formats.ts"
import { featureRanks } from "./search/layers.ts"

const Text = (description: string, maxLength = 200) => Type.Optional(Type.String({ description, maxLength }))

export const PlaceSchema = Type.Object(
  {
    place_id: Type.Integer({ description: "Of this result; changes when the map is replaced" }),
    licence: Type.String(),
    osm_type: Type.Optional(Type.String({ description: "node, way or relation" })),
    osm_id: Type.Optional(Type.Integer()),
    lat: Type.String(),
    lon: Type.String(),
    category: Type.Optional(Type.String({ description: "Key of the main OpenStreetMap tag" })),
    class: Type.Optional(Type.String({ description: "Instead of category with format=json" })),
    type: Type.String({ description: "Value of the main OpenStreetMap tag" }),
    place_rank: Type.Integer({ description: "4 country to 30 house" }),
    importance: Type.Number(),
    addresstype: Type.String(),
    name: Type.String(),
    display_name: Type.String(),
    address: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: "house_number, road, suburb, city, postcode, country, country_code and others",
      }),
    ),
    boundingbox: Type.Array(Type.String(), { description: "South, north, west, east" }),
    namedetails: Type.Optional(Type.Record(Type.String(), Type.String())),
    extratags: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: "Further tags, such as opening_hours and phone",
      }),
    ),
    interpolated: Type.Optional(
      Type.Boolean({ description: "The position is computed from neighbouring house numbers" }),
    ),
  },
  { title: "Place" },
)

const Switch = (description: string) => Type.Optional(Type.String({ maxLength: 10, description }))

const shown = {
  format: Type.Optional(
    Type.String({
      enum: [...placeFormats],
      description:
        "Default jsonv2; json has class instead of category; geojson and geocodejson return a collection of features",
    }),
  ),
  "accept-language": Text("Languages of names, such as es,en; default: the header Accept-Language"),
  addressdetails: Switch("1: with the parts of the address; default 0 for a search, 1 for reverse"),
  namedetails: Switch("1: with all names"),
  extratags: Switch("1: with further tags of places and points of interest, such as opening_hours"),
  polygon_geojson: Switch("Outlines are not kept: only 0"),
  polygon_kml: Switch("As polygon_geojson"),
  polygon_svg: Switch("As polygon_geojson"),
  polygon_text: Switch("As polygon_geojson"),
  layer: Text(
    "address, poi, railway, natural, manmade with commas; default: all. Reverse finds address only",
  ),
}

export const SearchQuery = Type.Object({
  q: Text(
    "Address, street, crossing, place, point of interest or postcode; also lat,lon. Not with the fields of an address",
    300,
  ),
  street: Text("House number and street"),
  amenity: Text("Name of a point of interest"),
  city: Text("City, town or village"),
  county: Text("County"),
  state: Text("State"),
  country: Text("Country"),
  postalcode: Text("Postcode", 20),
  ...shown,
  limit: Type.Optional(Type.String({ pattern: "^[0-9]{1,4}$", description: "1 to 40, default 10" })),
  viewbox: Text("Longitude and latitude of two corners with commas; places near it come first", 200),
  bounded: Switch("1: only places within viewbox"),
  countrycodes: Text("ISO 3166-1 alpha-2 codes with commas: only places in these countries"),
  exclude_place_ids: Text("Not these: place_id or N, W or R with osm_id, with commas; at most 50", 1_500),
  featureType: Type.Optional(
    Type.String({
      enum: Object.keys(featureRanks),
      description: "Only countries, states, cities, or all settlements",
    }),
  ),
  dedupe: Switch("0: results that look the same are kept; default 1"),
  autocomplete: Switch("0: the last word is complete"),
})

export const ReverseQuery = Type.Object({
  lat: Type.String({ maxLength: 30 }),
  lon: Type.String({ maxLength: 30 }),
  zoom: Type.Optional(
    Type.String({
      pattern: "^[0-9]{1,2}$",
      description: "3 country, 10 city, 14 neighbourhood, 16 street, 18 house (default)",
    }),
  ),
  ...shown,
})

export const BatchBody = Type.Object({
  addresses: Type.Array(Type.String({ maxLength: 300 }), { minItems: 1, maxItems: 1_000 }),
  viewbox: Text("As in a search"),
  bounded: Type.Optional(Type.Boolean()),
  countrycodes: Text("As in a search"),
  "accept-language": Text("As in a search"),
})

export const BatchResult = Type.Object(
  {
    address: Type.String({ description: "As sent" }),
    confidence: Type.Number({ description: "0 to 1; below 0.8, check the place" }),
    place: Type.Union([PlaceSchema, Type.Null()]),
  },
  { title: "LocatedAddress" },
)
