/** Ways of travelling. The position in this list is the bit and the column of a mode in every table. */
export const modes = ["car", "motorcycle", "bicycle", "foot", "truck"] as const
export type Mode = (typeof modes)[number]

export const modeBit = (mode: Mode): number => 1 << modes.indexOf(mode)
export const isMotorized = (mode: Mode): boolean => mode !== "bicycle" && mode !== "foot"

/** Keys of access tags, from the most specific to the most general. */
export const accessKeys: Record<Mode, readonly string[]> = {
  car: ["motorcar", "motor_vehicle", "vehicle", "access"],
  motorcycle: ["motorcycle", "motor_vehicle", "vehicle", "access"],
  bicycle: ["bicycle", "vehicle", "access"],
  foot: ["foot", "access"],
  truck: ["hgv", "motor_vehicle", "vehicle", "access"],
}

/** Kinds of roads. The position in this list is stored, and indexes tables of speed corrections. */
export const roadClasses = [
  "motorway",
  "trunk",
  "primary",
  "secondary",
  "tertiary",
  "unclassified",
  "residential",
  "living_street",
  "service",
  "track",
  "pedestrian",
  "cycleway",
  "path",
  "footway",
  "steps",
  "ferry",
] as const
export type RoadClass = (typeof roadClasses)[number]
