import type { Tags } from "./access.ts"
import type { Mode, RoadClass } from "./modes.ts"
import { parseSpeed } from "./numbers.ts"

/** Kilometres per hour by class, for roads without a speed limit: [road, link]. */
const motorSpeeds: Partial<Record<RoadClass, readonly [number, number]>> = {
  motorway: [90, 45],
  trunk: [85, 40],
  primary: [65, 30],
  secondary: [55, 25],
  tertiary: [40, 20],
  unclassified: [25, 25],
  residential: [25, 25],
  living_street: [10, 10],
  service: [15, 15],
  track: [10, 10],
  ferry: [10, 10],
}
/** Where a tag lets motor vehicles onto a way that is not for them. */
const trespassingSpeed = 10
/** Traffic drives below the limit: at signals, at crossings, behind others. */
const limitFactor = 0.8
const truckTopSpeed = 80

const bicycleSpeeds: Partial<Record<RoadClass, number>> = {
  cycleway: 16,
  track: 12,
  path: 13,
  living_street: 14,
  service: 14,
  pedestrian: 5,
  footway: 5,
  steps: 2,
  ferry: 10,
}
const bicycleSpeed = 15
const walkingSpeed = 5

/** The fastest on a surface, motor vehicles and bicycles: kilometres per hour. */
const surfaceSpeeds: Record<string, readonly [motor: number, bicycle: number]> = {
  compacted: [80, 15],
  fine_gravel: [80, 15],
  paving_stones: [60, 15],
  metal: [60, 12],
  sett: [40, 10],
  cobblestone: [30, 8],
  unhewn_cobblestone: [30, 6],
  gravel: [40, 10],
  pebblestone: [40, 10],
  unpaved: [40, 12],
  ground: [40, 10],
  dirt: [40, 10],
  grass: [40, 7],
  wood: [40, 12],
  clay: [30, 10],
  earth: [20, 10],
  sand: [20, 4],
  rock: [20, 4],
  mud: [10, 4],
}
const slowServices = new Set(["alley", "parking", "parking_aisle", "driveway", "drive-through"])

/** Kilometres per hour in a direction, before access is considered. */
export function speedOf(
  tags: Tags,
  mode: Mode,
  { roadClass, isLink }: { roadClass: RoadClass; isLink: boolean },
  direction: "forward" | "backward",
): number {
  if (mode === "foot") return roadClass === "ferry" ? 10 : roadClass === "steps" ? 3 : walkingSpeed
  const surface = surfaceSpeeds[tags.get("surface") ?? ""]
  if (mode === "bicycle") {
    const isPushed = tags.get("bicycle") === "dismount"
    const usual = bicycleSpeeds[roadClass] ?? bicycleSpeed
    const allowed = tags.get("bicycle") === "yes" || tags.get("bicycle") === "designated"
    const speed = allowed && (roadClass === "footway" || roadClass === "pedestrian") ? 12 : usual
    return Math.min(isPushed ? 4 : speed, surface?.[1] ?? speed)
  }
  const own = mode === "truck" ? "maxspeed:hgv" : "maxspeed"
  const limit =
    parseSpeed(tags.get(`${own}:${direction}`)) ??
    parseSpeed(tags.get(own)) ??
    parseSpeed(tags.get(`maxspeed:${direction}`)) ??
    parseSpeed(tags.get("maxspeed"))
  const [road, link] = motorSpeeds[roadClass] ?? [trespassingSpeed, trespassingSpeed]
  let speed = limit === undefined ? (isLink ? link : road) : limit * limitFactor
  if (roadClass === "service" && slowServices.has(tags.get("service") ?? "")) speed = Math.min(speed, 7.5)
  if (mode === "truck") speed = Math.min(speed, truckTopSpeed)
  return Math.min(speed, surface?.[0] ?? speed)
}
