import { distanceMeters } from "#packages/geodesy/geodesy.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { formatClock, formatClockShort, minutesUp, parseClock } from "../clock-time.ts"
import type { RouteNode } from "../result-schemas.ts"
import { defaultDetourFactor, secondsPerMeter } from "../roads/travel-matrix.ts"

/** Ways between neighbouring nodes: metres, and seconds where a road service gave them. */
export interface NodeLeg {
  meters: number
  seconds?: number
}

export interface Timing {
  /** km/h */
  speed: number
  /** Seconds of the clock at which the first node is left at the earliest. */
  start: number
}

/** Great-circle legs with the usual detour; a node without a place is where the one before it is. */
export function greatCircleLegs(nodes: readonly RouteNode[]): NodeLeg[] {
  const positions = nodes.map((node) => parseLatLng(node.coordinate ?? ""))
  return nodes.map((_, index): NodeLeg => {
    const [from, to] = [positions[index - 1], positions[index]]
    return { meters: from && to ? Math.round(distanceMeters(from, to) * defaultDetourFactor) : 0 }
  })
}

/**
 * The nodes in the order given with new times: each as early as the one before it allows, waiting where a
 * window opens later, and the start delayed so that the first visit is reached when it opens.
 */
export function timeNodes(
  nodes: readonly RouteNode[],
  legs: readonly NodeLeg[],
  timing: Timing,
): RouteNode[] {
  let left = timing.start
  const timed = nodes.map((node, order): RouteNode => {
    const { meters = 0, seconds = meters * secondsPerMeter(timing.speed) } = legs[order] ?? {}
    const travel = order === 0 ? 0 : seconds
    const arrival = left + travel
    const service = Number(node.visitTime ?? 0) * 60
    const begin = node.isHub ? arrival : openingAt(node, arrival)
    const leave = begin + service
    left = leave
    return withTimes(node, order, { meters: order === 0 ? 0 : meters, travel, arrival, leave, service })
  })
  return delayedStart(timed, legs, timing)
}

interface NodeTimes {
  meters: number
  travel: number
  arrival: number
  leave: number
  service: number
}

function withTimes(node: RouteNode, order: number, times: NodeTimes): RouteNode {
  return {
    ...node,
    order,
    travelTime: minutesUp(times.travel),
    distance: times.meters,
    eta: formatClock(times.arrival),
    etd: formatClock(times.leave),
    etaStr: formatClockShort(times.arrival),
    etdStr: formatClockShort(times.leave),
    waitingTime: minutesUp(times.leave - times.arrival - times.service),
  }
}

/** When service can begin: on arrival inside a window, else when the next one opens; on arrival when all have closed. */
function openingAt(node: RouteNode, arrival: number): number {
  const spans = Array.isArray(node.timeWindows)
    ? (node.timeWindows as RouteNode["timeWindow"][])
    : [node.timeWindow]
  const windows = spans
    .map((span): [number, number] => [
      parseClock(span?.startTime ?? "") ?? 0,
      parseClock(span?.endTime ?? "") ?? Number.POSITIVE_INFINITY,
    ])
    .toSorted((a, b) => a[0] - b[0])
  for (const [open, close] of windows) {
    if (Math.max(arrival, open) <= close) return Math.max(arrival, open)
  }
  return arrival
}

/** A first visit that opens later is waited for at the hub. */
function delayedStart(nodes: RouteNode[], legs: readonly NodeLeg[], { speed, start }: Timing): RouteNode[] {
  const [hub, first] = nodes
  if (!hub?.isHub || !first || first.isHub) return nodes
  const { meters = 0, seconds = meters * secondsPerMeter(speed) } = legs[1] ?? {}
  const open = openingAt(first, start + seconds)
  const leave = Math.max(start, open - seconds)
  if (leave === start) return nodes
  const service = Number(first.visitTime ?? 0) * 60
  return [
    withTimes(hub, 0, { meters: 0, travel: 0, arrival: start, leave, service: 0 }),
    withTimes(first, 1, { meters, travel: seconds, arrival: open, leave: open + service, service }),
    ...nodes.slice(2),
  ]
}
