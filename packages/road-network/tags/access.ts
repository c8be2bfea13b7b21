import { accessKeys, isMotorized, type Mode } from "./modes.ts"

export type Tags = ReadonlyMap<string, string>
/** `destination`: at the start or the end of a journey only. */
export type Access = "yes" | "destination" | "no"

const meanings: Record<string, Access> = {
  yes: "yes",
  permissive: "yes",
  designated: "yes",
  official: "yes",
  public: "yes",
  dismount: "yes",
  destination: "destination",
  private: "destination",
  permit: "destination",
  residents: "destination",
  customers: "destination",
  delivery: "destination",
  no: "no",
  agricultural: "no",
  forestry: "no",
  agricultural_forestry: "no",
  use_sidepath: "no",
  emergency: "no",
  military: "no",
  psv: "no",
  bus: "no",
  restricted: "no",
}

/** What the most specific tag of a mode says; undefined without one. `suffix` is ":forward" or ":backward". */
export function taggedAccess(tags: Tags, mode: Mode, suffix = ""): Access | undefined {
  for (const key of accessKeys[mode]) {
    const value = tags.get(key + suffix)
    const meaning = value === undefined ? undefined : meanings[value]
    if (meaning) return meaning
  }
  return undefined
}

/** Barriers that a vehicle passes where no tag says otherwise. */
const openBarriers = new Set([
  "gate",
  "lift_gate",
  "swing_gate",
  "sliding_gate",
  "cattle_grid",
  "border_control",
  "toll_booth",
  "sally_port",
  "entrance",
  "height_restrictor",
  "arch",
  "no",
  "kerb",
  "spikes",
  "wicket_gate",
])
/** Barriers that nobody passes, not even on foot. */
const closedBarriers = new Set(["wall", "fence", "hedge", "ditch", "retaining_wall", "city_wall"])
/** Passed on foot and by bicycle, not by motor vehicles; motorcycles pass where a tag says so. */
const narrowForBicycles = new Set(["stile", "turnstile", "full-height_turnstile", "kissing_gate", "log"])

export interface NodeEffect {
  /** Bits of modes that cannot pass. */
  blocked: number
  /** Tenths of a second that motor vehicles lose here. */
  delay: number
}

const delays = { signals: 20, tollBooth: 100, privateGate: 1200, borderControl: 1200 }

/** What a node on a road does to traffic; undefined for most. */
export function readNode(tags: Tags, allModes: readonly Mode[]): NodeEffect | undefined {
  const barrier = tags.get("barrier")
  let delay = tags.get("highway") === "traffic_signals" ? delays.signals : 0
  let blocked = 0
  if (barrier === "toll_booth") delay += delays.tollBooth
  if (barrier === "border_control") delay += delays.borderControl
  for (const [bit, mode] of allModes.entries()) {
    const tagged = taggedAccess(tags, mode)
    if (barrier === undefined) {
      // An access tag without a barrier describes a crossing or a gap of its own: only a clear no counts.
      if (tagged === "no" && tags.has("access") && tags.get("access") === "no") blocked |= 1 << bit
      continue
    }
    if (tagged === "destination" && isMotorized(mode)) delay = Math.max(delay, delays.privateGate)
    if (tagged === undefined ? !passes(barrier, mode) : tagged === "no") blocked |= 1 << bit
  }
  return blocked === 0 && delay === 0 ? undefined : { blocked, delay }
}

function passes(barrier: string, mode: Mode): boolean {
  if (openBarriers.has(barrier)) return true
  if (closedBarriers.has(barrier)) return false
  if (mode === "foot") return true
  return mode === "bicycle" && !narrowForBicycles.has(barrier)
}
