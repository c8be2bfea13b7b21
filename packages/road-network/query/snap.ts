import type { LngLat } from "../../geodesy/geodesy.ts"
import { bearingDegrees, distanceMeters } from "../../geodesy/geodesy.ts"
import { toDegrees, toUnits, worldUnits } from "../fixed.ts"
import { degreesOf, isFerry, type Line, lineOf, metersAlong, nameOf } from "../network.ts"
import type { TravelGraph } from "../travel-graph.ts"
import { visitNearest } from "../tree.ts"

/** A way to begin or to end a journey at a place: on a directed segment, at a share of its length. */
export interface Access {
  directed: number
  /** 0 at the tail, 1 at the head. */
  share: number
}

/** A place on the network. */
export interface Snapped {
  lngLat: LngLat
  /** From where it was asked for, metres. */
  distanceMeters: number
  segment: number
  /** The point of the segment before the place, in the segment's own direction. */
  leg: number
  name: string
  /** False on a part of the network that most of it cannot reach, or that cannot reach most of it. */
  isOnLargePart: boolean
  accesses: Access[]
}

export interface SnapOptions {
  /** Metres; further away there is no road. */
  maxMeters?: number
  /** The direction of travel and how far from it, degrees. */
  bearing?: { degrees: number; range: number }
  /** On which side of the vehicle the place must lie; only where the road may be driven both ways. */
  side?: "left" | "right"
  /** How many places, the nearest first. */
  count?: number
  /** Also on ferry lines. */
  isOnFerries?: boolean
}

export const defaultSnapMeters = 1_000
/** So many roads are looked at for a place, whatever the distance and the direction asked for. */
const maxVisited = 5_000
/** An island is left for the main network if that is no more than so much further away, metres. */
const islandTolerance = 200
const metersPerUnit = 6_371_000 * (Math.PI / 180) * 1e-7
/** Roads that meet at the place are equally near. Metres. */
const sameMeters = 0.05

interface Projected {
  squared: number
  leg: number
  part: number
  /** 1 if the place lies to the right of the line, -1 to the left, 0 on it. */
  right: number
}

interface Candidate extends Projected {
  segment: number
  isLarge: boolean
}

/**
 * The nearest place on the network. One on an island gives way to the main network nearby, so that a place beside a
 * closed yard is reachable; if there is none nearby, it stays on its island.
 */
export function snap(graph: TravelGraph, place: LngLat, options: SnapOptions = {}): Snapped | undefined {
  const candidates: Candidate[] = []
  const maxSquared = squaredUnits(options.maxMeters ?? defaultSnapMeters)
  let bestLarge = maxSquared
  let best = maxSquared
  visitCandidates(graph, place, options, (candidate) => {
    candidates.push(candidate)
    best = Math.min(best, candidate.squared)
    if (candidate.isLarge) bestLarge = Math.min(bestLarge, candidate.squared)
    const limit = squaredUnits(Math.sqrt(best) * metersPerUnit + islandTolerance)
    return Math.min(bestLarge, limit, maxSquared)
  })
  const nearest = candidates.reduce<Candidate | undefined>(nearer, undefined)
  if (!nearest || nearest.squared > maxSquared) return undefined
  const large = candidates.filter(({ isLarge }) => isLarge).reduce<Candidate | undefined>(nearer, undefined)
  const isClose =
    large &&
    Math.sqrt(large.squared) * metersPerUnit <= Math.sqrt(nearest.squared) * metersPerUnit + islandTolerance
  const chosen = large && isClose && large.squared <= maxSquared ? large : nearest
  return describe(graph, place, chosen, candidates, options)
}

/** The nearest places, one on each segment, islands included. */
export function snapMany(graph: TravelGraph, place: LngLat, options: SnapOptions = {}): Snapped[] {
  const count = options.count ?? 1
  const maxSquared = squaredUnits(options.maxMeters ?? defaultSnapMeters)
  const candidates: Candidate[] = []
  visitCandidates(graph, place, options, (candidate) => {
    if (candidate.squared > maxSquared) return maxSquared
    const at = candidates.findIndex(({ squared }) => squared > candidate.squared)
    candidates.splice(at === -1 ? candidates.length : at, 0, candidate)
    candidates.length = Math.min(candidates.length, count)
    return candidates.length < count ? maxSquared : (candidates.at(-1)?.squared ?? maxSquared)
  })
  return candidates.map((candidate) => describe(graph, place, candidate, [], options))
}

const squaredUnits = (meters: number) => (meters / metersPerUnit) ** 2
const nearer = (best: Candidate | undefined, next: Candidate) =>
  !best || next.squared < best.squared ? next : best

/** `visit` returns up to which squared distance candidates still matter. */
function visitCandidates(
  graph: TravelGraph,
  [lng, lat]: LngLat,
  options: SnapOptions,
  visit: (candidate: Candidate) => number,
): void {
  const { columns } = graph.network
  const place = { lat: toUnits(lat), lon: toUnits(lng) }
  let limit = squaredUnits(options.maxMeters ?? defaultSnapMeters)
  let visited = 0
  visitNearest({ boxes: columns.treeBoxes, items: columns.treeItems }, place, limit, (segment) => {
    if (++visited > maxVisited) return -1
    if (!options.isOnFerries && isFerry(graph.network, segment)) return limit
    if (!isUsable(graph, 2 * segment) && !isUsable(graph, 2 * segment + 1)) return limit
    const line = lineOf(graph.network, segment)
    const candidate = { ...project(line, place), segment, isLarge: isOnLargePart(graph, segment) }
    if (candidate.squared > limit) return limit
    if (options.bearing && headed(graph, line, candidate, options).length === 0) return limit
    limit = visit(candidate)
    return limit
  })
}

function isUsable({ network, profile, weights }: TravelGraph, directed: number): boolean {
  const kind = network.columns.segmentKind[directed >>> 1] as number
  return (
    (profile.startHead[directed] as number) < profile.stateCount &&
    Number.isFinite(weights.pace[kind * 2 + (directed & 1)] as number)
  )
}

function isOnLargePart(graph: TravelGraph, segment: number): boolean {
  return [2 * segment, 2 * segment + 1].some((d) => graph.profile.isLarge[d] === 1 && isUsable(graph, d))
}

/** The nearest point of a line: which leg, and at which share of it. On a plane, which is exact enough nearby. */
function project(line: Line, place: { lat: number; lon: number }): Projected {
  const scale = Math.cos(((toDegrees(place.lat) % 90.1) / 180) * Math.PI)
  const turn = Math.round((place.lon - (line.lon[0] as number)) / worldUnits) * worldUnits
  let best: Projected = { squared: Number.POSITIVE_INFINITY, leg: 0, part: 0, right: 0 }
  let y = (line.lat[0] as number) - place.lat
  let x = ((line.lon[0] as number) + turn - place.lon) * scale
  for (let leg = 0; leg + 1 < line.lat.length; leg++) {
    const nextY = (line.lat[leg + 1] as number) - place.lat
    const nextX = ((line.lon[leg + 1] as number) + turn - place.lon) * scale
    const [dy, dx] = [nextY - y, nextX - x]
    const squaredLength = dy * dy + dx * dx
    const part = squaredLength === 0 ? 0 : Math.min(1, Math.max(0, -(y * dy + x * dx) / squaredLength))
    const [py, px] = [y + part * dy, x + part * dx]
    const squared = py * py + px * px
    if (squared < best.squared) best = { squared, leg, part, right: sideOf(squared, dx * y - dy * x) }
    y = nextY
    x = nextX
  }
  return best
}

/** A place on the line itself is on no side of it. */
const sideOf = (squared: number, cross: number) => (squared < squaredUnits(sameMeters) ? 0 : Math.sign(cross))

/** Directions in which the segment is open, leads as a bearing says and has the place on a side. */
function headed(
  graph: TravelGraph,
  line: Line,
  { segment, leg, right }: Omit<Candidate, "isLarge">,
  { bearing, side }: SnapOptions,
): number[] {
  const open = [2 * segment, 2 * segment + 1].filter((directed) => isUsable(graph, directed))
  return open.filter((directed) => {
    const isOnRight = ((directed & 1) === 0 ? right : -right) > 0
    if (side && right !== 0 && open.length === 2 && isOnRight !== (side === "right")) return false
    if (!bearing) return true
    const [from, to] = [degreesOf(line, leg), degreesOf(line, leg + 1)]
    const along = (directed & 1) === 0 ? bearingDegrees(from, to) : bearingDegrees(to, from)
    const turn = Math.abs(((along - bearing.degrees + 540) % 360) - 180)
    return turn <= bearing.range
  })
}

function describe(
  graph: TravelGraph,
  place: LngLat,
  chosen: Candidate,
  all: readonly Candidate[],
  options: SnapOptions,
): Snapped {
  const line = lineOf(graph.network, chosen.segment)
  const meters = Math.sqrt(chosen.squared) * metersPerUnit
  const isSamePlace = (other: Candidate) =>
    other === chosen ||
    (other.isLarge === chosen.isLarge &&
      Math.abs(Math.sqrt(other.squared) * metersPerUnit - meters) <= sameMeters &&
      isEnd(other, lineOf(graph.network, other.segment)) &&
      isEnd(chosen, line))
  const accesses = (all.length > 0 ? all.filter(isSamePlace) : [chosen]).flatMap((candidate) => {
    const own = candidate === chosen ? line : lineOf(graph.network, candidate.segment)
    const share = shareOf(own, candidate)
    return headed(graph, own, candidate, options).map((directed) => ({
      directed,
      share: (directed & 1) === 0 ? share : 1 - share,
    }))
  })
  return {
    lngLat: pointAt(line, chosen),
    distanceMeters: distanceMeters(place, pointAt(line, chosen)),
    segment: chosen.segment,
    leg: chosen.leg,
    name: nameOf(graph.network, chosen.segment),
    isOnLargePart: chosen.isLarge,
    accesses,
  }
}

function isEnd({ leg, part }: Candidate, line: Line): boolean {
  return (leg === 0 && part === 0) || (leg === line.lat.length - 2 && part === 1)
}

function shareOf(line: Line, { leg, part }: { leg: number; part: number }): number {
  const meters = metersAlong(line)
  const before = meters.slice(0, leg).reduce((sum, length) => sum + length, 0) + (meters[leg] ?? 0) * part
  const total = meters.reduce((sum, length) => sum + length, 0)
  return total === 0 ? 0 : Math.min(1, before / total)
}

function pointAt(line: Line, { leg, part }: { leg: number; part: number }): LngLat {
  const lat = (line.lat[leg] as number) + part * ((line.lat[leg + 1] as number) - (line.lat[leg] as number))
  const lon = (line.lon[leg] as number) + part * ((line.lon[leg + 1] as number) - (line.lon[leg] as number))
  return degreesOf({ lat: [Math.round(lat)], lon: [Math.round(lon)] }, 0)
}
