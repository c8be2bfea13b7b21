import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"

/** What one person does in one day, in the order of their stops. All times are epoch seconds. */
export interface DayStop {
  id: string
  lngLat: LngLat | undefined
  hubId: string
  /** Between which work may start and must be done. */
  startTime: number
  endTime: number
  /** Minutes at the stop as its flow says; undefined where it says nothing. */
  visitMinutes: number | undefined
  isDone: boolean
  doneTime: number | undefined
  /** Demands by capacity constraint, and what the vehicle must have. */
  demand: Readonly<Record<string, number>>
  tags: readonly string[]
  /** As planning expects it, if it does. */
  expectedArrival?: number | undefined
}

export interface DayWorker {
  hubIds: readonly string[] | "all"
  shift: { start: number; end: number } | undefined
  pause: { start: number; end: number } | undefined
  /** Where the person is, or starts from. */
  from: LngLat | undefined
  capacity: Readonly<Record<string, { max: number }>>
  tags: readonly string[]
  hasVehicle: boolean
}

export interface StopTimes {
  id: string
  /** Seconds of travel before the arrival; 0 where a place is unknown. */
  travel: number
  arrival: number
  /** When work starts: later than the arrival where the person waits. */
  start: number
  leave: number
  /** Seconds after the latest moment at which work should have started; 0 when in time. */
  late: number
}

export interface DayTimes {
  stops: StopTimes[]
  travel: number
  waiting: number
  service: number
  lateCount: number
  /** When the last stop is left; undefined without stops. */
  end: number | undefined
}

/** Seconds from one place to another. */
export type TravelSeconds = (from: LngLat, to: LngLat) => number

/** How much longer roads are than great circles; see `planning/routes/roads/travel-matrix.ts`. */
const detourFactor = 1.3
/** Late by less than this is in time. */
const toleranceSeconds = 60
/** A window up to this long, without a visit time, is an appointment: the person stays until it ends. */
const longestAppointment = 2 * 3600

export function greatCircleSeconds(kilometersPerHour: number): TravelSeconds {
  const secondsPerMeter = (3.6 / kilometersPerHour) * detourFactor
  return (from, to) => Math.round(distanceMeters(from, to) * secondsPerMeter)
}

/** Seconds at a stop: what its flow says, the whole of a short window, else the usual time. */
function serviceSeconds(stop: DayStop, usualMinutes: number): number {
  if (stop.visitMinutes !== undefined) return stop.visitMinutes * 60
  const window = Math.max(0, stop.endTime - stop.startTime)
  return window <= longestAppointment ? window : usualMinutes * 60
}

/** The latest start of the work that is in time. */
export function latestStart(stop: DayStop, usualMinutes: number): number {
  if (stop.visitMinutes !== undefined) return stop.endTime
  return Math.max(stop.startTime, stop.endTime - serviceSeconds(stop, usualMinutes))
}

export interface DayContext {
  travel: TravelSeconds
  usualMinutes: number
  /** Open stops are not done before now; undefined for other days. */
  now: number | undefined
  /** Arrivals that planning expects are taken over, as long as the stops and their order are what it planned with. */
  usesEstimates?: boolean
}

/** Times of the stops in their order. Finished stops are where they were; open ones follow each other. */
export function timesOf(worker: DayWorker, stops: readonly DayStop[], context: DayContext): DayTimes {
  const result: DayTimes = { stops: [], travel: 0, waiting: 0, service: 0, lateCount: 0, end: undefined }
  let place = worker.from
  let hasOpen = false
  let isExpected = true
  let free = Math.max(
    worker.shift?.start ?? Number.NEGATIVE_INFINITY,
    context.now ?? Number.NEGATIVE_INFINITY,
  )
  for (const stop of stops) {
    const service = serviceSeconds(stop, context.usualMinutes)
    const travel = place && stop.lngLat ? context.travel(place, stop.lngLat) : 0
    const isFirst = !hasOpen
    hasOpen ||= !stop.isDone
    if (!stop.isDone && !isFirst && stop.lngLat && stop.expectedArrival === undefined) isExpected = false
    const times = stop.isDone
      ? finishedTimes(stop, service)
      : openTimes({ stop, service, travel, free, isFirst, isExpected }, worker, context)
    result.stops.push(times)
    if (!stop.isDone) {
      result.travel += times.travel
      result.waiting += Math.max(0, times.start - times.arrival)
      if (times.late > 0) result.lateCount += 1
      free = times.leave
    }
    result.service += times.leave - times.start
    result.end = Math.max(result.end ?? 0, times.leave)
    // The live position is nearer to the truth than the last finished stop.
    if (stop.lngLat && !(stop.isDone && worker.from && context.now !== undefined)) place = stop.lngLat
  }
  return result
}

function finishedTimes(stop: DayStop, service: number): StopTimes {
  const leave = stop.doneTime ?? stop.endTime
  const late = Math.max(0, leave - stop.endTime)
  return { id: stop.id, travel: 0, arrival: leave - service, start: leave - service, leave, late }
}

interface Visit {
  stop: DayStop
  service: number
  travel: number
  /** When the person is free to leave for it. */
  free: number
  /** Of the open ones. */
  isFirst: boolean
  /** No stop before it was added since arrivals were estimated; the first has no estimate once it is reached. */
  isExpected: boolean
}

function openTimes(
  { stop, service, travel, free, isFirst, isExpected }: Visit,
  { pause }: DayWorker,
  { usualMinutes, usesEstimates }: DayContext,
): StopTimes {
  // To the first stop people leave just in time; between two stops they wait at the second.
  const earliest = isFirst || !Number.isFinite(free) ? stop.startTime : free + travel
  const expected = usesEstimates ? stop.expectedArrival : undefined
  const computed = Math.max(Number.isFinite(free) ? free + travel : earliest, earliest)
  const arrival = isExpected ? (expected ?? computed) : Math.max(expected ?? computed, computed)
  const start = afterPause(Math.max(arrival, stop.startTime), service, pause)
  const overdue = start - latestStart(stop, usualMinutes)
  return {
    id: stop.id,
    travel,
    arrival,
    start,
    leave: start + service,
    late: overdue > toleranceSeconds ? overdue : 0,
  }
}

/** Work does not begin in a break, nor is it interrupted by one. */
function afterPause(start: number, service: number, pause: DayWorker["pause"]): number {
  return pause && start < pause.end && start + service > pause.start && pause.end > pause.start
    ? pause.end
    : start
}

/** The stops in the order in which a person does them: finished ones first, then by the order that was set, else by time. */
export function inOrder<Stop extends DayStop & { orderIndex: number }>(stops: readonly Stop[]): Stop[] {
  const open = stops.filter(({ isDone }) => !isDone)
  // Without an order that somebody set, the index is when the task was created.
  const isOrdered = open.every(({ orderIndex }) => orderIndex < largestPlannedIndex)
  const byTime = (one: Stop, other: Stop) =>
    one.startTime - other.startTime || one.endTime - other.endTime || (one.id < other.id ? -1 : 1)
  const done = stops
    .filter(({ isDone }) => isDone)
    .toSorted((one, other) => (one.doneTime ?? one.endTime) - (other.doneTime ?? other.endTime))
  return [
    ...done,
    ...open.toSorted((one, other) =>
      isOrdered ? one.orderIndex - other.orderIndex || byTime(one, other) : byTime(one, other),
    ),
  ]
}

const largestPlannedIndex = 1e9

/** The days' stops with others put in at a position. */
export function withStops<Stop>(stops: readonly Stop[], added: readonly Stop[], at: number): Stop[] {
  return [...stops.slice(0, at), ...added, ...stops.slice(at)]
}

/**
 * Where the stops cost the person least: lateness counts ten times as much as driving. `delayCost`: what each second counts by
 * which another stop is reached later than without them, also where it is still in time.
 */
export function bestPosition<Stop extends DayStop>(
  worker: DayWorker,
  stops: readonly Stop[],
  added: readonly Stop[],
  context: DayContext,
  delayCost = 0,
): { at: number; extraSeconds: number; times: DayTimes } {
  const before = timesOf(worker, stops, context)
  const first = stops.filter(({ isDone }) => isDone).length
  let best: { at: number; extraSeconds: number; times: DayTimes; cost: number } | undefined
  for (let at = first; at <= stops.length; at++) {
    const times = timesOf(worker, withStops(stops, added, at), context)
    const extraSeconds = times.travel - before.travel
    const delays = delayCost * delaysOf(before, times.stops.toSpliced(at, added.length))
    const cost = extraSeconds + 10 * (lateness(times) - lateness(before)) + overtime(worker, times) + delays
    if (!best || cost < best.cost) best = { at, extraSeconds, times, cost }
  }
  return best ?? { at: 0, extraSeconds: 0, times: before }
}

const delaysOf = (before: DayTimes, after: readonly StopTimes[]) =>
  before.stops.reduce(
    (sum, { arrival }, place) => sum + Math.max(0, (after[place]?.arrival ?? 0) - arrival),
    0,
  )
const lateness = ({ stops }: DayTimes) => stops.reduce((sum, { late }) => sum + late, 0)
const overtime = ({ shift }: DayWorker, { end }: DayTimes) =>
  shift && end !== undefined ? 10 * Math.max(0, end - shift.end) : 0
