import { join, legOf, measureTour, priceOf, startOf, type Tours } from "./tours.ts"

/**
 * Makes the first move that brings visit u, with or without the one behind it, next to v, by moving it, by a swap, or by
 * exchanging or turning what follows them, and lowers the cost. v may be the start of a route.
 * @returns whether there was one
 */
export function moveBeside(tours: Tours, u: number, v: number): boolean {
  const { next, prev, route, leg, problem } = tours
  const { demand, distance, visitCount } = problem
  const p = prev[u] as number
  const x = next[u] as number
  const y = next[v] as number
  const r = route[u] as number
  const s = route[v] as number
  const width = visitCount + 1
  const fromU = u * width
  const placeX = Math.min(x, visitCount)
  const placeY = Math.min(y, visitCount)
  const fromP = Math.min(p, visitCount) * width
  const fromV = Math.min(v, visitCount) * width
  const fromX = placeX * width
  const toU = leg[u] as number
  const toX = leg[x] as number
  const toY = leg[y] as number
  const load = demand[u] as number
  const vu = distance[fromV + u] as number
  const uy = distance[fromU + placeY] as number
  // u moves behind v.
  if (u !== y) {
    const longer = (distance[fromP + placeX] as number) - toU - toX + vu + uy - toY
    if (pays(tours, r, s, longer, load)) return relocate(tours, u, u, v)
  }
  const xy = distance[fromX + placeY] as number
  const vx = distance[fromV + placeX] as number
  const z = x < visitCount ? (next[x] as number) : -1
  const placeZ = Math.min(z, visitCount)
  if (z !== -1 && u !== y && v !== x) {
    // u and x move behind v, as they are or turned.
    const both = load + (demand[x] as number)
    const without = (distance[fromP + placeZ] as number) - toU - (leg[z] as number) - toY
    if (pays(tours, r, s, without + vu + xy, both)) return relocate(tours, u, x, v)
    const turned = without + vx + (distance[fromX + u] as number) - toX + uy
    if (pays(tours, r, s, turned, both)) return relocateTurned(tours, u, x, v)
  }
  if (v < visitCount) {
    const q = prev[v] as number
    if (u !== q && u !== y) {
      const fromQ = Math.min(q, visitCount) * width
      const less = load - (demand[v] as number)
      const here =
        (distance[fromP + v] as number) - toU + (distance[fromQ + u] as number) - (leg[v] as number) - toY
      // u and v change places.
      if (u <= v && pays(tours, r, s, here + vx - toX + uy, less)) return swap(tours, u, u, v, v)
      if (z !== -1 && x !== q) {
        // u and x change places with v, or with v and y.
        const toZ = leg[z] as number
        const lessBoth = less + (demand[x] as number)
        const vz = distance[fromV + placeZ] as number
        if (pays(tours, r, s, here + vz - toZ + xy, lessBoth)) return swap(tours, u, x, v, v)
        if (u <= v && y < visitCount && y !== p && x !== v && z !== v) {
          const w = next[y] as number
          const behind =
            (distance[y * width + placeZ] as number) -
            toZ +
            (distance[fromX + Math.min(w, visitCount)] as number) -
            (leg[w] as number) +
            toY
          if (pays(tours, r, s, here + behind, lessBoth - (demand[y] as number)))
            return swap(tours, u, x, v, y)
        }
      }
    }
    if (r === s) return turn(tours, u, v)
  } else if (r === s) return false
  return exchangeEnds(
    tours,
    u,
    v,
    uy + vx - toX - toY,
    (distance[fromU + Math.min(v, visitCount)] as number) + xy - toX - toY,
  )
}

/** Whether the ways and, between routes, the load that moves from the first to the second, make the plan cheaper. */
function pays(tours: Tours, r: number, s: number, longer: number, moved: number): boolean {
  const least = tours.problem.tolerance
  if (r === s) return longer < -least
  const saved = (tours.excess[r] as number) + (tours.excess[s] as number)
  if (longer - saved >= -least) return false
  const after =
    priceOf(tours, (tours.load[r] as number) - moved) + priceOf(tours, (tours.load[s] as number) + moved)
  return longer + after - saved < -least
}

function changed(tours: Tours, r: number, s: number): true {
  tours.changes++
  measureTour(tours, r)
  if (s !== r) measureTour(tours, s)
  return true
}

/** The visits from u to x, u itself or the next one, move behind v. */
function relocate(tours: Tours, u: number, x: number, v: number): true {
  const { next, prev, route } = tours
  const y = next[v] as number
  join(tours, prev[u] as number, next[x] as number)
  join(tours, v, u)
  join(tours, x, y)
  return changed(tours, route[u] as number, route[v] as number)
}

function relocateTurned(tours: Tours, u: number, x: number, v: number): true {
  const { next, prev, route } = tours
  const y = next[v] as number
  join(tours, prev[u] as number, next[x] as number)
  join(tours, v, x)
  join(tours, x, u)
  join(tours, u, y)
  return changed(tours, route[u] as number, route[v] as number)
}

/** The visits from u to x change places with those from v to y. */
function swap(tours: Tours, u: number, x: number, v: number, y: number): true {
  const { next, prev, route } = tours
  const before = prev[u] as number
  const behind = next[x] as number
  join(tours, prev[v] as number, u)
  join(tours, x, next[y] as number)
  join(tours, before, v)
  join(tours, y, behind)
  return changed(tours, route[u] as number, route[v] as number)
}

/** Within a route, the visits behind u up to v are driven back. */
function turn(tours: Tours, u: number, v: number): boolean {
  const { problem, next, position, backUpTo, route } = tours
  const x = next[u] as number
  if ((position[u] as number) > (position[v] as number) || x === v) return false
  const y = next[v] as number
  const longer =
    legOf(problem, u, v) +
    legOf(problem, x, y) -
    legOf(problem, u, x) -
    legOf(problem, v, y) +
    (backUpTo[v] as number) -
    (backUpTo[x] as number)
  if (longer >= -problem.tolerance) return false
  turnBetween(tours, u, x, y)
  const r = route[u] as number
  return changed(tours, r, r)
}

/** The nodes from x up to the one before `end` follow `from` in the other order, and `end` follows them. */
function turnBetween(tours: Tours, from: number, x: number, end: number): void {
  let behind = end
  for (let i = x; i !== end; ) {
    const following = tours.next[i] as number
    join(tours, i, behind)
    behind = i
    i = following
  }
  join(tours, from, behind)
}

/**
 * What follows u and what follows v change places; or what comes before v follows u, driven back.
 * @param longer what the new legs cost more
 */
function exchangeEnds(tours: Tours, u: number, v: number, longer: number, longerBack: number): boolean {
  const { next, route, loadUpTo, backUpTo } = tours
  const x = next[u] as number
  const y = next[v] as number
  const r = route[u] as number
  const s = route[v] as number
  const endU = (tours.load[r] as number) - (loadUpTo[u] as number)
  const endV = (tours.load[s] as number) - (loadUpTo[v] as number)
  if (pays(tours, r, s, longer, endU - endV)) {
    joinEnds(tours, u, y, r, v, x, s)
    return changed(tours, r, s)
  }
  const back = (backUpTo[v] as number) + (backUpTo[startOf(tours, r) + 1] as number) - (backUpTo[x] as number)
  if (!pays(tours, r, s, longerBack + back, endU - (loadUpTo[v] as number))) return false
  turnEnds(tours, u, v)
  return changed(tours, r, s)
}

/** y and what follows it come behind u, and x and what follows it behind v. */
function joinEnds(tours: Tours, u: number, y: number, r: number, v: number, x: number, s: number): void {
  const { problem, prev } = tours
  const endR = startOf(tours, r) + 1
  const endS = startOf(tours, s) + 1
  const lastR = prev[endR] as number
  const lastS = prev[endS] as number
  if (y >= problem.visitCount) join(tours, u, endR)
  else {
    join(tours, u, y)
    join(tours, lastS, endR)
  }
  if (x >= problem.visitCount) join(tours, v, endS)
  else {
    join(tours, v, x)
    join(tours, lastR, endS)
  }
}

/** Route r goes on behind u with v and what came before it, route s begins with what followed u, from its end on. */
function turnEnds(tours: Tours, u: number, v: number): void {
  const { problem, next, prev, route } = tours
  const { visitCount } = problem
  const endR = startOf(tours, route[u] as number) + 1
  const startS = startOf(tours, route[v] as number)
  const x = next[u] as number
  const y = next[v] as number
  let node = u
  for (let i = v; i < visitCount; ) {
    const before = prev[i] as number
    join(tours, node, i)
    node = i
    i = before
  }
  let last = y
  for (let i = x; i < visitCount; ) {
    const following = next[i] as number
    join(tours, i, last)
    last = i
    i = following
  }
  join(tours, node, endR)
  join(tours, startS, last)
}
