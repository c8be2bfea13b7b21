import { classOf } from "../network.ts"
import { type Matching, matchTrack, type TrackPoint } from "../query/match.ts"
import type { RoadPath } from "../query/path.ts"
import type { Router } from "../query/router.ts"
import { roadClasses } from "../tags/modes.ts"
import type { TravelGraph } from "../travel-graph.ts"
import { costAlong, delayAfter } from "../weights.ts"
import { drivenClasses, type Stretch } from "./speed-history.ts"

/** The seconds of a way by class of road, and those lost at signals, gates and toll booths. */
export interface ClassTimes {
  usual: [roadClass: number, seconds: number][]
  delay: number
}

export function classTimesOf({ network, weights }: TravelGraph, paths: readonly RoadPath[]): ClassTimes {
  const byClass = new Map<number, number>()
  let delay = 0
  for (const { segments, from, to } of paths)
    for (const [index, directed] of segments.entries()) {
      const isLast = index === segments.length - 1
      const share = (isLast ? to.share : 1) - (index === 0 ? from.share : 0)
      const roadClass = roadClasses.indexOf(classOf(network, directed >>> 1))
      const seconds = costAlong(network, weights, directed, share) / 1000
      if (roadClass < drivenClasses.length) byClass.set(roadClass, (byClass.get(roadClass) ?? 0) + seconds)
      else delay += seconds
      if (!isLast) delay += delayAfter(network, weights, directed) / 1000
    }
  return { usual: [...byClass], delay }
}

/** A stretch, and when it began: seconds. */
export type Observed = Omit<Stretch, "hourOfWeek"> & { at: number }

/** Positions closer together than this say more about the receiver than about the road, seconds. */
const minStep = 8
const maxAccuracy = 40
/** A longer silence ends a drive, seconds. */
const maxGap = 100
/** A longer stand is something else than driving, seconds. */
const maxStand = 120
/** Slower than this is standing, metres per second. */
const standing = 1
const stretchMeters = 250
/** Slower over a whole stretch is walking, metres per second. */
const walking = 1.8
const stretchSeconds = 25
const minConfidence = 0.05

/** Stretches of driving in a track whose points have times. */
export function observeTrack(router: Router, track: readonly TrackPoint[]): Observed[] {
  let last = Number.NEGATIVE_INFINITY
  const thin = track.filter(({ time = 0, accuracyMeters = 0 }) => {
    if (accuracyMeters > maxAccuracy || time - last < minStep) return false
    last = time
    return true
  })
  return matchTrack(router, thin, { maxGapSeconds: maxGap })
    .filter(({ confidence }) => confidence >= minConfidence)
    .flatMap((matching) => stretchesOf(router.graph, matching, thin))
}

function stretchesOf(graph: TravelGraph, matching: Matching, track: readonly TrackPoint[]): Observed[] {
  const stretches: Observed[] = []
  let open: { at: number; seconds: number; meters: number; paths: RoadPath[] } | undefined
  let stood = 0
  for (const [index, path] of matching.paths.entries()) {
    const [from = 0, to = 0] = [matching.points[index], matching.points[index + 1]].map(
      (point) => track[point ?? 0]?.time ?? 0,
    )
    const seconds = to - from
    const meters = path.length / 100
    const isStanding = meters < standing * seconds
    stood = isStanding ? stood + seconds : 0
    if (stood > maxStand) open = undefined
    // A drive begins with moving; standing afterwards belongs to it.
    if (stood > maxStand || (isStanding && !open)) continue
    open ??= { at: from, seconds: 0, meters: 0, paths: [] }
    open.seconds += seconds
    open.meters += meters
    open.paths.push(path)
    if (open.meters < stretchMeters || open.seconds < stretchSeconds || isStanding) continue
    if (open.meters > open.seconds * walking) stretches.push(...stretchOf(graph, open))
    open = undefined
  }
  return stretches
}

function stretchOf(
  graph: TravelGraph,
  { at, seconds, paths }: { at: number; seconds: number; paths: readonly RoadPath[] },
): Observed[] {
  const { usual: all, delay } = classTimesOf(graph, paths)
  const usual = all.filter(([, part]) => part > 0)
  return usual.length > 0 && seconds > delay ? [{ at, seconds: seconds - delay, usual }] : []
}
