import type { RouteTimetable } from "../evaluate/timetable.ts"
import type { PlanProblem, TimeSpan, Visit } from "../problem/problem.ts"
import { at } from "../problem/problem.ts"
import { type Budget, solve } from "../solve.ts"

/** Routes that are being driven, and who may be on another one afterwards. */
export type DrivenRoutes = {
  readonly problem: PlanProblem
  /** Of each vehicle; none for those that take no part, such as those with linked visits. */
  readonly tables: readonly (RouteTimetable | undefined)[]
  /** The vehicle of a planned visit; new visits may be on any. */
  readonly homes: ReadonlyMap<number, number>
  readonly kept: ReadonlySet<number>
  /** Most visits that may leave their home. */
  readonly maxMoved: number
  /** Milliseconds that pass. */
  readonly clock: () => number
}

/** Of each of two searches: somebody waits for a proposal. */
const budget: Budget = { rounds: 10_000, milliseconds: 250 }

/**
 * Searches for shorter routes of the vehicles at work: other orders of their stops, other vehicles for new ones, and for few
 * of the planned ones. What is late or too long may stay so, but not become more so. Undefined if nothing is found.
 */
export function shorten(driven: DrivenRoutes): readonly (readonly number[])[] | undefined {
  const { homes, maxMoved } = driven
  const first = search(driven, undefined)
  if (!first) return undefined
  const moved = first.flatMap((route, vehicle) =>
    route.filter((visit) => (homes.get(visit) ?? vehicle) !== vehicle),
  )
  return moved.length <= maxMoved ? first : search(driven, new Set(moved.slice(0, maxMoved)))
}

/** @param movable planned visits that may change their vehicle; undefined for all that are not kept */
function search(
  { problem, tables, homes, kept, maxMoved, clock }: DrivenRoutes,
  movable: ReadonlySet<number> | undefined,
): readonly (readonly number[])[] | undefined {
  const starts = new Map(tables.flatMap((table) => visitsOf(table)).map((stop) => [stop.visit, stop]))
  const numbers = [...starts.keys()]
  const indexOf = new Map(numbers.map((visit, index) => [visit, index]))
  const visits = numbers.map((number) => {
    const visit = at(problem.visits, number)
    const home = homes.get(number)
    const homeId = home === undefined ? undefined : ownerOf(problem, home)
    const isFree = maxMoved > 0 && !kept.has(number) && (movable?.has(number) ?? true)
    const begin = starts.get(number)?.serviceStart ?? 0
    const windows = withMargin(promisedWindows(visit, begin), begin)
    if (homeId === undefined) return { ...visit, windows }
    return { ...visit, windows, ...(isFree ? { preferredVehicleId: homeId } : { vehicleId: homeId }) }
  })
  const vehicles = problem.vehicles.map((vehicle, k) => {
    const table = tables[k]
    if (!table) return { ...vehicle, isOff: true }
    const [leaves, ends] = [table.stops[0]?.departure ?? 0, table.stops.at(-1)?.serviceEnd ?? 0]
    const { maxDuration } = vehicle
    return {
      ...vehicle,
      // It is at work already.
      fixedCost: 0,
      shift: [vehicle.shift[0], Math.max(vehicle.shift[1], ends + 1)] as const,
      ...(maxDuration === undefined ? {} : { maxDuration: Math.max(maxDuration, ends - leaves + 1) }),
    }
  })
  const start = tables.flatMap((table) =>
    table
      ? [{ vehicle: table.vehicle, trips: [visitsOf(table).map(({ visit }) => indexOf.get(visit) ?? -1)] }]
      : [],
  )
  const { plan } = solve(
    { ...problem, visits, vehicles, objective: { kind: "cost" } },
    { seed: 1, budget, start: { routes: start, dropped: [] }, clock },
  )
  if (plan.dropped.length > 0) return undefined
  const routeOf = new Map(plan.routes.map(({ vehicle, trips }) => [vehicle, trips.flat()]))
  return problem.vehicles.map((_, k) => (routeOf.get(k) ?? []).map((index) => at(numbers, index)))
}

function visitsOf(table: RouteTimetable | undefined) {
  return (table?.stops ?? []).filter(({ kind }) => kind === "visit")
}

function ownerOf(problem: PlanProblem, vehicle: number): string {
  const { id, owner = id } = at(problem.vehicles, vehicle)
  return owner
}

/** Seconds before the end of a window into which no visit is pushed: the day seldom goes faster than planned. */
const margin = 900

/** The windows of a visit as far as they agree with what was promised, which stays as near as it is now. */
export function promisedWindows({ windows, promised }: Visit, begin: number): readonly TimeSpan[] {
  if (!promised) return windows
  const [from, to] = [Math.min(promised[0], begin), Math.max(promised[1], begin)]
  if (windows.length === 0) return [[from, to]]
  const within = windows
    .map(([opens, closes]): TimeSpan => [Math.max(opens, from), Math.min(closes, to)])
    .filter(([opens, closes]) => opens <= closes)
  return within.length > 0 ? within : windows
}

/** Windows end a margin earlier, but no earlier than the visit begins now, be it late. */
function withMargin(windows: readonly TimeSpan[], begin: number): readonly TimeSpan[] {
  return windows.map(([from, to], index): TimeSpan => {
    const isNow = begin >= from && (begin <= to || index === windows.length - 1)
    return [from, Math.max(from, to - margin, isNow ? begin + 1 : from)]
  })
}
