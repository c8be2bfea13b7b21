import type { Drawing } from "../geometry/feature.ts"
import { type Tags, text } from "./roads.ts"

interface PlaceClass {
  readonly minZoom: number
  readonly rank: number
}

const placeClasses: Readonly<Record<string, PlaceClass>> = {
  country: { minZoom: 5, rank: 0 },
  state: { minZoom: 5, rank: 1 },
  city: { minZoom: 5, rank: 2 },
  town: { minZoom: 8, rank: 3 },
  village: { minZoom: 10, rank: 4 },
  island: { minZoom: 10, rank: 5 },
  suburb: { minZoom: 11, rank: 5 },
  borough: { minZoom: 11, rank: 5 },
  hamlet: { minZoom: 12, rank: 6 },
  quarter: { minZoom: 12, rank: 6 },
  neighbourhood: { minZoom: 13, rank: 7 },
  islet: { minZoom: 14, rank: 8 },
  locality: { minZoom: 13, rank: 8 },
  isolated_dwelling: { minZoom: 14, rank: 8 },
  square: { minZoom: 15, rank: 9 },
}

export function placeDrawing(tags: Tags): Drawing | undefined {
  const kind = tags.get("place") ?? ""
  const place = placeClasses[kind]
  if (!place || !tags.has("name")) return undefined
  const people = Number(tags.get("population"))
  const size = people > 0 ? Math.min(9, Math.log10(people)) : 0
  const isCapital = tags.get("capital") === "yes" || tags.get("admin_level") === "2"
  return {
    layer: "place",
    kind: "point",
    properties: {
      class: kind,
      ...text(tags, "name"),
      rank: place.rank,
      ...(isCapital ? { capital: 1 } : {}),
    },
    minZoom: kind === "town" && size >= 5 ? 7 : place.minZoom,
    order: place.rank * 10 - size,
  }
}

/** Points of interest that help people to find their way: class, and from which zoom. */
const poiClasses: readonly (readonly [key: string, values: string, poiClass: string, minZoom: number])[] = [
  ["aeroway", "aerodrome", "airport", 10],
  ["railway", "station halt", "station", 12],
  ["amenity", "hospital", "hospital", 13],
  ["amenity", "ferry_terminal bus_station", "station", 13],
  ["amenity", "university college", "school", 14],
  ["tourism", "museum attraction zoo", "sight", 14],
  ["historic", "monument castle ruins memorial", "sight", 15],
  ["amenity", "school kindergarten", "school", 15],
  ["amenity", "police fire_station townhall courthouse embassy post_office", "public", 15],
  ["amenity", "place_of_worship", "worship", 15],
  ["amenity", "fuel charging_station", "fuel", 15],
  ["shop", "supermarket mall department_store", "shop", 15],
  ["tourism", "hotel hostel motel guest_house", "hotel", 15],
  ["leisure", "stadium sports_centre", "sport", 15],
  ["amenity", "theatre cinema library arts_centre", "culture", 15],
  ["amenity", "pharmacy clinic doctors", "health", 15],
  ["amenity", "bank parking marketplace", "service", 15],
  ["amenity", "restaurant cafe bar pub fast_food", "food", 15],
]

const poiByTag = new Map<string, { poiClass: string; minZoom: number; rank: number }>(
  poiClasses.flatMap(([key, values, poiClass, minZoom], rank) =>
    values.split(" ").map((value) => [`${key}=${value}`, { poiClass, minZoom, rank }] as const),
  ),
)
const poiKeys = [...new Set(poiClasses.map(([key]) => key))]

export function poiDrawing(tags: Tags): Drawing | undefined {
  if (!tags.has("name")) return undefined
  for (const key of poiKeys) {
    const poi = poiByTag.get(`${key}=${tags.get(key)}`)
    if (!poi) continue
    return {
      layer: "poi",
      kind: "point",
      properties: { class: poi.poiClass, ...text(tags, "name"), rank: poi.rank },
      minZoom: poi.minZoom,
      order: poi.rank,
    }
  }
  return undefined
}
