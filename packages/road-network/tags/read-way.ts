import { type Tags, taggedAccess } from "./access.ts"
import { accessKeys, isMotorized, type Mode, modes, type RoadClass, roadClasses } from "./modes.ts"
import { parseDuration, parseMeters, parseTonnes } from "./numbers.ts"
import { speedOf } from "./speeds.ts"

export const roadFlags = { toll: 1, ferry: 2, roundabout: 4, link: 8, motorway: 16, tunnel: 32 } as const

/** What a way means for traffic. Ways with the same meaning share one record of the network. */
export interface WayMeaning {
  roadClass: RoadClass
  /** Bits of `roadFlags`. */
  flags: number
  /** Hundredths of km/h, by mode and direction: `[2 * mode + direction]`, 0 where the mode may not go. */
  speeds: number[]
  /** Bits of modes that may use it at the start or the end of a journey only. */
  destinationOnly: number
  /** Limits for vehicles: centimetres and tens of kilograms, 0 for none. */
  maxHeight: number
  maxWidth: number
  maxLength: number
  maxWeight: number
  /** Seconds for the whole way, which replaces the speeds. */
  ferrySeconds: number | undefined
  /** `turn:lanes` along the way and against it. */
  lanes: [forward: string, backward: string]
}

const maxLanesLength = 200
const classes = new Set<string>(roadClasses)
const aliases: Record<string, RoadClass> = { road: "unclassified", bridleway: "path", corridor: "footway" }
const motorRoads = new Set<RoadClass>([
  "motorway",
  "trunk",
  "primary",
  "secondary",
  "tertiary",
  "unclassified",
  "residential",
  "living_street",
  "service",
  "ferry",
])

/** Undefined for anything that nobody travels on. */
export function readWay(tags: Tags): WayMeaning | undefined {
  const kind = kindOf(tags)
  if (!kind || tags.get("impassable") === "yes" || tags.get("smoothness") === "impassable") return undefined
  const speeds: number[] = []
  let destinationOnly = 0
  for (const [bit, mode] of modes.entries()) {
    const access = accessOf(tags, mode, kind.roadClass)
    if (access === "destination") destinationOnly |= 1 << bit
    const [forward, backward] =
      access === "no" ? [false, false] : directionsOf(tags, mode, kind.roadClass, access)
    speeds.push(
      forward ? Math.round(speedOf(tags, mode, kind, "forward") * 100) : 0,
      backward ? Math.round(speedOf(tags, mode, kind, "backward") * 100) : 0,
    )
  }
  if (speeds.every((speed) => speed === 0)) return undefined
  return {
    roadClass: kind.roadClass,
    flags: flagsOf(tags, kind),
    speeds,
    destinationOnly,
    maxHeight: limit(parseMeters(tags.get("maxheight") ?? tags.get("maxheight:physical")), 100),
    maxWidth: limit(parseMeters(tags.get("maxwidth") ?? tags.get("maxwidth:physical")), 100),
    maxLength: limit(parseMeters(tags.get("maxlength")), 100),
    maxWeight: limit(parseTonnes(tags.get("maxweight") ?? tags.get("maxweightrating:hgv")), 100),
    ferrySeconds: kind.roadClass === "ferry" ? parseDuration(tags.get("duration")) : undefined,
    lanes: lanesOf(tags, speeds),
  }
}

/** `turn:lanes` counts for vehicles; without a direction, for those of a one-way street. */
function lanesOf(tags: Tags, speeds: readonly number[]): [string, string] {
  const car = modes.indexOf("car") * 2
  const isOneWay = speeds[car] === 0 || speeds[car + 1] === 0
  const read = (direction: 0 | 1, key: string) => {
    if (speeds[car + direction] === 0) return ""
    const lanes = tags.get(key) ?? (isOneWay ? tags.get("turn:lanes") : undefined) ?? ""
    return lanes.length > maxLanesLength ? "" : lanes
  }
  return [read(0, "turn:lanes:forward"), read(1, "turn:lanes:backward")]
}

interface Kind {
  roadClass: RoadClass
  isLink: boolean
}

function kindOf(tags: Tags): Kind | undefined {
  const highway = tags.get("highway")
  if (highway === undefined) {
    const route = tags.get("route")
    return route === "ferry" || route === "shuttle_train" ? { roadClass: "ferry", isLink: false } : undefined
  }
  const isLink = highway.endsWith("_link")
  const name = isLink ? highway.slice(0, -5) : highway
  const roadClass = aliases[name] ?? (classes.has(name) && name !== "ferry" ? (name as RoadClass) : undefined)
  if (!roadClass || tags.get("service") === "emergency_access") return undefined
  return { roadClass, isLink }
}

function accessOf(tags: Tags, mode: Mode, roadClass: RoadClass): "yes" | "destination" | "no" {
  const tagged = taggedAccess(tags, mode)
  if (tagged === "no" || (tags.get("area") === "yes" && isMotorized(mode))) return "no"
  if (mode === "bicycle" && tags.get("bicycle") === "dismount") return "yes"
  // The tag must name the mode or a group of vehicles to open a way that is not made for it: access=yes does not.
  const opens = accessKeys[mode].slice(0, -1).some((key) => isOpening(tags.get(key)))
  if (isMotorized(mode)) {
    if (motorRoads.has(roadClass)) return tagged ?? "yes"
    return opens || (roadClass === "track" && tags.get("tracktype") === "grade1") ? (tagged ?? "yes") : "no"
  }
  if (roadClass === "motorway") return opens ? (tagged ?? "yes") : "no"
  if (mode === "bicycle") {
    if (roadClass === "trunk" && tags.get("motorroad") === "yes") return "no"
    return tagged ?? "yes"
  }
  if (roadClass === "trunk") return opens || tags.has("sidewalk") ? (tagged ?? "yes") : "no"
  if (roadClass === "cycleway")
    return tags.get("foot") === undefined && tags.get("segregated") === undefined
      ? (tagged ?? "yes")
      : (tagged ?? "yes")
  return tagged ?? "yes"
}

const isOpening = (value: string | undefined) =>
  value === "yes" ||
  value === "designated" ||
  value === "permissive" ||
  value === "official" ||
  value === "destination" ||
  value === "delivery"

/** Which directions are open: forward, backward. */
function directionsOf(
  tags: Tags,
  mode: Mode,
  roadClass: RoadClass,
  access: "yes" | "destination",
): [boolean, boolean] {
  const closes = (suffix: string) => taggedAccess(tags, mode, suffix) === "no"
  const oneWay = oneWayOf(tags, mode, roadClass)
  if (oneWay === "closed") return [false, false]
  const contraflow = mode === "bicycle" && access !== undefined && allowsContraflow(tags)
  return [
    (oneWay !== "backward" || contraflow) && !closes(":forward"),
    (oneWay !== "forward" || contraflow) && !closes(":backward"),
  ]
}

function oneWayOf(tags: Tags, mode: Mode, roadClass: RoadClass): "forward" | "backward" | "both" | "closed" {
  if (mode === "foot") {
    const value = tags.get("oneway:foot")
    return value === "yes" ? "forward" : value === "-1" ? "backward" : "both"
  }
  let value: string | undefined
  for (const key of accessKeys[mode]) value ??= key === "access" ? undefined : tags.get(`oneway:${key}`)
  value ??= tags.get("oneway")
  if (value === "-1" || value === "reverse") return "backward"
  if (value === "yes" || value === "true" || value === "1") return "forward"
  if (value === "reversible") return "closed"
  const junction = tags.get("junction")
  const isImplied =
    junction === "roundabout" || junction === "circular" || (roadClass === "motorway" && !tags.has("oneway"))
  return isImplied && value !== "no" && !tags.get("highway")?.endsWith("_link") ? "forward" : "both"
}

function allowsContraflow(tags: Tags): boolean {
  if (tags.get("oneway:bicycle") === "no") return true
  return ["cycleway", "cycleway:left", "cycleway:right", "cycleway:both"].some((key) =>
    (tags.get(key) ?? "").startsWith("opposite"),
  )
}

function flagsOf(tags: Tags, { roadClass, isLink }: Kind): number {
  const junction = tags.get("junction")
  const isTolled = ["toll", "toll:motorcar", "toll:hgv"].some((key) => tags.get(key) === "yes")
  const tunnel = tags.get("tunnel")
  return (
    (isTolled ? roadFlags.toll : 0) |
    (roadClass === "ferry" ? roadFlags.ferry : 0) |
    (junction === "roundabout" || junction === "circular" ? roadFlags.roundabout : 0) |
    (isLink ? roadFlags.link : 0) |
    (roadClass === "motorway" ? roadFlags.motorway : 0) |
    (tunnel !== undefined && tunnel !== "no" ? roadFlags.tunnel : 0)
  )
}

function limit(value: number | undefined, factor: number): number {
  return value === undefined ? 0 : Math.min(65_535, Math.max(1, Math.round(value * factor)))
}
