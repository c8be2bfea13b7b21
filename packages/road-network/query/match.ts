import { distanceMeters, type LngLat } from "../../geodesy/geodesy.ts"
import { findPath, type RoadPath } from "./path.ts"
import type { Router } from "./router.ts"
import { lengthOf } from "./seeds.ts"
import { type Access, type SnapOptions, type Snapped, snapMany } from "./snap.ts"
import { travelTable, unreachable } from "./table.ts"

/** A position of a track. */
export interface TrackPoint {
  lngLat: LngLat
  /** Standard deviation of the position, metres. */
  accuracyMeters?: number
  /** Seconds, for gaps. */
  time?: number
  /** Which roads count there. */
  roads?: Pick<SnapOptions, "bearing" | "side" | "isOnFerries">
}

/** A part of a track on roads. */
export interface Matching {
  /** Positions of the track that were matched. */
  points: number[]
  places: Snapped[]
  /** The way to each place from the one before. */
  paths: RoadPath[]
  /** 0 to 1: how well roads explain the track. */
  confidence: number
}

interface MatchOptions {
  /** Longer silences end a matching, seconds; undefined for never. */
  maxGapSeconds?: number | undefined
}

const usualAccuracy = 8
const candidatesPerPoint = 8
/** Metres by which a way between two places usually differs from the straight line between the positions. */
const detourScale = 12
/** Between two positions, more than this is no part of the same drive. */
const maxMeters = 5_000

interface Candidate {
  place: Snapped
  access: Access
  emission: number
}

interface Layer {
  point: number
  candidates: Candidate[]
  score: number[]
  previous: number[]
}

/**
 * The roads that a track most likely followed: a hidden Markov model over places near each position (Newson and
 * Krumm 2009). Positions far from roads are left out; where no way connects, another matching begins.
 */
export function matchTrack(
  router: Router,
  track: readonly TrackPoint[],
  options: MatchOptions = {},
): Matching[] {
  const matchings: Matching[] = []
  let layers: Layer[] = []
  const finish = () => {
    const matching = layers.length > 1 ? bestMatching(router, layers) : undefined
    if (matching) matchings.push(matching)
    layers = []
  }
  for (const [index, point] of track.entries()) {
    const candidates = candidatesOf(router, point)
    if (candidates.length === 0) continue
    const last = layers.at(-1)
    const before = last ? track[last.point] : undefined
    const isGap =
      options.maxGapSeconds !== undefined &&
      point.time !== undefined &&
      before?.time !== undefined &&
      point.time - before.time > options.maxGapSeconds
    if (isGap) finish()
    const connected = last && before && !isGap ? connect(router, last, before, point, candidates) : undefined
    if (last && !isGap && !connected) finish()
    layers.push({
      point: index,
      candidates,
      score: connected?.score ?? candidates.map(({ emission }) => emission),
      previous: connected?.previous ?? candidates.map(() => -1),
    })
  }
  finish()
  return matchings
}

function candidatesOf(
  router: Router,
  { lngLat, accuracyMeters = usualAccuracy, roads }: TrackPoint,
): Candidate[] {
  const maxRadius = Math.max(30, accuracyMeters * 4)
  return snapMany(router.graph, lngLat, {
    ...roads,
    count: candidatesPerPoint,
    maxMeters: maxRadius,
  }).flatMap((place) =>
    place.accesses.map((access) => ({
      place,
      access,
      emission: -0.5 * (place.distanceMeters / accuracyMeters) ** 2,
    })),
  )
}

/** The best predecessor of each candidate; undefined if no way leads from any to any. */
function connect(
  router: Router,
  last: Layer,
  before: TrackPoint,
  point: TrackPoint,
  candidates: readonly Candidate[],
): { score: number[]; previous: number[] } | undefined {
  const straight = distanceMeters(before.lngLat, point.lngLat)
  if (straight > maxMeters) return undefined
  const placesOf = (list: readonly Candidate[]) => list.map(({ access }) => ({ accesses: [access] }))
  const table = travelTable(router, placesOf(last.candidates), placesOf(candidates))
  const score = candidates.map(() => Number.NEGATIVE_INFINITY)
  const previous = candidates.map(() => -1)
  for (const [from, start] of last.candidates.entries())
    for (const [to, end] of candidates.entries()) {
      const meters = metersBetween(router, start, end, table.lengths[from * candidates.length + to] as number)
      if (meters === undefined || meters > straight * 4 + 500) continue
      const value = (last.score[from] as number) - Math.abs(meters - straight) / detourScale + end.emission
      if (value <= (score[to] as number)) continue
      score[to] = value
      previous[to] = from
    }
  return previous.some((from) => from !== -1) ? { score, previous } : undefined
}

function metersBetween(router: Router, start: Candidate, end: Candidate, length: number): number | undefined {
  if (isJitter(router, start, end)) return 0
  return length === unreachable ? undefined : length / 100
}

/** Slightly back on the same road: a vehicle that stands still, not one that drives around the block. */
function isJitter({ graph }: Router, { access: from, place }: Candidate, { access: to }: Candidate): boolean {
  if (from.directed !== to.directed || to.share >= from.share) return false
  return lengthOf(graph, from.directed, from.share - to.share) / 100 < Math.max(20, place.distanceMeters * 2)
}

function bestMatching(router: Router, layers: readonly Layer[]): Matching | undefined {
  const last = layers.at(-1)
  if (!last) return undefined
  let at = last.score.reduce((best, value, i) => (value > (last.score[best] as number) ? i : best), 0)
  const finalScore = last.score[at] as number
  const chosen: Candidate[] = []
  for (const layer of layers.toReversed()) {
    chosen.unshift(layer.candidates[at] as Candidate)
    at = layer.previous[at] as number
  }
  const paths: RoadPath[] = []
  for (const [index, end] of chosen.entries()) {
    const start = chosen[index - 1]
    if (!start) continue
    if (isJitter(router, start, end)) end.access = start.access
    const path = findPath(router, [start.access], [end.access])
    if (!path) return undefined
    paths.push(path)
  }
  return {
    points: layers.map(({ point }) => point),
    places: chosen.map(({ place }) => place),
    paths,
    confidence: Math.exp(finalScore / layers.length / 2),
  }
}
