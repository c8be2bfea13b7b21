import type { Model } from "../problem/model.ts"
import type { Plan } from "../problem/problem.ts"
import { openTrip, refresh } from "./refresh.ts"
import type { State } from "./state.ts"
import { attach, detach } from "./state.ts"

export type Snapshot = {
  /** Per vehicle at work: k, number of trips, then each trip's size and visits. */
  readonly routes: Int32Array
  /** First and last starts of all visits, kept only with links. */
  readonly open: Float64Array
  readonly close: Float64Array
}

const none = new Float64Array(0)

export function takeSnapshot(model: Model, state: State): Snapshot {
  let length = 0
  for (let u = 0; u < state.usedCount; u++) length += 2 + (state.tripCount[state.used[u] as number] as number)
  const record = new Int32Array(length + model.visitCount - state.absentCount)
  let at = 0
  for (let u = 0; u < state.usedCount; u++) {
    const k = state.used[u] as number
    const base = k * model.maxTrips
    const count = state.tripCount[k] as number
    record[at++] = k
    record[at++] = count
    for (let slot = base; slot < base + count; slot++) {
      record[at++] = state.size[slot] as number
      for (let i = state.first[slot] as number; i !== -1; i = state.next[i] as number) record[at++] = i
    }
  }
  if (!model.hasLinks) return { routes: record, open: none, close: none }
  return { routes: record, open: model.open.slice(), close: model.close.slice() }
}

export function restoreSnapshot(model: Model, state: State, snapshot: Snapshot): void {
  clearRoutes(model, state)
  if (model.hasLinks) {
    model.open.set(snapshot.open)
    model.close.set(snapshot.close)
  }
  drive(model, state, readRoutes(snapshot))
}

/** Leaves all vehicles without work. */
export function clearRoutes(model: Model, state: State): void {
  for (const k of state.used.slice(0, state.usedCount)) {
    const base = k * model.maxTrips
    for (let slot = base; slot < base + (state.tripCount[k] as number); slot++) {
      while (state.last[slot] !== -1) detach(model, state, state.last[slot] as number)
    }
    refresh(model, state, k)
  }
}

/** Puts the routes on vehicles without work. */
export function drive(model: Model, state: State, routes: Plan["routes"]): void {
  for (const { vehicle, trips } of routes) {
    trips.forEach((trip, t) => {
      const slot = openTrip(model, state, vehicle, t)
      for (const i of trip) attach(model, state, i, slot, state.last[slot] as number)
    })
    refresh(model, state, vehicle)
  }
}

export function snapshotPlan(model: Model, snapshot: Snapshot): Plan {
  const routes = readRoutes(snapshot).sort((a, b) => a.vehicle - b.vehicle)
  const placed = new Set(routes.flatMap((route) => route.trips.flat()))
  const dropped = Array.from({ length: model.visitCount }, (_, i) => i).filter((i) => !placed.has(i))
  return { routes, dropped }
}

function readRoutes({ routes: record }: Snapshot): { vehicle: number; trips: number[][] }[] {
  const found: { vehicle: number; trips: number[][] }[] = []
  let at = 0
  while (at < record.length) {
    const vehicle = record[at++] as number
    const count = record[at++] as number
    const trips: number[][] = []
    for (let t = 0; t < count; t++) {
      const size = record[at++] as number
      trips.push(Array.from(record.subarray(at, at + size)))
      at += size
    }
    found.push({ vehicle, trips })
  }
  return found
}
