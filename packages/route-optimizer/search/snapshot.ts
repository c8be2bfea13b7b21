import type { Model } from "../problem/model.ts"
import type { Plan } from "../problem/problem.ts"
import { openTrip, refresh } from "./refresh.ts"
import type { State } from "./state.ts"
import { attach, detach } from "./state.ts"

/** Per vehicle at work: k, number of trips, then each trip's size and visits. */
export type Snapshot = Int32Array

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
  return record
}

export function restoreSnapshot(model: Model, state: State, record: Snapshot): void {
  for (const k of state.used.slice(0, state.usedCount)) {
    const base = k * model.maxTrips
    for (let slot = base; slot < base + (state.tripCount[k] as number); slot++) {
      while (state.last[slot] !== -1) detach(model, state, state.last[slot] as number)
    }
    refresh(model, state, k)
  }
  for (const { vehicle, trips } of readRoutes(record)) {
    trips.forEach((trip, t) => {
      const slot = openTrip(model, state, vehicle, t)
      for (const i of trip) attach(model, state, i, slot, state.last[slot] as number)
    })
    refresh(model, state, vehicle)
  }
}

export function snapshotPlan(model: Model, record: Snapshot): Plan {
  const routes = readRoutes(record).sort((a, b) => a.vehicle - b.vehicle)
  const placed = new Set(routes.flatMap((route) => route.trips.flat()))
  const dropped = Array.from({ length: model.visitCount }, (_, i) => i).filter((i) => !placed.has(i))
  return { routes, dropped }
}

function readRoutes(record: Snapshot): { vehicle: number; trips: number[][] }[] {
  const routes: { vehicle: number; trips: number[][] }[] = []
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
    routes.push({ vehicle, trips })
  }
  return routes
}
