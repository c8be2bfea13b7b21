import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { compile } from "../problem/compile.ts"
import { aVehicle, aVisit } from "../problem/example-problems.ts"
import type { Model } from "../problem/model.ts"
import type { TimeSpan, Vehicle, Visit } from "../problem/problem.ts"
import { openTrip, refresh } from "../search/refresh.ts"
import { attach, createState } from "../search/state.ts"
import { durationFits, isShortEnough } from "./duration.ts"
import { arrivalAt, departureFor, roomAtService, roomOnLeg, serviceFrom, serviceUntil } from "./times.ts"

/*
 * The times of the search against a clock that goes on second by second: days of a hundred seconds, with pauses,
 * windows and spans without trucks of a few seconds each.
 */

const horizon = 100
const [first, last] = [-3 * horizon, 3 * horizon]

/** Spans at even seconds that neither touch nor overlap, in order. */
const spans = (most: number) =>
  fc
    .uniqueArray(fc.integer({ min: 0, max: horizon / 2 }), { maxLength: 2 * most })
    .map((times): TimeSpan[] => {
      const sorted = times.map((half) => 2 * half).toSorted((a, b) => a - b)
      return sorted.flatMap((from, at): TimeSpan[] => {
        const to = sorted[at + 1]
        return at % 2 === 0 && to !== undefined ? [[from, to]] : []
      })
    })

const nodes = 4
const drawn = fc.record({
  breaks: spans(3),
  restricted: spans(2),
  windows: fc.array(spans(2), { minLength: nodes - 1, maxLength: nodes - 1 }),
  services: fc.array(fc.nat(6), { minLength: nodes - 1, maxLength: nodes - 1 }),
  durations: fc.array(fc.nat(9), { minLength: nodes * nodes, maxLength: nodes * nodes }),
  legs: fc.array(fc.nat(1), { minLength: nodes * nodes, maxLength: nodes * nodes }),
  isRestricted: fc.boolean(),
})
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never

function modelOf(day: Drawn, vehicle: Partial<Vehicle> = {}): Model {
  const durations = Float64Array.from(day.durations)
  for (let at = 0; at < nodes; at++) durations[at * nodes + at] = 0
  const visits = day.services.map(
    (serviceSeconds, at): Visit =>
      aVisit({ id: `${at}`, location: at + 1, serviceSeconds, windows: day.windows[at] ?? [] }),
  )
  const { breaks, isRestricted: restricted } = day
  return compile({
    locationCount: nodes,
    distances: durations,
    durations,
    dimensions: 0,
    objective: { kind: "lexicographic" },
    visits,
    vehicles: [aVehicle({ shift: [0, horizon], durationFactor: 1, breaks, restricted, ...vehicle })],
    restrictedLegs: { legs: Uint8Array.from(day.legs), spans: day.restricted },
  })
}

/** When `work` seconds are done that begin at `from`. */
function endOfWork({ breaks }: Drawn, from: number, work: number): number {
  let now = from
  for (let rest = work; rest > 0; now++) if (!breaks.some(([start, end]) => start <= now && now < end)) rest--
  return now
}

function legOf(day: Drawn, model: Model, from: number, to: number) {
  const cell = from * model.nodeCount + to
  const work = model.duration[cell] ?? 0
  const isLimited = day.isRestricted && work > 0 && model.restrictedLeg?.[cell] === 1
  const arrival = (leave: number) => endOfWork(day, leave, work)
  const mayLeave = (leave: number) =>
    !isLimited || !day.restricted.some(([start, end]) => leave < end && start < arrival(leave))
  return { work, arrival, mayLeave }
}

function mayServe(day: Drawn, visit: number, start: number, [open, close] = [0, horizon]): boolean {
  const windows = day.windows[visit] ?? []
  const service = day.services[visit] ?? 0
  return (
    start >= open &&
    start <= close &&
    (windows.length === 0 || windows.some(([from, to]) => from <= start && start <= to)) &&
    day.breaks.every(([from, to]) => start + service <= from || start >= to)
  )
}

/** The first time from `start` on, in steps of `step`, for which a condition holds. */
function search(start: number, step: 1 | -1, holds: (time: number) => boolean): number {
  for (let time = start; time >= first && time <= last; time += step) if (holds(time)) return time
  return step * Number.POSITIVE_INFINITY
}

const time = fc.integer({ min: -5, max: horizon + 5 })
const settings = { numRuns: 150 }

test("legs arrive as early and leave as late as pauses and restricted spans allow", () => {
  fc.assert(
    fc.property(drawn, time, (day, at) => {
      const model = modelOf(day)
      for (const [from, to] of [
        [0, 1],
        [1, 2],
        [2, 0],
      ] as const) {
        const { work, arrival, mayLeave } = legOf(day, model, from, to)
        const leaves = work === 0 ? at : search(at, 1, mayLeave)
        assert.equal(arrivalAt(model, 0, from, to, at), arrival(leaves))
        const latest = search(at, -1, (leave) => mayLeave(leave) && arrival(leave) <= at)
        assert.equal(departureFor(model, 0, from, to, at), latest)
        if (!mayLeave(at) || day.breaks.some(([start, end]) => start <= at && at < end)) continue
        const changes = (leave: number) => !mayLeave(leave) || arrival(leave) - leave !== arrival(at) - at
        const room = work === 0 ? Number.POSITIVE_INFINITY : search(at, 1, changes) - 1 - at
        assert.equal(roomOnLeg(model, 0, from, to, at), room)
      }
    }),
    settings,
  )
})

test("service begins as early and as late as windows, pauses and links allow", () => {
  const bounds = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 20, max: horizon }))
  fc.assert(
    fc.property(drawn, time, bounds, (day, at, limits) => {
      const model = modelOf(day)
      for (const visit of [0, 1, 2]) {
        const start = search(at, 1, (second) => mayServe(day, visit, second, [first, last]))
        if (start === at) {
          const ends = search(at, 1, (second) => !mayServe(day, visit, second, [first, last]))
          assert.equal(roomAtService(model, 0, visit, at), ends - 1 - at)
        }
        model.open[visit] = limits[0]
        model.close[visit] = limits[1]
        const isFine = (second: number) => mayServe(day, visit, second, limits)
        assert.equal(serviceFrom(model, 0, visit, at), search(at, 1, isFine))
        assert.equal(serviceUntil(model, 0, visit, at), search(at, -1, isFine))
      }
    }),
    settings,
  )
})

/** The shortest day with these visits, of all that begin at a full second; Infinity where none keeps the windows. */
function shortestDay(day: Drawn, model: Model, order: readonly number[]): number {
  const hub = model.startNode[0] ?? 0
  let shortest = Number.POSITIVE_INFINITY
  for (let start = 0; start <= horizon; start++) {
    let [now, node] = [start, hub]
    for (const visit of order) {
      const { arrival, mayLeave } = legOf(day, model, node, visit)
      const arrived = arrival(search(now, 1, mayLeave))
      now = search(arrived, 1, (second) => mayServe(day, visit, second)) + (day.services[visit] ?? 0)
      if (now > horizon) break
      node = visit
    }
    if (now > horizon) continue
    const { arrival, mayLeave } = legOf(day, model, node, hub)
    const end = arrival(search(now, 1, mayLeave))
    if (end <= horizon) shortest = Math.min(shortest, end - start)
  }
  return shortest
}

/** A state of the search in which one vehicle serves these visits. */
function stateOf(model: Model, order: readonly number[]) {
  const state = createState(model)
  if (order.length === 0) return state
  openTrip(model, state, 0, 0)
  for (const [at, visit] of order.entries()) attach(model, state, visit, 0, order[at - 1] ?? -1)
  refresh(model, state, 0)
  return state
}

test("a visit fits into a day when the shortest day with it is short enough", () => {
  const plainWindow = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 40 }))
  const plain = fc.tuple(drawn, fc.array(fc.option(plainWindow), { minLength: 3, maxLength: 3 })).map(
    ([day, windows]): Drawn => ({
      ...day,
      breaks: [],
      restricted: [],
      isRestricted: false,
      windows: windows.map((window): TimeSpan[] => (window ? [[window[0], window[0] + window[1]]] : [])),
    }),
  )
  fc.assert(
    fc.property(
      fc.oneof(plain, drawn),
      fc.integer({ min: 0, max: 2 }),
      fc.integer({ min: 1, max: 2 }),
      (day, count, maxTrips) => {
        const model = modelOf(day, { maxDuration: horizon, maxTrips })
        const order = [0, 1].slice(0, count)
        const present = shortestDay(day, model, order)
        if (order.length > 0 && present === Number.POSITIVE_INFINITY) return
        const state = stateOf(model, order)
        const limited = (seconds: number) => {
          model.maxDuration[0] = seconds
          return order.length === 0 || isShortEnough(model, state, 0)
        }
        if (order.length > 0) assert.deepEqual([limited(present), limited(present - 1)], [true, false])
        for (let place = 0; place <= order.length; place++) {
          const shortest = shortestDay(day, model, order.toSpliced(place, 0, 2))
          if (shortest === Number.POSITIVE_INFINITY) continue
          const fits = [shortest, shortest - 1, Number.POSITIVE_INFINITY].map((seconds) => {
            model.maxDuration[0] = seconds
            return durationFits(model, state, 0, 0, order[place - 1] ?? -1, order.length === 0, 2)
          })
          assert.deepEqual(fits, [true, false, true], JSON.stringify([day, order, place, shortest]))
        }
      },
    ),
    settings,
  )
})
