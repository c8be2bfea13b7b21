import type { WirePlace } from "./wire.ts"

export const placeFormats = ["jsonv2", "json", "geojson", "geocodejson"] as const
export type PlaceFormat = (typeof placeFormats)[number]

const attribution = "Data © OpenStreetMap contributors, ODbL 1.0. https://www.openstreetmap.org/copyright"

/** Nominatim's two collections of GeoJSON; undefined for the formats that are lists. */
export function collectionOf(
  format: string | undefined,
  places: readonly WirePlace[],
  query: string,
): object | undefined {
  if (format === "geojson")
    return { type: "FeatureCollection", licence: attribution, features: places.map(toFeature) }
  if (format === "geocodejson")
    return {
      type: "FeatureCollection",
      geocoding: { version: "0.1.0", attribution, licence: "ODbL", query },
      features: places.map(toGeocoding),
    }
  return undefined
}

const pointOf = ({ lon, lat }: WirePlace) => ({ type: "Point", coordinates: [Number(lon), Number(lat)] })

function toFeature(place: WirePlace): object {
  const { lat, lon, boundingbox, licence, ...properties } = place
  const [south, north, west, east] = boundingbox.map(Number)
  return { type: "Feature", properties, bbox: [west, south, east, north], geometry: pointOf(place) }
}

function toGeocoding(place: WirePlace): object {
  const { address = {}, name } = place
  const parts = {
    ...{ name: name || undefined, housenumber: address.house_number, street: address.road },
    ...{
      postcode: address.postcode,
      district: address.borough ?? address.suburb,
      locality: address.neighbourhood,
    },
    ...{ city: address.city ?? address.town ?? address.village ?? address.hamlet, county: address.county },
    ...{ state: address.state, country: address.country, country_code: address.country_code },
  }
  const geocoding = {
    ...{ place_id: place.place_id, osm_type: place.osm_type, osm_id: place.osm_id },
    ...{ osm_key: place.category, osm_value: place.type, type: kindOf(place), accuracy: 0 },
    ...{ label: place.display_name, ...parts },
    ...(place.extratags ? { extra: place.extratags } : {}),
  }
  return { type: "Feature", properties: { geocoding }, geometry: pointOf(place) }
}

const kinds: readonly (readonly [maxRank: number, kind: string])[] = [
  [4, "country"],
  [9, "state"],
  [12, "county"],
  [16, "city"],
  [21, "district"],
  [24, "locality"],
  [27, "street"],
  [30, "house"],
]

const kindOf = ({ place_rank: rank }: WirePlace) => kinds.find(([max]) => rank <= max)?.[1] ?? "house"
