import { pairsOf } from "./problem/problem.ts"
import { RunningDay, type RunningPlan } from "./running-day.ts"

export type ReplanOptions = {
  /** What moving one planned visit to another vehicle costs, in seconds of driving. */
  readonly changeCost?: number
  /** Most planned visits that move for one waiting visit. */
  readonly maxMoved?: number
  /** A visit that is late by more is moved, where that helps. */
  readonly toleratedLateness?: number
  /** Most planned visits on another vehicle afterwards; else so many for each waiting one, and any number if none waits. */
  readonly maxMovedInAll?: number
  /** Whether routes are searched for shorter ones at the end; true unless given. */
  readonly isShortened?: boolean
  /** Milliseconds that pass, which bound all searches; the wall clock unless given. */
  readonly clock?: () => number
}

export type Replanned = {
  readonly routes: readonly (readonly number[])[]
  /** Waiting visits that no vehicle can take. */
  readonly dropped: readonly number[]
  /** Planned visits that are on another vehicle now. */
  readonly moved: readonly number[]
}

/** For making room, and for trying again what waited before. Somebody waits for the outcome. */
const placingMilliseconds = 250
/**
 * Assigns waiting visits to running routes with few other changes, then shortens the routes: the order of their stops may
 * change, and no more than `maxMoved` planned visits for each waiting one are on another vehicle afterwards.
 */
export function replan(running: RunningPlan, options: ReplanOptions = {}): Replanned {
  const { changeCost = 900, maxMoved = 2, toleratedLateness = 300, isShortened = true } = options
  const { clock = () => performance.now() } = options
  const begun = clock()
  const day = new RunningDay(running)
  const dropped: number[] = []
  const waiting = new Set(running.waiting)
  const limit =
    options.maxMovedInAll ?? (waiting.size > 0 ? maxMoved * waiting.size : Number.POSITIVE_INFINITY)
  const movedSoFar = () => day.movedSince(running.routes).length
  const pairs = pairsOf(running.problem.visits).filter(
    ({ pickup, delivery }) => waiting.has(pickup) && waiting.has(delivery),
  )
  for (const { pickup, delivery } of pairs) {
    waiting.delete(pickup)
    waiting.delete(delivery)
    if (!day.insertPair(pickup, delivery)) dropped.push(pickup, delivery)
  }
  const { waitedBefore = new Set() } = running
  for (const visit of day.byUrgency([...waiting], waitedBefore)) {
    const hasTime = () => clock() - begun < placingMilliseconds
    const room = () => Math.min(maxMoved, limit - movedSoFar())
    const isPlaced =
      (!waitedBefore.has(visit) || hasTime()) &&
      (day.insert(visit) || (hasTime() && day.insertWithRoom(visit, changeCost, room())))
    if (!isPlaced) dropped.push(visit)
  }
  // What is late, because a vehicle was delayed, may be in time elsewhere.
  for (const { visit, vehicle } of day.late(toleratedLateness))
    if (movedSoFar() < limit) day.relocate(visit, vehicle, changeCost)
  if (isShortened) day.shorten(waiting, waiting.size > 0 ? limit - movedSoFar() : 0, clock)
  return { routes: day.routes.map((route) => [...route]), dropped, moved: day.movedSince(running.routes) }
}
