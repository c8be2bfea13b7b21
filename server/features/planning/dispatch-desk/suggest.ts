import { type Caller, may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { type OrderedStop, stopOf, workerOf } from "#shared/dispatch/from-day.ts"
import {
  bestPosition,
  type DayContext,
  type DayWorker,
  greatCircleSeconds,
  inOrder,
  withStops,
} from "#shared/dispatch/person-day.ts"
import { problemsOf } from "#shared/dispatch/problems.ts"
import { listPositions } from "../../location/positions/index.ts"
import type { RoadSupply } from "../../location/roads/index.ts"
import { findTasks } from "../../work/tasks/index.ts"
import { deskErrors } from "./errors.ts"
import { readDay } from "./read-day.ts"
import type { Suggestion, WireDay, WireDayPerson } from "./schemas.ts"
import { lookUp, maxPlacesOfPerson, type TravelTable, travelTable } from "./travel.ts"

export interface SuggestionInput {
  taskIds: readonly string[]
  hubId?: string | undefined
  date?: string | undefined
}

interface SuggestionContext {
  now: Temporal.Instant
  roads: RoadSupply
}

/** People who are compared by road after great circles have put them in front. */
const closerLook = 8
const suggested = 5

interface Candidate {
  person: WireDayPerson
  worker: DayWorker
  stops: OrderedStop[]
}

/** Who could do some tasks with the least trouble, and why. */
export async function suggestAssignees(
  sql: Sql,
  caller: Caller,
  { taskIds, hubId, date }: SuggestionInput,
  { now, roads }: SuggestionContext,
): Promise<{ isByRoad: boolean; outOfReach: number[][]; note: string; people: Suggestion[] }> {
  const tasks = await findTasks(sql, caller, taskIds)
  const [first] = tasks.toSorted((one, other) => Temporal.Instant.compare(one.startTime, other.startTime))
  if (!first || tasks.length < new Set(taskIds.map((id) => id.toLowerCase())).size) throw deskErrors.badTask()
  const wanted = date ?? first.startTime.toZonedDateTimeISO(caller.timeZone).toPlainDate().toString()
  const day = await readDay(sql, caller, { hubId, date: wanted }, { now, hasRoads: false })
  const added = tasks
    .map((task) => {
      const listed = day.tasks.find(({ _id }) => _id === task.id)
      return stopOf(
        listed ?? {
          ...task,
          _id: task.id,
          startTime: task.startTime.epochMilliseconds / 1000,
          endTime: task.endTime.epochMilliseconds / 1000,
          doneTime: 0,
        },
      )
    })
    .toSorted((one, other) => one.startTime - other.startTime)
  const seconds = now.epochMilliseconds / 1000
  const isToday = seconds >= day.from && seconds < day.until
  const positions =
    isToday && may(caller, "view/tracking") ? await findPositions(sql, caller, day.people, now) : new Map()
  const candidates = candidatesOf(day, added, positions)
  const context = (travel: DayContext["travel"]): DayContext => ({
    travel,
    usualMinutes: day.defaultVisitMinutes,
    now: isToday ? seconds : undefined,
  })
  const rough = candidates
    .map((candidate) => {
      const travel = greatCircleSeconds(candidate.person.vehicle?.speed ?? day.defaultSpeed)
      return rate(candidate, added, context(travel))
    })
    .toSorted((one, other) => one.cost - other.cost)
    .slice(0, closerLook)
  const sources: TravelTable[] = []
  const exact = await Promise.all(
    rough.map(async ({ candidate }) => {
      const places = placesOf(candidate, added)
      const table = await travelTable(places, roads)
      // A person without a position and other stops drives nowhere.
      if (places.length > 1) sources.push(table)
      return rate(candidate, added, context(lookUp(places, table)))
    }),
  )
  const source = sources.find(({ isByRoad }) => !isByRoad) ?? sources[0]
  return {
    isByRoad: source?.isByRoad ?? false,
    outOfReach: eachOnce(sources.flatMap(({ outOfReach }) => outOfReach)),
    note: source?.note ?? "",
    people: exact
      .toSorted((one, other) => one.cost - other.cost)
      .slice(0, suggested)
      .map(({ suggestion }) => suggestion),
  }
}

function eachOnce(places: readonly number[][]): number[][] {
  return [...new Map(places.map((place) => [place.join(), place])).values()]
}

/** Where people are now, as far as the caller may see it. */
async function findPositions(
  sql: Sql,
  caller: Caller,
  people: WireDay["people"],
  now: Temporal.Instant,
): Promise<Map<string, LngLat>> {
  const positions = await listPositions(sql, caller, { userIds: people.map(({ _id }) => _id) }, now)
  return new Map(
    positions.flatMap(({ email, lat, lon, movement }) =>
      lat === null || lon === null || movement === "silent" ? [] : [[email, [lon, lat] as LngLat]],
    ),
  )
}

function candidatesOf(
  day: WireDay,
  added: readonly OrderedStop[],
  positions: ReadonlyMap<string, LngLat>,
): Candidate[] {
  const ids = new Set(added.map(({ id }) => id))
  const stopsOf = new Map<string, OrderedStop[]>()
  for (const task of day.tasks) {
    if (ids.has(task._id)) continue
    for (const email of task.assignee) stopsOf.set(email, [...(stopsOf.get(email) ?? []), stopOf(task)])
  }
  const hubIds = new Set(added.map(({ hubId }) => hubId))
  return day.people
    .filter((person) => person.hasAllHubs || hubIds.values().every((id) => person.hubIds.includes(id)))
    .map((person) => ({
      person,
      worker: workerOf(person, positions.get(person.email)),
      stops: inOrder(stopsOf.get(person.email) ?? []),
    }))
}

/** The person's open stops and the added ones, as many as a table takes. */
function placesOf({ worker, stops }: Candidate, added: readonly OrderedStop[]): LngLat[] {
  const open = stops.filter(({ isDone }) => !isDone)
  const places = [worker.from, ...added.map(({ lngLat }) => lngLat), ...open.map(({ lngLat }) => lngLat)]
  const known = new Map(places.flatMap((place) => (place ? [[place.join(), place]] : [])))
  return [...known.values()].slice(0, maxPlacesOfPerson)
}

/** A problem costs as much as this much driving: people without any come first. */
const secondsPerProblem = 3_600

function rate(candidate: Candidate, added: readonly OrderedStop[], context: DayContext) {
  const { person, worker, stops } = candidate
  const { at, extraSeconds, times } = bestPosition(worker, stops, added, context)
  const after = withStops(stops, added, at)
  const problems = problemsOf(worker, after, times, context)
  const open = stops.filter(({ isDone }) => !isDone).length
  const asked = [...new Set(added.flatMap(({ tags }) => tags))]
  const end = times.end ?? context.now
  const suggestion: Suggestion = {
    _id: person._id,
    email: person.email,
    name: person.name,
    vehicle: person.vehicle?.name ?? null,
    extraMinutes: Math.max(0, Math.round(extraSeconds / 60)),
    position: at - (stops.length - open),
    arrivalTime: times.stops[at]?.arrival ?? null,
    stops: open,
    load: Object.entries(worker.capacity).map(([name, { max }]) => ({
      name,
      max,
      load: after.reduce((sum, { demand }) => sum + (demand[name] ?? 0), 0),
    })),
    matchingTags: asked.filter((tag) => worker.tags.includes(tag)),
    missingTags: asked.filter((tag) => !worker.tags.includes(tag)),
    minutesLeft: worker.shift && end !== undefined ? Math.round((worker.shift.end - end) / 60) : null,
    lateStops: times.lateCount,
    problems: [...new Set(problems.map(({ kind }) => kind))],
  }
  // Somebody who is already busy is a little worse than somebody with an empty day.
  const cost = extraSeconds + problems.length * secondsPerProblem + open * 30
  return { candidate, suggestion, cost }
}
