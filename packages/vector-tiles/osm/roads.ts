import type { Drawing, Properties } from "../geometry/feature.ts"

export type Tags = ReadonlyMap<string, string>

interface RoadClass {
  readonly class: string
  readonly minZoom: number
  readonly rank: number
}

/** Roads by the value of `highway`; links belong to the class of their road. */
const roadClasses: Readonly<Record<string, RoadClass>> = {
  motorway: { class: "motorway", minZoom: 5, rank: 9 },
  trunk: { class: "trunk", minZoom: 6, rank: 8 },
  primary: { class: "primary", minZoom: 8, rank: 7 },
  secondary: { class: "secondary", minZoom: 9, rank: 6 },
  tertiary: { class: "tertiary", minZoom: 11, rank: 5 },
  unclassified: { class: "minor", minZoom: 12, rank: 4 },
  residential: { class: "minor", minZoom: 12, rank: 4 },
  living_street: { class: "minor", minZoom: 13, rank: 4 },
  road: { class: "minor", minZoom: 13, rank: 4 },
  pedestrian: { class: "pedestrian", minZoom: 13, rank: 3 },
  service: { class: "service", minZoom: 13, rank: 2 },
  busway: { class: "service", minZoom: 13, rank: 2 },
  track: { class: "track", minZoom: 13, rank: 1 },
  cycleway: { class: "path", minZoom: 14, rank: 0 },
  footway: { class: "path", minZoom: 14, rank: 0 },
  path: { class: "path", minZoom: 14, rank: 0 },
  bridleway: { class: "path", minZoom: 14, rank: 0 },
  steps: { class: "steps", minZoom: 14, rank: 0 },
}

/** Names and directions are of use only where streets are far enough apart. */
const namesFromZoom: Readonly<Record<string, number>> = {
  motorway: 10,
  trunk: 10,
  primary: 11,
  secondary: 12,
}
const otherNamesFromZoom = 13

export function roadDrawing(tags: Tags): Drawing | undefined {
  const highway = tags.get("highway") ?? ""
  const road = roadClasses[highway.replace(/_link$/, "")]
  if (!road || tags.get("area") === "yes") return undefined
  const isLink = highway.endsWith("_link")
  const isService = tags.get("service") === "driveway" || tags.get("service") === "parking_aisle"
  const oneway = onewayOf(tags, highway)
  const structure = structureOf(tags)
  const order = levelOf(tags, structure) * 20 + road.rank * 2 - (isLink ? 1 : 0)
  return {
    layer: "road",
    kind: "line",
    properties: { class: road.class, ...(isLink ? { link: 1 } : {}) },
    minZoom: isLink ? Math.max(road.minZoom, 11) : isService ? 14 : road.minZoom,
    order,
    isDirected: oneway !== 0,
    details: {
      fromZoom: namesFromZoom[road.class] ?? otherNamesFromZoom,
      properties: {
        ...text(tags, "name"),
        ...text(tags, "ref"),
        ...(oneway === 0 ? {} : { oneway }),
        ...(structure ? { structure } : {}),
        ...(isUnpaved(tags) ? { surface: "unpaved" } : {}),
      },
    },
  }
}

/** 1 along the line, -1 against it. */
function onewayOf(tags: Tags, highway: string): number {
  const oneway = tags.get("oneway")
  if (oneway === "-1" || oneway === "reverse") return -1
  if (oneway === "no") return 0
  if (oneway === "yes" || oneway === "1" || oneway === "true") return 1
  const junction = tags.get("junction")
  return junction === "roundabout" || junction === "circular" || highway === "motorway" ? 1 : 0
}

function structureOf(tags: Tags): "bridge" | "tunnel" | undefined {
  const isSet = (key: string) => (tags.get(key) ?? "no") !== "no"
  if (isSet("bridge")) return "bridge"
  return isSet("tunnel") || tags.get("covered") === "yes" ? "tunnel" : undefined
}

/** Roads above others are drawn later. */
function levelOf(tags: Tags, structure: "bridge" | "tunnel" | undefined): number {
  const layer = Number(tags.get("layer"))
  if (Number.isInteger(layer) && layer !== 0) return Math.max(-5, Math.min(5, layer))
  return structure === "bridge" ? 1 : structure === "tunnel" ? -1 : 0
}

const unpavedSurfaces = new Set(["unpaved", "dirt", "gravel", "ground", "earth", "sand", "grass", "mud"])
const isUnpaved = (tags: Tags) => unpavedSurfaces.has(tags.get("surface") ?? "")

const maxTextLength = 120

/** A tag as a property; nothing if it is missing. */
export function text(tags: Tags, key: string, as = key): Properties {
  const value = tags.get(key)
  return value ? { [as]: value.slice(0, maxTextLength) } : {}
}

const railClasses: Readonly<Record<string, number>> = {
  rail: 9,
  light_rail: 11,
  subway: 12,
  tram: 13,
  narrow_gauge: 11,
  monorail: 12,
  funicular: 13,
}

const aerowayWidths: Readonly<Record<string, number>> = { runway: 10, taxiway: 12 }

/** Railways, ferries, runways and aerial ways. */
export function transitDrawing(tags: Tags): Drawing | undefined {
  const railway = tags.get("railway") ?? ""
  const railZoom = railClasses[railway]
  if (railZoom !== undefined) {
    const isSiding = tags.has("service")
    const tunnel: Properties = structureOf(tags) === "tunnel" ? { structure: "tunnel" } : {}
    return line("transit", { class: "rail", ...tunnel }, isSiding ? 13 : railZoom)
  }
  if (tags.get("route") === "ferry")
    return line("transit", { class: "ferry" }, 8, { fromZoom: 12, properties: text(tags, "name") })
  const aeroway = tags.get("aeroway") ?? ""
  const aerowayZoom = aerowayWidths[aeroway]
  if (aerowayZoom !== undefined) return line("transit", { class: aeroway }, aerowayZoom)
  if (tags.has("aerialway")) return line("transit", { class: "aerialway" }, 13)
  return undefined
}

const waterwayZooms: Readonly<Record<string, number>> = {
  river: 8,
  canal: 10,
  stream: 13,
  drain: 14,
  ditch: 14,
}

export function waterwayDrawing(tags: Tags): Drawing | undefined {
  const kind = tags.get("waterway") ?? ""
  const minZoom = waterwayZooms[kind]
  if (minZoom === undefined || structureOf(tags) === "tunnel") return undefined
  return line("waterway", { class: kind }, minZoom, { fromZoom: 12, properties: text(tags, "name") })
}

export function boundaryDrawing(tags: Tags): Drawing | undefined {
  if (tags.get("boundary") !== "administrative" || tags.get("maritime") === "yes") return undefined
  const level = Number(tags.get("admin_level"))
  if (!(level >= 2 && level <= 8)) return undefined
  return line("boundary", { level }, level <= 2 ? 5 : level <= 4 ? 6 : level <= 6 ? 9 : 11)
}

function line(
  layer: string,
  properties: Properties,
  minZoom: number,
  details?: { fromZoom: number; properties: Properties },
): Drawing {
  return { layer, kind: "line", properties, minZoom, order: 0, ...(details ? { details } : {}) }
}
