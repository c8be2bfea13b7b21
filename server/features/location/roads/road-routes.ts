import type { LngLat } from "#packages/geodesy/geodesy.ts"
import {
  type ClassTimes,
  classTimesOf,
  describeSteps,
  hasNodeIds,
  leavingOf,
  nodeIdsOf,
  type RoadPath,
  type Step,
  simplifyLine,
  type TravelGraph,
  type TravelledSegment,
  travelledSegments,
} from "../../../../packages/road-network/index.ts"

export interface RouteDetail {
  overview: "full" | "simplified" | "byLegs" | "none"
  steps: boolean
  annotations: boolean
  /** Seconds by class of road, for the speeds of another hour. */
  classTimes?: boolean
}

export interface RoadAnnotation {
  seconds: number[]
  meters: number[]
  /** One more than lines: the nodes between them, before the start and after the end. Undefined on a map without ids. */
  nodes: number[] | undefined
}

export interface RoadLeg {
  seconds: number
  meters: number
  /** The roads that most of it follows. */
  summary: string
  steps: Step[]
  /** For each line between points: seconds and metres. */
  annotation?: RoadAnnotation
  /** The whole line, if lines by legs are asked for. */
  points?: LngLat[]
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
    const line = segments.flatMap((segment, index) => segment.points.slice(index === 0 ? 0 : 1))
    points.push(...(points.length > 0 ? line.slice(1) : line))
    const steps = detail.steps ? describeSteps(graph, leavingOf(graph.network), segments) : []
    return {
      seconds: sumOf(paths, ({ cost }) => cost) / 1000,
      meters: sumOf(paths, ({ length }) => length) / 100,
      summary: detail.steps ? summaryOf(steps) : "",
      steps,
      ...(detail.annotations ? { annotation: annotate(graph, segments) } : {}),
      ...(detail.overview === "byLegs" ? { points: line } : {}),
      ...(detail.classTimes ? { times: classTimesOf(graph, paths) } : {}),
    }
  })
  return {
    seconds: sumOf(legs, ({ seconds }) => seconds),
    meters: sumOf(legs, ({ meters }) => meters),
    points: detail.overview === "full" ? points : detail.overview === "simplified" ? simplified(points) : [],
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
        pointNumbers: [...last.pointNumbers, ...next.pointNumbers.slice(1)],
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
function annotate({ network }: TravelGraph, segments: readonly TravelledSegment[]): RoadAnnotation {
  const meters = segments.flatMap(({ legMeters }) => legMeters)
  const seconds = segments.flatMap(({ legMeters, seconds: all }) => {
    const total = legMeters.reduce((sum, leg) => sum + leg, 0)
    return legMeters.map((leg) => (total === 0 ? all / legMeters.length : (all * leg) / total))
  })
  const nodes = hasNodeIds(network)
    ? segments.flatMap(({ directed, pointNumbers }, index) => {
        const ids = nodeIdsOf(network, directed >>> 1)
        return pointNumbers.slice(index === 0 ? 0 : 1).map((number) => ids[number] ?? 0)
      })
    : undefined
  return { seconds, meters, nodes }
}
