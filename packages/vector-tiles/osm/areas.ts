import type { Drawing, Properties } from "../geometry/feature.ts"
import { type Tags, text } from "./roads.ts"

/** Ground cover by tag, in the order in which it is drawn: settlement, then nature, then what lies inside both. */
const landClasses: readonly (readonly [key: string, values: string, landClass: string, order: number])[] = [
  ["landuse", "residential", "residential", 0],
  ["landuse", "industrial railway depot quarry landfill construction brownfield", "industrial", 1],
  ["landuse", "commercial retail garages", "commercial", 1],
  ["landuse", "military", "military", 1],
  ["landuse", "farmland meadow orchard vineyard plant_nursery greenhouse_horticulture", "farmland", 2],
  ["natural", "grassland heath scrub fell tundra", "grass", 2],
  ["landuse", "forest", "wood", 3],
  ["natural", "wood", "wood", 3],
  ["natural", "wetland", "wetland", 3],
  ["natural", "sand beach dune shoal", "sand", 4],
  ["natural", "bare_rock scree rock", "rock", 4],
  ["natural", "glacier", "ice", 4],
  ["landuse", "cemetery", "cemetery", 5],
  ["amenity", "grave_yard", "cemetery", 5],
  ["amenity", "hospital clinic", "hospital", 5],
  ["amenity", "school university college kindergarten", "school", 5],
  ["aeroway", "aerodrome", "airport", 5],
  ["aeroway", "apron helipad runway taxiway", "apron", 7],
  ["boundary", "national_park protected_area", "park", 5],
  ["leisure", "nature_reserve", "park", 5],
  ["leisure", "park garden common dog_park golf_course", "park", 6],
  ["landuse", "grass village_green recreation_ground flowerbed allotments", "grass", 6],
  ["leisure", "pitch track playground stadium sports_centre fitness_station", "pitch", 7],
  ["amenity", "parking bicycle_parking motorcycle_parking", "parking", 7],
  ["tourism", "zoo theme_park camp_site", "park", 5],
  ["place", "square", "square", 7],
  ["highway", "pedestrian footway platform", "square", 8],
  ["man_made", "pier breakwater groyne", "pier", 8],
]

const landByTag = new Map<string, { landClass: string; order: number }>(
  landClasses.flatMap(([key, values, landClass, order]) =>
    values.split(" ").map((value) => [`${key}=${value}`, { landClass, order }] as const),
  ),
)
const landKeys = [...new Set(landClasses.map(([key]) => key))]

export interface AreaDrawings {
  readonly drawings: readonly Drawing[]
  /** The name of a park, a lake or the like, placed inside the area. */
  readonly label?: Drawing
}

/** What a closed way or an area relation draws. `size` is its area in world units. */
export function areaDrawings(tags: Tags, size: number): AreaDrawings | undefined {
  const water = waterClass(tags)
  if (water)
    return {
      drawings: [area("water", { class: water }, areaZoom(size, 6), 1)],
      ...label(tags, water, size),
    }
  if ((tags.get("building") ?? "no") !== "no" || tags.has("building:part")) {
    const levels = Number(tags.get("building:levels"))
    const details: Properties = levels > 0 && levels < 200 ? { levels } : {}
    return { drawings: [area("building", details, size > buildingSizeAt13 ? 13 : 14, 0)] }
  }
  for (const key of landKeys) {
    const land = landByTag.get(`${key}=${tags.get(key)}`)
    if (!land) continue
    if (land.landClass === "square" && key === "highway" && tags.get("area") !== "yes") continue
    return {
      drawings: [area("land", { class: land.landClass }, areaZoom(size, 7), land.order)],
      ...label(tags, land.landClass, size),
    }
  }
  return undefined
}

/** About 40 by 40 m on the equator. */
const buildingSizeAt13 = 1_000 * 1_000

function waterClass(tags: Tags): string | undefined {
  if (tags.get("natural") === "water") return tags.get("water") === "river" ? "river" : "lake"
  if (tags.get("natural") === "bay") return undefined
  const waterway = tags.get("waterway")
  if (waterway === "riverbank" || waterway === "dock") return "river"
  const landuse = tags.get("landuse")
  if (landuse === "reservoir" || landuse === "basin") return "lake"
  return tags.get("leisure") === "swimming_pool" ? "pool" : undefined
}

function area(layer: string, properties: Properties, minZoom: number, order: number): Drawing {
  return { layer, kind: "polygon", properties, minZoom, order }
}

/** An area appears when it covers about 20 by 20 units of a tile. */
function areaZoom(size: number, least: number): number {
  const side = Math.sqrt(Math.max(1, size))
  const zoom = Math.ceil(Math.log2((2 ** 30 * 20) / (4096 * side)))
  return Math.max(least, Math.min(14, zoom))
}

const labelled = new Set([
  "park",
  "wood",
  "cemetery",
  "lake",
  "river",
  "airport",
  "hospital",
  "school",
  "wetland",
  "military",
])

/** The name appears when about the tenth part of a tile's width is there for it. */
function label(tags: Tags, areaClass: string, size: number): { label?: Drawing } {
  if (!tags.has("name") || !labelled.has(areaClass)) return {}
  const zoom = Math.ceil(Math.log2((2 ** 30 * 0.1) / Math.sqrt(Math.max(1, size))))
  if (zoom > 17) return {}
  return {
    label: {
      layer: "area_name",
      kind: "point",
      properties: { class: areaClass, ...text(tags, "name") },
      minZoom: Math.max(8, Math.min(15, zoom)),
      order: -Math.sqrt(size),
    },
  }
}
