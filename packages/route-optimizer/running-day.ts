import { evaluateRoute } from "./evaluate/evaluator.ts"
import { routeTimetable } from "./evaluate/timetable.ts"
import { linksOf } from "./problem/links.ts"
import type { PlanProblem, TimeSpan } from "./problem/problem.ts"
import { at, vehicleSuits } from "./problem/problem.ts"
import { shorten } from "./search/shorten.ts"

/**
 * A plan that is being driven, from now on: each vehicle of the problem starts where it is, as early as it is ready, and its
 * route has the visits that are left.
 */
export type RunningPlan = {
  readonly problem: PlanProblem
  /** Per vehicle of the problem, in order. */
  readonly routes: readonly (readonly number[])[]
  /** Visits that no vehicle has: new ones, and those of vehicles that are out. */
  readonly waiting: readonly number[]
  /** Those of them that waited before: tried after equally important ones, as long as there is time. */
  readonly waitedBefore?: ReadonlySet<number>
  /** Visits that stay on their vehicle: on board, promised to a person, pinned. Their order may change. */
  readonly kept: ReadonlySet<number>
  /** Vehicles that take nothing and give nothing. */
  readonly frozen?: ReadonlySet<number>
}

const secondsPerMeter = 0.02
/** Seconds of driving that a second of lateness is worth: as in a plan, a minute weighs about as much as a kilometre. */
const latenessWeight = 2.5
/** Routes near a visit that are tried when another visit has to make room. */
const nearRoutes = 4

const softKinds: ReadonlySet<string> = new Set(["timeWindow", "shift", "duration"])

type Place = { vehicle: number; position: number; extra: number }

/** The routes of a running plan while they change, with their costs. */
export class RunningDay {
  readonly routes: number[][]
  readonly #problem: PlanProblem
  readonly #kept: ReadonlySet<number>
  readonly #frozen: ReadonlySet<number>
  readonly #costs: number[]
  readonly #wrongs: number[]

  constructor({ problem, routes, kept, frozen = new Set() }: RunningPlan) {
    this.#problem = problem
    this.#kept = kept
    this.#frozen = frozen
    this.routes = problem.vehicles.map((_, vehicle) => [...(routes[vehicle] ?? [])])
    const rated = this.routes.map((route, vehicle) => this.#rate(vehicle, route))
    this.#costs = rated.map(({ cost }) => cost)
    this.#wrongs = rated.map(({ wrongs }) => wrongs)
  }

  /** The important ones first; among them, new ones before others, and those with the earliest end first. */
  byUrgency(visits: readonly number[], waitedBefore: ReadonlySet<number>): number[] {
    const closes = (visit: number) =>
      at(this.#problem.visits, visit).windows.at(-1)?.[1] ?? Number.POSITIVE_INFINITY
    const importance = (visit: number) => at(this.#problem.visits, visit).dropCost ?? 1
    return visits.toSorted(
      (one, other) =>
        importance(other) - importance(one) ||
        Number(waitedBefore.has(one)) - Number(waitedBefore.has(other)) ||
        compare(closes(one), closes(other)),
    )
  }

  insert(visit: number): boolean {
    const place = this.#bestPlace(visit, this.routes)
    if (!place) return false
    this.#put(visit, place)
    return true
  }

  /** Both ends on one of the vehicles near the pickup, where they cost least, else on the next one with a place. */
  insertPair(pickup: number, delivery: number): boolean {
    let best: { extra: number; vehicle: number; route: number[] } | undefined
    for (const [rank, vehicle] of this.#nearest(pickup, this.routes.length).entries()) {
      if (rank >= nearRoutes && best) break
      const details = at(this.#problem.vehicles, vehicle)
      if (![pickup, delivery].every((end) => vehicleSuits(details, at(this.#problem.visits, end)))) continue
      const own = at(this.routes, vehicle)
      for (let from = 0; from <= own.length; from++) {
        for (let to = from + 1; to <= own.length + 1; to++) {
          const route = own.toSpliced(from, 0, pickup).toSpliced(to, 0, delivery)
          const rated = this.#rate(vehicle, route)
          const extra = rated.cost - at(this.#costs, vehicle)
          if (rated.wrongs <= at(this.#wrongs, vehicle) && (!best || extra < best.extra))
            best = { extra, vehicle, route }
        }
      }
    }
    if (best) this.#set(best.vehicle, best.route)
    return best !== undefined
  }

  /** Inserts where one or two other visits go to other vehicles. */
  insertWithRoom(visit: number, changeCost: number, maxMoved: number): boolean {
    let best: { cost: number; routes: number[][] } | undefined
    for (const vehicle of this.#nearest(visit)) {
      const movable = at(this.routes, vehicle).filter((other) => !this.#kept.has(other))
      const sets = [
        ...movable.map((one) => [one]),
        ...(maxMoved > 1 ? movable.slice(1).map((one, index) => [at(movable, index), one]) : []),
      ]
      for (const leaving of sets) {
        if (leaving.length > maxMoved) continue
        const tried = this.#tryRoom(visit, vehicle, leaving)
        if (tried && (!best || tried.cost + changeCost * leaving.length < best.cost))
          best = { ...tried, cost: tried.cost + changeCost * leaving.length }
      }
    }
    if (!best) return false
    for (const [vehicle, route] of best.routes.entries()) this.#set(vehicle, route)
    return true
  }

  /** Visits that begin later than they may, the latest ones first. */
  late(tolerated: number): { visit: number; vehicle: number }[] {
    const found = this.routes.flatMap((route, vehicle) =>
      route.length === 0 || this.#frozen.has(vehicle)
        ? []
        : this.#violations(vehicle, route)
            .filter(
              ({ kind, visit, excess = 0 }) =>
                kind === "timeWindow" && excess > tolerated && visit !== undefined && !this.#kept.has(visit),
            )
            .map(({ visit = -1, excess = 0 }) => ({ visit, vehicle, excess })),
    )
    return found.toSorted((one, other) => other.excess - one.excess)
  }

  /** Moves a visit to another vehicle, or another position, if that is worth the change. */
  relocate(visit: number, vehicle: number, changeCost: number): void {
    const own = at(this.routes, vehicle)
    if (!own.includes(visit)) return
    const without = own.filter((other) => other !== visit)
    const saved = at(this.#costs, vehicle) - this.#rate(vehicle, without).cost
    const routes = this.routes.with(vehicle, without)
    const place = this.#bestPlace(visit, routes)
    if (!place || place.extra + (place.vehicle === vehicle ? 0 : changeCost) >= saved) return
    this.#set(vehicle, without)
    this.#put(visit, place)
  }

  /** Takes over shorter routes with few other changes, if there are some that break no more rules. */
  shorten(fresh: ReadonlySet<number>, maxMoved: number, clock: () => number): void {
    // A search with links cannot begin with the routes as they are.
    const linked = new Set(linksOf(this.#problem.visits).flatMap(({ first, second }) => [first, second]))
    const tables = this.routes.map((route, vehicle) =>
      route.length > 0 &&
      !route.some((visit) => linked.has(visit)) &&
      this.#violations(vehicle, route).every(({ kind }) => softKinds.has(kind))
        ? routeTimetable(this.#problem, { vehicle, trips: [route] })
        : undefined,
    )
    const found = shorten({
      problem: this.#problem,
      tables,
      homes: new Map(
        this.routes.flatMap((route, vehicle) =>
          route.flatMap((visit) => (fresh.has(visit) ? [] : [[visit, vehicle] as const])),
        ),
      ),
      kept: this.#kept,
      maxMoved,
      clock,
    })
    if (!found) return
    const shorter = found.map((route, vehicle) => (tables[vehicle] ? route : at(this.routes, vehicle)))
    const rated = shorter.map((route, vehicle) => this.#rate(vehicle, route))
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
    const isWorse =
      sum(rated.map(({ cost }) => cost)) >= sum(this.#costs) ||
      sum(rated.map(({ wrongs }) => wrongs)) > sum(this.#wrongs)
    if (!isWorse) for (const [vehicle, route] of shorter.entries()) this.#set(vehicle, [...route])
  }

  movedSince(before: readonly (readonly number[])[]): number[] {
    return before.flatMap((route, vehicle) =>
      route.filter((visit) => !at(this.routes, vehicle).includes(visit)),
    )
  }

  #tryRoom(visit: number, vehicle: number, leaving: readonly number[]) {
    let routes = this.routes.with(
      vehicle,
      at(this.routes, vehicle).filter((other) => !leaving.includes(other)),
    )
    let cost = this.#rate(vehicle, at(routes, vehicle)).cost - at(this.#costs, vehicle)
    const own = this.#bestPlace(visit, routes, new Set([vehicle]))
    if (!own) return undefined
    cost += own.extra
    routes = routes.with(vehicle, at(routes, vehicle).toSpliced(own.position, 0, visit))
    for (const other of leaving) {
      const near = new Set(this.#nearest(other).filter((candidate) => candidate !== vehicle))
      const place = this.#bestPlace(other, routes, near)
      if (!place) return undefined
      cost += place.extra
      routes = routes.with(place.vehicle, at(routes, place.vehicle).toSpliced(place.position, 0, other))
    }
    return { cost, routes }
  }

  /** The cheapest position without a new broken rule; candidates by their detour, until none can be cheaper. */
  #bestPlace(
    visit: number,
    routes: readonly (readonly number[])[],
    among?: ReadonlySet<number>,
  ): Place | undefined {
    const candidates: (Place & { detour: number })[] = []
    for (const [vehicle, route] of routes.entries()) {
      const details = at(this.#problem.vehicles, vehicle)
      if (this.#frozen.has(vehicle) || (among && !among.has(vehicle))) continue
      if (!vehicleSuits(details, at(this.#problem.visits, visit))) continue
      for (let position = 0; position <= route.length; position++) {
        const detour = this.#detour(vehicle, route, visit, position)
        candidates.push({ vehicle, position, detour, extra: 0 })
      }
    }
    candidates.sort((one, other) => one.detour - other.detour)
    let best: Place | undefined
    const before = new Map<number, { cost: number; wrongs: number }>()
    for (const { vehicle, position, detour } of candidates) {
      if (best && detour >= best.extra) break
      const route = at(routes, vehicle)
      const isCurrent = route === this.routes[vehicle]
      const known =
        before.get(vehicle) ??
        (isCurrent
          ? { cost: at(this.#costs, vehicle), wrongs: at(this.#wrongs, vehicle) }
          : this.#rate(vehicle, route))
      before.set(vehicle, known)
      const rated = this.#rate(vehicle, route.toSpliced(position, 0, visit))
      const extra = rated.cost - known.cost
      if (rated.wrongs <= known.wrongs && (!best || extra < best.extra)) best = { vehicle, position, extra }
    }
    return best
  }

  #detour(vehicle: number, route: readonly number[], visit: number, position: number): number {
    const { startLocation, endLocation } = at(this.#problem.vehicles, vehicle)
    const locationOf = (index: number) => at(this.#problem.visits, index).location
    const place = locationOf(visit)
    const from = position === 0 ? startLocation : locationOf(at(route, position - 1))
    const to = position === route.length ? endLocation : locationOf(at(route, position))
    const there = this.#leg(vehicle, from, place)
    return to === null ? there : there + this.#leg(vehicle, place, to) - this.#leg(vehicle, from, to)
  }

  #leg(vehicle: number, from: number, to: number): number {
    const cell = from * this.#problem.locationCount + to
    const { durationFactor } = at(this.#problem.vehicles, vehicle)
    return (
      (this.#problem.durations[cell] ?? 0) * durationFactor +
      (this.#problem.distances[cell] ?? 0) * secondsPerMeter
    )
  }

  /** The vehicles whose stops or position are nearest to a visit. */
  #nearest(visit: number, count = nearRoutes): number[] {
    const place = at(this.#problem.visits, visit).location
    const rated = this.routes.flatMap((route, vehicle) => {
      const { startLocation } = at(this.#problem.vehicles, vehicle)
      if (this.#frozen.has(vehicle)) return []
      const places = [startLocation, ...route.map((other) => at(this.#problem.visits, other).location)]
      return { vehicle, least: Math.min(...places.map((from) => this.#leg(vehicle, from, place))) }
    })
    return rated
      .toSorted((one, other) => one.least - other.least)
      .slice(0, count)
      .map(({ vehicle }) => vehicle)
  }

  #violations(vehicle: number, route: readonly number[]) {
    const planned = { vehicle, trips: [route] }
    return evaluateRoute(this.#problem, routeTimetable(this.#problem, planned))
  }

  /** Seconds of driving, of lateness and beside what was promised; rules that no lateness excuses, and lateness that only new visits can have. */
  #rate(vehicle: number, route: readonly number[]): { cost: number; wrongs: number } {
    if (route.length === 0) return { cost: 0, wrongs: 0 }
    const table = routeTimetable(this.#problem, { vehicle, trips: [route] })
    let cost = 0
    for (const { visit, arrival, travelSeconds, distance } of table.stops) {
      cost += travelSeconds + distance * secondsPerMeter
      cost += outside(this.#problem.visits[visit]?.promised, arrival) * latenessWeight
    }
    let wrongs = 0
    for (const { kind, excess = 0 } of evaluateRoute(this.#problem, table)) {
      wrongs++
      if (softKinds.has(kind)) cost += excess * latenessWeight
    }
    return { cost, wrongs }
  }

  #put(visit: number, { vehicle, position }: Place): void {
    this.#set(vehicle, at(this.routes, vehicle).toSpliced(position, 0, visit))
  }

  #set(vehicle: number, route: number[]): void {
    this.routes[vehicle] = route
    const { cost, wrongs } = this.#rate(vehicle, route)
    this.#costs[vehicle] = cost
    this.#wrongs[vehicle] = wrongs
  }
}

function outside(promised: TimeSpan | undefined, arrival: number): number {
  return promised ? Math.max(0, promised[0] - arrival, arrival - promised[1]) : 0
}

function compare(one: number, other: number): number {
  return one === other ? 0 : one < other ? -1 : 1
}
