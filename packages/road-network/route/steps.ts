import { bearingDegrees, type LngLat } from "../../geodesy/geodesy.ts"
import {
  classOf,
  flagsOf,
  headOf,
  isFerry,
  nameOf,
  type RoadNetwork,
  roadNumberOf,
  speedOn,
  tailOf,
} from "../network.ts"
import { roadFlags } from "../tags/read-way.ts"
import type { TravelGraph } from "../travel-graph.ts"
import { classesOf, type TrafficClass } from "./traffic-classes.ts"
import type { TravelledSegment } from "./travel-line.ts"
import { type Lane, turnLanes } from "./turn-lanes.ts"

type TurnType =
  | "depart"
  | "arrive"
  | "turn"
  | "new name"
  | "continue"
  | "end of road"
  | "fork"
  | "merge"
  | "on ramp"
  | "off ramp"
  | "roundabout"
  | "notification"

type TurnModifier =
  | "uturn"
  | "sharp right"
  | "right"
  | "slight right"
  | "straight"
  | "slight left"
  | "left"
  | "sharp left"

/** A junction along a step. */
export interface Crossing {
  lngLat: LngLat
  /** All roads that meet here, clockwise from north, and whether the vehicle may enter each. */
  bearings: number[]
  entry: boolean[]
  /** Which of them the vehicle comes from and takes; absent at the ends of a route. */
  in?: number
  out?: number
  /** Of the road that the vehicle comes on, from left to right. */
  lanes?: Lane[]
  /** Of the road that the vehicle takes. */
  classes: TrafficClass[]
}

export interface Step {
  type: TurnType
  modifier?: TurnModifier
  /** Of a roundabout: which exit is taken, from 1. */
  exit?: number
  bearingBefore: number
  bearingAfter: number
  name: string
  roadNumber: string
  isFerry: boolean
  drivesOnLeft: boolean
  seconds: number
  meters: number
  points: LngLat[]
  crossings: Crossing[]
}

/** Adjacent directed segments, found once for a network. */
export type Leaving = (node: number) => readonly number[]

interface Junction {
  before: TravelledSegment
  after: TravelledSegment
  /** Degrees to the right of straight on, -180 to 180. */
  turn: number
  /** Directed segments that the vehicle may take here, besides the way back. */
  choices: number
}

/** Instructions for a leg: one step for each manoeuvre, the arrival last. */
export function describeSteps(
  graph: TravelGraph,
  leaving: Leaving,
  segments: readonly TravelledSegment[],
): Step[] {
  const { network } = graph
  const steps: Step[] = []
  let roundaboutExit = 0
  for (const [index, segment] of segments.entries()) {
    const before = segments[index - 1]
    const junction = before ? junctionOf(graph, leaving, before, segment) : undefined
    const wasRound = before !== undefined && isRoundabout(network, before)
    const isRound = isRoundabout(network, segment)
    const current = steps.at(-1)
    if (current && before && wasRound) {
      // Exits are counted where something leaves the roundabout; its own next part is not one.
      roundaboutExit += exitsAt(graph, leaving, before)
      if (isRound) extend(graph, leaving, current, segment, before)
      else {
        current.exit = Math.max(1, roundaboutExit)
        extend(graph, leaving, current, segment, before)
        current.name = nameOf(network, segment.directed >>> 1)
        current.roadNumber = roadNumberOf(network, segment.directed >>> 1)
      }
      continue
    }
    const type = junction ? turnType(network, junction, isRound) : "depart"
    if (current && type === undefined) extend(graph, leaving, current, segment, before)
    else {
      roundaboutExit = 0
      steps.push(
        startStep(graph, leaving, { segment, before, type: type ?? "turn", turn: junction?.turn ?? 0 }),
      )
    }
  }
  const last = segments.at(-1)
  if (last) steps.push(arrival(network, last))
  return steps
}

function startStep(
  graph: TravelGraph,
  leaving: Leaving,
  start: { segment: TravelledSegment; before: TravelledSegment | undefined; type: TurnType; turn: number },
): Step {
  const { segment, before, type, turn } = start
  const number = segment.directed >>> 1
  const { seconds, meters } = segment
  return {
    type,
    ...(type === "depart" ? {} : { modifier: modifierOf(turn) }),
    bearingBefore: before ? bearingOut(before) : 0,
    bearingAfter: bearingIn(segment),
    name: nameOf(graph.network, number),
    roadNumber: roadNumberOf(graph.network, number),
    isFerry: isFerry(graph.network, number),
    drivesOnLeft: graph.network.drivesOnLeft,
    seconds,
    meters,
    points: [...segment.points],
    crossings: [crossingOf(graph, leaving, before, segment)],
  }
}

function extend(
  graph: TravelGraph,
  leaving: Leaving,
  step: Step,
  segment: TravelledSegment,
  before: TravelledSegment | undefined,
): void {
  step.seconds += segment.seconds
  step.meters += segment.meters
  step.points.push(...segment.points.slice(1))
  step.crossings.push(crossingOf(graph, leaving, before, segment))
}

function arrival(network: RoadNetwork, last: TravelledSegment): Step {
  const end = last.points.at(-1) ?? [0, 0]
  const bearing = bearingOut(last)
  return {
    type: "arrive",
    bearingBefore: bearing,
    bearingAfter: 0,
    name: nameOf(network, last.directed >>> 1),
    roadNumber: roadNumberOf(network, last.directed >>> 1),
    isFerry: isFerry(network, last.directed >>> 1),
    drivesOnLeft: network.drivesOnLeft,
    seconds: 0,
    meters: 0,
    points: [end, end],
    crossings: [
      { lngLat: end, bearings: [Math.round(bearing + 180) % 360], entry: [true], in: 0, classes: [] },
    ],
  }
}

function junctionOf(
  graph: TravelGraph,
  leaving: Leaving,
  before: TravelledSegment,
  after: TravelledSegment,
): Junction {
  const turn = turnBetween(bearingOut(before), bearingIn(after))
  const choices = leaving(tailOf(graph.network, after.directed)).filter(
    (d) => d !== (before.directed ^ 1) && speedOn(graph.network, d, graph.options.mode) > 0,
  ).length
  return { before, after, turn, choices }
}

/** Undefined where nothing needs to be said. */
function turnType(network: RoadNetwork, junction: Junction, entersRoundabout: boolean): TurnType | undefined {
  const { before, after, turn, choices } = junction
  const [from, to] = [before.directed >>> 1, after.directed >>> 1]
  if (entersRoundabout) return "roundabout"
  if (isFerry(network, from) !== isFerry(network, to)) return "notification"
  if (Math.abs(turn) > 170) return "continue"
  const isSameRoad =
    nameOf(network, from) === nameOf(network, to) && roadNumberOf(network, from) === roadNumberOf(network, to)
  const isLink = (segment: number) => (flagsOf(network, segment) & roadFlags.link) !== 0
  const isFast = (segment: number) => ["motorway", "trunk"].includes(classOf(network, segment))
  if (!isLink(from) && isLink(to) && choices > 1)
    return isFast(from) ? "off ramp" : isFast(to) ? "on ramp" : "turn"
  if (isLink(from) && !isLink(to) && isFast(to) && Math.abs(turn) < 45) return "merge"
  if (choices <= 1) return isSameRoad ? undefined : Math.abs(turn) > 45 ? "turn" : "new name"
  if (Math.abs(turn) < 30) return isSameRoad ? undefined : "new name"
  if (isSameRoad) return Math.abs(turn) < 45 ? undefined : "continue"
  return "turn"
}

function modifierOf(turn: number): TurnModifier {
  const side = turn > 0 ? "right" : "left"
  const size = Math.abs(turn)
  if (size > 170) return "uturn"
  if (size < 15) return "straight"
  if (size < 50) return `slight ${side}`
  return size < 125 ? side : `sharp ${side}`
}

function isRoundabout(network: RoadNetwork, { directed }: TravelledSegment): boolean {
  return (flagsOf(network, directed >>> 1) & roadFlags.roundabout) !== 0
}

function exitsAt(
  { network, options }: TravelGraph,
  leaving: Leaving,
  { directed }: TravelledSegment,
): number {
  return leaving(headOf(network, directed)).filter(
    (d) => speedOn(network, d, options.mode) > 0 && (flagsOf(network, d >>> 1) & roadFlags.roundabout) === 0,
  ).length > 0
    ? 1
    : 0
}

function crossingOf(
  { network, options }: TravelGraph,
  leaving: Leaving,
  before: TravelledSegment | undefined,
  after: TravelledSegment,
): Crossing {
  const lngLat = after.points[0] ?? [0, 0]
  const bearingAfter = Math.round(bearingIn(after)) % 360
  const classes = classesOf(network, after.directed, options.mode)
  if (!before) return { lngLat, bearings: [bearingAfter], entry: [true], out: 0, classes }
  const bearingBack = Math.round(bearingOut(before) + 180) % 360
  const roads = leaving(tailOf(network, after.directed)).map((directed) => ({
    directed,
    bearing:
      directed === after.directed
        ? bearingAfter
        : directed === (before.directed ^ 1)
          ? bearingBack
          : Math.round(bearingOf(network, directed)) % 360,
    isOpen: speedOn(network, directed, options.mode) > 0 && directed !== (before.directed ^ 1),
  }))
  const lanes = turnLanes(network, before.directed, {
    taken: after.directed,
    exits: roads
      .filter(({ isOpen }) => isOpen)
      .map(({ directed, bearing }) => ({ directed, turn: turnBetween(bearingOut(before), bearing) })),
  })
  roads.sort((a, b) => a.bearing - b.bearing)
  return {
    lngLat,
    bearings: roads.map(({ bearing }) => bearing),
    entry: roads.map(({ isOpen, directed }) => isOpen || directed === after.directed),
    in: Math.max(
      0,
      roads.findIndex(({ directed }) => directed === (before.directed ^ 1)),
    ),
    out: Math.max(
      0,
      roads.findIndex(({ directed }) => directed === after.directed),
    ),
    classes,
    ...(lanes ? { lanes } : {}),
  }
}

/** Degrees to the right of straight on, -180 to 180. */
const turnBetween = (before: number, after: number) => ((after - before + 540) % 360) - 180

function bearingOf(network: RoadNetwork, directed: number): number {
  const { nodeLat, nodeLon } = network.columns
  const at = (node: number): LngLat => [(nodeLon[node] as number) / 1e7, (nodeLat[node] as number) / 1e7]
  return bearingDegrees(at(tailOf(network, directed)), at(headOf(network, directed)))
}

/** The bearing in which a segment begins and ends, a few metres long at least. */
const bearingIn = ({ points }: TravelledSegment) => bearingDegrees(points[0] ?? [0, 0], points[1] ?? [0, 0])
const bearingOut = ({ points }: TravelledSegment) =>
  bearingDegrees(points.at(-2) ?? [0, 0], points.at(-1) ?? [0, 0])
