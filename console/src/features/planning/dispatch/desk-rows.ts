import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { type OrderedStop, stopOf, workerOf } from "#shared/dispatch/from-day.ts"
import {
  bestPosition,
  type DayContext,
  type DayTimes,
  type DayWorker,
  greatCircleSeconds,
  inOrder,
  type TravelSeconds,
  timesOf,
  withStops,
} from "#shared/dispatch/person-day.ts"
import { addedProblems, type DayProblem, problemsOf } from "#shared/dispatch/problems.ts"
import { byName } from "../../../i18n/by-name.ts"
import type { DayPerson, DayTask, DispatchDay } from "./dispatch.queries.ts"

/** A person's day as the timeline shows it. */
export interface DeskRow {
  person: DayPerson
  worker: DayWorker
  stops: readonly OrderedStop[]
  context: DayContext
  times: DayTimes
}

/** One row for each person, by name with numbers in their order. `now` in epoch seconds, if the day is today. */
export function rowsOf(
  day: DispatchDay,
  positions: ReadonlyMap<string, LngLat>,
  now: number | undefined,
): DeskRow[] {
  const tasksOf = new Map<string, DayTask[]>()
  for (const task of day.tasks)
    for (const email of task.assignee) {
      const known = tasksOf.get(email)
      if (known) known.push(task)
      else tasksOf.set(email, [task])
    }
  return day.people.toSorted(byName).map((person) => {
    const worker = workerOf(person, positions.get(person.email))
    const travel = greatCircleSeconds(person.vehicle?.speed ?? day.defaultSpeed)
    const context = { travel, usualMinutes: day.defaultVisitMinutes, now }
    return withTimes({
      person,
      worker,
      context,
      stops: inOrder((tasksOf.get(person.email) ?? []).map(stopOf)),
    })
  })
}

function withTimes(row: Omit<DeskRow, "times">): DeskRow {
  const expected = row.stops.flatMap(({ expectedArrival }) => expectedArrival ?? [])
  // Estimates of another order are out of date: the next ones are on their way.
  const isOrdered = expected.every((arrival, index) => index === 0 || arrival >= (expected[index - 1] ?? 0))
  const context = { ...row.context, usesEstimates: isOrdered }
  return { ...row, context, times: timesOf(row.worker, row.stops, context) }
}

/** The row with other travel times, for example those on roads. */
export function withTravel(row: DeskRow, travel: TravelSeconds): DeskRow {
  return withTimes({ ...row, context: { ...row.context, travel } })
}

export interface Preview {
  stops: readonly OrderedStop[]
  times: DayTimes
  /** Where the added stops are. */
  at: number
  added: ReadonlySet<string>
  /** Seconds of driving, and of the end of the day, more than before. */
  extraTravel: number
  laterEnd: number
  /** Those that were not there before, or become worse. */
  problems: DayProblem[]
}

/** The person's day with some tasks at a position, or where they fit best. */
export function previewOf(row: DeskRow, tasks: readonly DayTask[], at: number | undefined): Preview {
  const added = new Set(tasks.map(({ _id }) => _id))
  const context = { ...row.context, usesEstimates: false }
  const others = row.stops.filter(({ id }) => !added.has(id))
  const stops = tasks.map(stopOf).toSorted((one, other) => one.startTime - other.startTime)
  const firstOpen = others.filter(({ isDone }) => isDone).length
  const place =
    at === undefined ? bestPosition(row.worker, others, stops, context).at : Math.max(firstOpen, at)
  const after = withStops(others, stops, place)
  const before = timesOf(row.worker, row.stops, context)
  const times = timesOf(row.worker, after, context)
  const known = problemsOf(row.worker, row.stops, before, context)
  return {
    stops: after,
    times,
    at: place,
    added,
    extraTravel: times.travel - before.travel,
    laterEnd: (times.end ?? 0) - (before.end ?? times.end ?? 0),
    problems: addedProblems(known, problemsOf(row.worker, after, times, context)),
  }
}

/**
 * The places of a day with some tasks for which travel times are asked, each once; as many as one request takes. Their order is
 * that of their texts, so that the same places before and after a drop are asked for once.
 */
export function placesOf({ worker, stops }: DeskRow, tasks: readonly DayTask[]): LngLat[] {
  const open = [...tasks.map(stopOf), ...stops.filter(({ isDone }) => !isDone)]
  const places = [worker.from, ...open.map(({ lngLat }) => lngLat)]
  const known = new Map(places.flatMap((place) => (place ? [[place.join(), place] as const] : [])))
  const asked = [...known].slice(0, maxPlaces)
  return asked.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, place]) => place)
}

const maxPlaces = 60

/** Minutes after which a stop is worth naming as late in a list, and why. */
export function lateBy(task: DayTask, row: DeskRow | undefined, now: number | undefined): number {
  if (task.status === "DONE") return 0
  const overdue = now === undefined ? 0 : now - task.endTime
  const expected = row?.times.stops.find(({ id }) => id === task._id)?.late ?? 0
  return Math.max(0, overdue, expected)
}
