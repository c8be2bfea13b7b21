import type { LngLat } from "#packages/geodesy/geodesy.ts"
import {
  type ClassTimes,
  classTimesOf,
  describeSteps,
  leavingOf,
  type RoadPath,
  type Step,
  simplifyLine,
  type TravelGraph,
  type TravelledSegment,
  travelledSegments,
} from "../../../../packages/road-network/index.ts"

export interface RouteDetail {
  overview: "full" | "simplified" | "none"
  steps: boolean
  annotations: boolean
  /** Seconds by class of road, for the speeds of another hour. */
  classTimes?: boolean
}

export interface RoadLeg {
  seconds: number
  meters: number
  /** The roads that most of it follows. */
  summary: string
  steps: Step[]
  /** For each line between points: seconds and metres. */
  annotation?: { seconds: number[]; meters: number[] }
  times?: ClassTimes
}

export interface RoadRoute {
  seconds: number
  meters: number
  points: LngLat[]
  legs: RoadLeg[]
}

/** Metres that a simplified line may leave the road, from a close view to a whole country. */
const tolerances = [2, 5, 10, 25, 50, 100]
const simplifiedPoints = 500

export function describeRoute(
  graph: TravelGraph,
  legPaths: readonly (readonly RoadPath[])[],
  detail: RouteDetail,
): RoadRoute {
  const points: LngLat[] = []
  const legs = legPaths.map((paths): RoadLeg => {
    const segments = joined(paths.map((path) => travelledSegments(graph, path)))
    for (const segment of segments)
      points.push(...(points.length > 0 ? segment.points.slice(1) : segment.points))
    const steps = detail.steps ? describeSteps(graph, leavingOf(graph.network), segments) : []
    return {
      seconds: sumOf(paths, ({ cost }) => cost) / 1000,
      meters: sumOf(paths, ({ length }) => length) / 100,
      summary: detail.steps ? summaryOf(steps) : "",
      steps,
      ...(detail.annotations ? { annotation: annotate(segments) } : {}),
      ...(detail.classTimes ? { times: classTimesOf(graph, paths) } : {}),
    }
  })
  return {
    seconds: sumOf(legs, ({ seconds }) => seconds),
    meters: sumOf(legs, ({ meters }) => meters),
    points: detail.overview === "none" ? [] : detail.overview === "full" ? points : simplified(points),
    legs,
  }
}

function sumOf<T>(items: readonly T[], read: (item: T) => number): number {
  return items.reduce((sum, item) => sum + read(item), 0)
}

/** One leg over places in between: a road that goes on there is one piece. */
function joined(ways: readonly TravelledSegment[][]): TravelledSegment[] {
  const [first = [], ...others] = ways
  const all = [...first]
  for (const way of others) {
    const [last, next] = [all.at(-1), way[0]]
    const goesOn =
      last && next && last.directed === next.directed && isSame(last.points.at(-1), next.points[0])
    if (goesOn)
      all[all.length - 1] = {
        directed: last.directed,
        points: [...last.points, ...next.points.slice(1)],
        legMeters: [...last.legMeters, ...next.legMeters],
        seconds: last.seconds + next.seconds,
        meters: last.meters + next.meters,
      }
    all.push(...way.slice(goesOn ? 1 : 0))
  }
  return all
}

const isSame = (a: LngLat | undefined, b: LngLat | undefined) => a?.[0] === b?.[0] && a?.[1] === b?.[1]

function simplified(points: readonly LngLat[]): LngLat[] {
  let line: LngLat[] = [...points]
  for (const tolerance of tolerances) {
    line = simplifyLine(line, tolerance)
    if (line.length <= simplifiedPoints) break
  }
  return line
}

function summaryOf(steps: readonly Step[]): string {
  const metersByName = new Map<string, number>()
  for (const { name, roadNumber, meters } of steps) {
    const key = name || roadNumber
    if (key) metersByName.set(key, (metersByName.get(key) ?? 0) + meters)
  }
  const longest = new Set(
    [...metersByName]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 2)
      .map(([name]) => name),
  )
  return [...metersByName.keys()].filter((name) => longest.has(name)).join(", ")
}

/** A segment's time is spread over its lines by their lengths. */
function annotate(segments: ReturnType<typeof travelledSegments>): { seconds: number[]; meters: number[] } {
  const meters = segments.flatMap(({ legMeters }) => legMeters)
  const seconds = segments.flatMap(({ legMeters, seconds: all }) => {
    const total = legMeters.reduce((sum, leg) => sum + leg, 0)
    return legMeters.map((leg) => (total === 0 ? all / legMeters.length : (all * leg) / total))
  })
  return { seconds, meters }
}
