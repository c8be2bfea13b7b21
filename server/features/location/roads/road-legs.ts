import {
  type Access,
  findPath,
  type RoadPath,
  type Router,
  type Snapped,
} from "#packages/road-network/index.ts"

/** The way to each place from the one before, or which leg has none. */
export type Paths = { paths: RoadPath[] } | { brokenLeg: number }

/** The fastest ways; a vehicle may turn back at every stop. */
export function findEachPath(router: Router, stops: readonly Snapped[]): Paths {
  const paths: RoadPath[] = []
  for (const [leg, stop] of stops.slice(1).entries()) {
    const path = findPath(router, stops[leg]?.accesses ?? [], stop.accesses)
    if (!path) return { brokenLeg: leg }
    paths.push(path)
  }
  return { paths }
}

/** Arrival at a stop in one of its directions, with the way there. */
interface Arrival {
  at: Access
  cost: number
  path: RoadPath
  before: Arrival | undefined
}

/** The fastest ways of which each goes on in the direction of arrival, except where only turning back leads on. */
export function findOnwardPaths(router: Router, stops: readonly Snapped[]): Paths {
  let arrivals: Arrival[] = []
  for (const [leg, stop] of stops.slice(1).entries()) {
    const last = arrivals
    const starts = stops[leg]?.accesses ?? []
    const onward = stop.accesses.flatMap((to) => bestArrival(router, last, to) ?? [])
    const turned = () => stop.accesses.flatMap((to) => arrivalFrom(router, starts, to, cheapest(last)) ?? [])
    arrivals = onward.length > 0 ? onward : turned()
    if (arrivals.length === 0) return { brokenLeg: leg }
  }
  const paths: RoadPath[] = []
  for (let arrival = cheapest(arrivals); arrival; arrival = arrival.before) paths.unshift(arrival.path)
  return { paths }
}

function bestArrival(router: Router, last: readonly Arrival[], to: Access): Arrival | undefined {
  return cheapest(last.flatMap((before) => arrivalFrom(router, [before.at], to, before) ?? []))
}

function arrivalFrom(
  router: Router,
  from: readonly Access[],
  to: Access,
  before: Arrival | undefined,
): Arrival | undefined {
  const path = findPath(router, from, [to])
  return path && { at: to, cost: (before?.cost ?? 0) + path.cost, path, before }
}

function cheapest(arrivals: readonly Arrival[]): Arrival | undefined {
  return arrivals.reduce<Arrival | undefined>(
    (best, next) => (!best || next.cost < best.cost ? next : best),
    undefined,
  )
}
