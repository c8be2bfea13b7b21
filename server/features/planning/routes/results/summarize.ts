import { sumOfLoads } from "../../../../../packages/route-optimizer/loads.ts"
import { formatClock, parseClock } from "../clock-time.ts"
import type { RouteNode, Routing, Summary } from "../result-schemas.ts"

const number = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0)
const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** The sums of a result, from its nodes: whatever a client wrote beside them does not count. */
export function summarize({ routing, dropped }: Routing, dimensions: readonly string[]): Summary {
  const used = routing.filter(({ trips }) => trips.some((node) => !node.isHub || node.handoverVisits))
  const nodes: RouteNode[] = routing.flatMap(({ trips }) => trips)
  const visits = nodes.filter((node) => !node.isHub)
  const sum = (read: (node: RouteNode) => unknown) =>
    nodes.reduce((total, node) => total + number(read(node)), 0)
  const totalTravelTime = sum((node) => node.travelTime)
  const totalVisitTime = sum((node) => node.visitTime)
  const totalWaitingTime = sum((node) => node.waitingTime)
  const finishes = used.flatMap(
    ({ trips, finishTime }) => parseClock(trips.at(-1)?.eta ?? finishTime ?? "") ?? [],
  )
  const mean = finishes.reduce((total, time) => total + time, 0) / Math.max(1, finishes.length)
  const time = (seconds: number) => (finishes.length > 0 ? formatClock(seconds) : null)
  const speeds = (used.length > 0 ? used : routing).map(({ speed }) => speed)
  return {
    totalVehicles: routing.length,
    usedVehicles: used.length,
    unusedVehicles: routing.length - used.length,
    totalVisits: visits.length + dropped.length,
    routedVisits: visits.length,
    droppedVisits: dropped.length,
    totalDistance: sum((node) => node.distance),
    totalTravelTime,
    totalVisitTime,
    totalWaitingTime,
    totalSpentTime: totalTravelTime + totalVisitTime + totalWaitingTime,
    ...workloadOf(used),
    ...sumsOf(routing),
    avgSpeed: speeds.includes("auto") ? "auto" : average(speeds.map(number)),
    minFinishTime: time(Math.min(...finishes)),
    maxFinishTime: time(Math.max(...finishes)),
    avgFinishTime: time(mean),
    capacityConstraint: dimensions.map((name) => {
      const limits = routing.map((vehicle) => vehicle[`vehicleMax${capitalized(name)}`])
      const available = limits.every((limit) => typeof limit === "number")
        ? sumOfLoads(limits.map(number))
        : null
      const optimized = sumOfLoads(visits.map((node) => number(node[name])))
      return {
        name,
        available,
        optimized,
        percentage: available ? (optimized / available) * 100 : 0,
      }
    }),
  }
}

/** How evenly work is shared: the least and the most that a vehicle at work has. */
function workloadOf(used: Routing["routing"]): Pick<Summary, "workload"> {
  if (used.length === 0) return {}
  const visits = used.map(({ trips }) => trips.filter((node) => !node.isHub).length)
  const minutes = used.map(({ trips }) =>
    trips.reduce(
      (sum, node) => sum + number(node.travelTime) + number(node.visitTime) + number(node.waitingTime),
      0,
    ),
  )
  const span = (values: readonly number[]) => ({ least: Math.min(...values), most: Math.max(...values) })
  return { workload: { visits: span(visits), minutes: span(minutes) } }
}

/** Costs, CO2, overtime and lateness, where vehicles have them. */
function sumsOf(routing: Routing["routing"]): Record<string, number> {
  const names = ["totalCost", "totalCo2", "totalOvertime", "totalLateTime"] as const
  return Object.fromEntries(
    names.flatMap((name): [string, number][] => {
      const known = routing.flatMap((route) => (typeof route[name] === "number" ? route[name] : []))
      const sum = known.reduce((total, value) => total + value, 0)
      return known.length > 0 ? [[name, Math.round(sum * 1000) / 1000]] : []
    }),
  )
}

/** The capacity names of the vehicles of a result without an input. */
export function dimensionsOf({ routing }: Routing): string[] {
  const names = routing.flatMap((vehicle) =>
    Object.keys(vehicle).flatMap((key) => /^(.+)Percentage$/.exec(key)?.[1] ?? []),
  )
  return [...new Set(names)]
}

export function assigneesOf({ routing }: Routing): string[] {
  return [...new Set(routing.flatMap(({ assignee }) => (assignee ? [assignee] : [])))]
}

function average(values: readonly number[]): number {
  if (values.length === 0) return 0
  return Math.round((values.reduce((total, value) => total + value, 0) / values.length) * 10) / 10
}
