import type { Model } from "../problem/model.ts"
import type { State } from "./state.ts"

/** A visit that may join a day, with the delivery of a pickup. */
export type Joining = {
  readonly c: number
  /** Trip of the day; a new one goes before the present trip of that number. */
  readonly trip: number
  /** Visit before it, -1 for the hub. */
  readonly after: number
  readonly isNew: boolean
  readonly delivery?: number
  /** Visit before the delivery. */
  readonly deliveryAfter?: number
}

/** Visits of a vehicle's day in order, with those that join; a -1 stands before each trip. */
export function dayOf(model: Model, state: State, k: number, joining?: Joining): number[] {
  const day: number[] = []
  const push = (i: number) => {
    day.push(i)
    if (joining?.delivery !== undefined && i === joining.deliveryAfter) day.push(joining.delivery)
  }
  const base = k * model.maxTrips
  const count = state.tripCount[k] as number
  for (let t = 0; t <= count; t++) {
    const joinsHere = joining?.trip === t
    if (joinsHere && joining.isNew) {
      day.push(-1)
      push(joining.c)
    }
    if (t === count) break
    day.push(-1)
    const joinsTrip = joinsHere && !joining.isNew
    if (joinsTrip && joining.after === -1) push(joining.c)
    for (let i = state.first[base + t] as number; i !== -1; i = state.next[i] as number) {
      push(i)
      if (joinsTrip && i === joining.after) push(joining.c)
    }
  }
  return day
}
