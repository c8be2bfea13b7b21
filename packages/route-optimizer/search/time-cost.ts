import { arrivalAt, departureFor, serviceFrom, slack } from "../evaluate/times.ts"
import type { Model } from "../problem/model.ts"
import { dayOf, type Joining } from "./day-of.ts"
import type { State } from "./state.ts"

/** What the times of vehicle k cost as its day is: time, overtime and lateness. */
export function timeCostOf(model: Model, state: State, k: number): number {
  return (state.tripCount[k] as number) === 0 ? 0 : dayCost(model, k, dayOf(model, state, k))
}

/** What a visit that joins adds to that. */
export function addedTimeCost(model: Model, state: State, k: number, joining: Joining): number {
  return dayCost(model, k, dayOf(model, state, k, joining)) - (state.timeCost[k] as number)
}

/** Of a day that is served as early as it may be, and leaves the hub as late as reaches its first visit then. */
function dayCost(model: Model, k: number, day: readonly number[]): number {
  const hub = model.startNode[k] as number
  const end = model.endNode[k] as number
  let now = model.shiftStart[k] as number
  let start = now
  let late = 0
  let node = hub
  for (let at = 0; at < day.length; at++) {
    const i = day[at] as number
    if (i === -1) {
      if (at > 0) now = arrivalAt(model, k, node, end, now)
      node = hub
      for (let next = at + 1; next < day.length && day[next] !== -1; next++)
        now = Math.max(now, model.release[day[next] as number] as number)
      continue
    }
    const left = now
    const begin = serviceFrom(model, k, i, arrivalAt(model, k, node, i, now))
    if (at === 1) start = Math.max(left, departureFor(model, k, hub, i, begin))
    if ((model.lateCost[i] as number) > 0) late += latenessAt(model, i, begin) * (model.lateCost[i] as number)
    now = begin + (model.service[i] as number)
    node = i
  }
  const back = arrivalAt(model, k, node, end, now)
  const overtime = Math.max(0, back - (model.overtimeStart[k] as number))
  return (
    (back - start) * (model.secondCost[k] as number) + overtime * (model.overtimeCost[k] as number) + late
  )
}

function latenessAt(model: Model, i: number, begin: number): number {
  const { windows, windowStart } = model
  for (let w = windowStart[i] as number; w < (windowStart[i + 1] as number); w += 2) {
    const close = windows[w + 1] as number
    if (begin <= close + slack) return Math.max(0, begin - (close - (model.lateSeconds[i] as number)))
  }
  return 0
}
