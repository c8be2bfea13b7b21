import type { LngLat } from "../../geodesy/geodesy.ts"
import { degreesOf, type Line, lineOf, metersAlong } from "../network.ts"
import type { RoadPath } from "../query/path.ts"
import { lengthOf } from "../query/seeds.ts"
import type { TravelGraph } from "../travel-graph.ts"
import { costAlong, delayAfter } from "../weights.ts"

/** A directed segment of a route, as far as it is travelled. */
export interface TravelledSegment {
  directed: number
  /** Points in the direction of travel, its ends included. */
  points: LngLat[]
  /** Metres of each leg between points. */
  legMeters: number[]
  /** Which points of the segment these are, in its own direction; a cut end takes the number of the point beyond it. */
  pointNumbers: number[]
  /** With the delay at its end, unless the route ends before. */
  seconds: number
  meters: number
}

/** The segments of a way with their points. The first and the last are cut at the places. */
export function travelledSegments(graph: TravelGraph, path: RoadPath): TravelledSegment[] {
  const last = path.segments.length - 1
  return path.segments.map((directed, index) => {
    const from = index === 0 ? path.from.share : 0
    const to = index === last ? path.to.share : 1
    const own = lineOf(graph.network, directed >>> 1)
    const { numbers, ...line } = cutLine(own, directed, from, to)
    const cost = costAlong(graph.network, graph.weights, directed, to - from)
    const delay = index === last ? 0 : delayAfter(graph.network, graph.weights, directed)
    return {
      directed,
      points: line.lat.map((_, i) => degreesOf(line, i)),
      legMeters: metersAlong(line),
      pointNumbers: (directed & 1) === 0 ? numbers : numbers.map((number) => own.lat.length - 1 - number),
      seconds: (cost + delay) / 1000,
      meters: lengthOf(graph, directed, to - from) / 100,
    }
  })
}

/** The part of a line between two shares of its length, in the direction of travel. */
function cutLine(own: Line, directed: number, from: number, to: number): Line & { numbers: number[] } {
  const line = (directed & 1) === 0 ? own : { lat: own.lat.toReversed(), lon: own.lon.toReversed() }
  if (from === 0 && to === 1) return { ...line, numbers: [...line.lat.keys()] }
  const meters = metersAlong(line)
  const total = meters.reduce((sum, leg) => sum + leg, 0)
  const cut: Line & { numbers: number[] } = { lat: [], lon: [], numbers: [] }
  const push = (lat: number, lon: number, number: number) => {
    cut.numbers.push(number)
    cut.lat.push(lat)
    cut.lon.push(lon)
  }
  const pushAt = (position: number, end: 0 | 1) => {
    let before = 0
    let leg = 0
    while (leg < meters.length - 1 && before + (meters[leg] as number) < position)
      before += meters[leg++] as number
    const length = meters[leg] as number
    const part = length === 0 ? 0 : Math.min(1, Math.max(0, (position - before) / length))
    const between = (values: number[]) =>
      Math.round((values[leg] as number) + part * ((values[leg + 1] as number) - (values[leg] as number)))
    push(between(line.lat), between(line.lon), part === 0 ? leg : part === 1 ? leg + 1 : leg + end)
  }
  pushAt(from * total, 0)
  let along = 0
  for (const [leg, length] of meters.entries()) {
    along += length
    if (along > from * total && along < to * total)
      push(line.lat[leg + 1] as number, line.lon[leg + 1] as number, leg + 1)
  }
  pushAt(to * total, 1)
  return cut
}
