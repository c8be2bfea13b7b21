import type { Tags } from "./names.ts"

/** Nominatim's levels: a smaller rank is a larger area; 26 are streets, 30 houses and points of interest. */
export interface PlaceKind {
  readonly category: string
  readonly type: string
  readonly rank: number
  /** 0 to 1. */
  readonly importance: number
}

/** Keys of `address` in responses, from the largest area to the smallest. */
export const areaLevels = ["country", "state", "county", "city", "suburb", "neighbourhood"] as const
export type AreaLevel = (typeof areaLevels)[number]

interface PlaceClass {
  readonly rank: number
  readonly importance: number
  readonly level?: AreaLevel
  /** How far a place reaches that is only a point, in metres. */
  readonly reachMeters?: number
}

const placeClasses: Readonly<Record<string, PlaceClass>> = {
  country: { rank: 4, importance: 0.8, level: "country" },
  state: { rank: 8, importance: 0.65, level: "state" },
  region: { rank: 8, importance: 0.55 },
  province: { rank: 8, importance: 0.6, level: "state" },
  county: { rank: 12, importance: 0.5, level: "county" },
  municipality: { rank: 14, importance: 0.5, level: "county" },
  city: { rank: 16, importance: 0.55, level: "city", reachMeters: 20_000 },
  town: { rank: 16, importance: 0.45, level: "city", reachMeters: 4_000 },
  village: { rank: 16, importance: 0.35, level: "city", reachMeters: 2_000 },
  hamlet: { rank: 20, importance: 0.25, level: "city", reachMeters: 800 },
  island: { rank: 17, importance: 0.35 },
  borough: { rank: 18, importance: 0.35, level: "suburb", reachMeters: 3_000 },
  suburb: { rank: 19, importance: 0.33, level: "suburb", reachMeters: 2_000 },
  quarter: { rank: 20, importance: 0.3, level: "neighbourhood", reachMeters: 1_200 },
  neighbourhood: { rank: 22, importance: 0.28, level: "neighbourhood", reachMeters: 800 },
  locality: { rank: 22, importance: 0.2 },
  isolated_dwelling: { rank: 22, importance: 0.15 },
  farm: { rank: 22, importance: 0.15 },
  islet: { rank: 20, importance: 0.2 },
  square: { rank: 25, importance: 0.2 },
}

export interface Place extends PlaceKind, Pick<PlaceClass, "level" | "reachMeters"> {}

export function placeOf(tags: Tags): Place | undefined {
  const type = tags.get("place") ?? ""
  const found = Object.hasOwn(placeClasses, type) ? placeClasses[type] : undefined
  if (!found) return undefined
  const people = Number(tags.get("population"))
  const size = people > 0 ? Math.min(0.2, Math.max(0, (Math.log10(people) - 3) / 20)) : 0
  const capital = tags.get("capital") === "yes" ? 0.1 : 0
  return { category: "place", type, ...found, importance: found.importance + size + capital }
}

const administrativeLevels: Readonly<Record<number, readonly [AreaLevel, rank: number]>> = {
  2: ["country", 4],
  3: ["state", 8],
  4: ["state", 8],
  5: ["county", 10],
  6: ["county", 12],
  7: ["county", 14],
  8: ["city", 16],
  9: ["suburb", 18],
  10: ["neighbourhood", 20],
  11: ["neighbourhood", 22],
}

/** An administrative area; a place that is mapped as an area; a postcode's area is no place. */
export function areaOf(tags: Tags): Place | undefined {
  const place = placeOf(tags)
  if (place?.level) return place
  if (tags.get("boundary") !== "administrative") return undefined
  const [level, rank] = administrativeLevels[Number(tags.get("admin_level"))] ?? []
  if (!level || !rank) return undefined
  return { category: "boundary", type: "administrative", level, rank, importance: 0.8 - rank / 40 }
}

const streetImportance: Readonly<Record<string, number>> = {
  motorway: 0.1,
  trunk: 0.1,
  primary: 0.1,
  secondary: 0.09,
  tertiary: 0.08,
  unclassified: 0.06,
  residential: 0.06,
  living_street: 0.05,
  pedestrian: 0.06,
  road: 0.04,
  track: 0.03,
  service: 0.02,
  footway: 0.02,
  path: 0.02,
  cycleway: 0.02,
  steps: 0.02,
}

export function streetOf(tags: Tags): PlaceKind | undefined {
  const type = tags.get("highway")
  if (!type) return undefined
  const importance = streetImportance[type.replace(/_link$/, "")]
  return importance === undefined ? undefined : { category: "highway", type, rank: 26, importance }
}

/** Keys that make something named a point of interest, the telling ones first. */
const interestKeys = [
  "amenity",
  "shop",
  "tourism",
  "office",
  "healthcare",
  "leisure",
  "craft",
  "historic",
  "aeroway",
  "railway",
  "public_transport",
  "emergency",
  "club",
  "man_made",
  "natural",
  "landuse",
  "waterway",
  "building",
]
const known: Readonly<Record<string, ReadonlySet<string>>> = {
  aeroway: new Set(["aerodrome", "terminal", "heliport"]),
  railway: new Set(["station", "halt", "tram_stop"]),
  public_transport: new Set(["station"]),
  man_made: new Set(["works", "tower", "lighthouse", "pier", "wastewater_plant", "water_works"]),
  natural: new Set(["peak", "beach", "water", "bay", "cape", "island", "wood", "spring", "volcano"]),
  landuse: new Set(["cemetery", "industrial", "retail", "commercial", "port", "military"]),
  waterway: new Set(["river", "dock", "dam"]),
}
const weighty: Readonly<Record<string, number>> = {
  aerodrome: 0.2,
  terminal: 0.1,
  university: 0.08,
  hospital: 0.08,
  station: 0.08,
  museum: 0.06,
  stadium: 0.06,
  park: 0.06,
  mall: 0.06,
  attraction: 0.05,
}

export function interestOf(tags: Tags): PlaceKind | undefined {
  for (const key of interestKeys) {
    const type = tags.get(key)
    if (!type || type === "no" || (known[key] && !known[key].has(type))) continue
    return { category: key, type, rank: 30, importance: 0.03 + (weighty[type] ?? 0) }
  }
  return undefined
}
