import { type DayContext, type DayStop, type DayTimes, type DayWorker, latestStart } from "./person-day.ts"

/** What speaks against giving stops to a person. */
export type DayProblem =
  | { kind: "hub"; stopId: string }
  | { kind: "tags"; stopId: string; tags: string[] }
  | { kind: "capacity"; name: string; load: number; max: number }
  | { kind: "late"; stopId: string; seconds: number }
  | { kind: "overlap"; stopId: string; otherId: string }
  | { kind: "shiftStart"; seconds: number }
  | { kind: "shiftEnd"; seconds: number }

/** The problems of a day. Those of finished stops are past. */
export function problemsOf(
  worker: DayWorker,
  stops: readonly DayStop[],
  times: DayTimes,
  context: DayContext,
): DayProblem[] {
  const open = stops.filter(({ isDone }) => !isDone)
  return [
    ...open.flatMap((stop) => misfitsOf(worker, stop)),
    ...loadsOf(worker, stops),
    ...lateStops(stops, times, context),
    ...outsideShift(worker, stops, times),
  ]
}

/** Less than this is no difference that anybody sees. */
const sameSeconds = 60

/** The problems that a change brings: new ones, and those that become worse. */
export function addedProblems(before: readonly DayProblem[], after: readonly DayProblem[]): DayProblem[] {
  const known = new Map(before.map((problem) => [keyOf(problem), problem]))
  return after.filter((problem) => isWorse(problem, known.get(keyOf(problem))))
}

function isWorse(problem: DayProblem, before: DayProblem | undefined): boolean {
  if (!before) return true
  if ("load" in problem && "load" in before) return problem.load > before.load
  return "seconds" in problem && "seconds" in before && problem.seconds >= before.seconds + sameSeconds
}

function keyOf(problem: DayProblem): string {
  const about = "stopId" in problem ? problem.stopId : "name" in problem ? problem.name : ""
  return `${problem.kind} ${about}`
}

/** What is wrong with one stop for this person, whenever they do it. */
function misfitsOf(worker: DayWorker, stop: DayStop): DayProblem[] {
  const missing = stop.tags.filter((tag) => !worker.tags.includes(tag))
  return [
    ...(worker.hubIds === "all" || worker.hubIds.includes(stop.hubId)
      ? []
      : [{ kind: "hub" as const, stopId: stop.id }]),
    ...(worker.hasVehicle && missing.length > 0
      ? [{ kind: "tags" as const, stopId: stop.id, tags: missing }]
      : []),
  ]
}

/** The demands of all stops together, against the vehicle's limits. */
function loadsOf(worker: DayWorker, stops: readonly DayStop[]): DayProblem[] {
  return Object.entries(worker.capacity).flatMap(([name, { max }]) => {
    const load = stops.reduce((sum, { demand }) => sum + (demand[name] ?? 0), 0)
    return load > max ? [{ kind: "capacity" as const, name, load: Math.round(load * 1e6) / 1e6, max }] : []
  })
}

function lateStops(stops: readonly DayStop[], times: DayTimes, { usualMinutes }: DayContext): DayProblem[] {
  return stops.flatMap((stop, index): DayProblem[] => {
    const own = times.stops[index]
    if (!own || stop.isDone || own.late === 0) return []
    const before = stops[index - 1]
    const left = times.stops[index - 1]?.leave
    // Even without any way between them, the one before ends too late.
    if (before && !before.isDone && left !== undefined && left > latestStart(stop, usualMinutes))
      return [{ kind: "overlap", stopId: stop.id, otherId: before.id }]
    return [{ kind: "late", stopId: stop.id, seconds: own.late }]
  })
}

function outsideShift({ shift }: DayWorker, stops: readonly DayStop[], times: DayTimes): DayProblem[] {
  if (!shift || times.end === undefined) return []
  const earliest = Math.min(...stops.filter(({ isDone }) => !isDone).map(({ endTime }) => endTime))
  return [
    ...(earliest < shift.start ? [{ kind: "shiftStart" as const, seconds: shift.start - earliest }] : []),
    ...(times.end > shift.end ? [{ kind: "shiftEnd" as const, seconds: times.end - shift.end }] : []),
  ]
}
