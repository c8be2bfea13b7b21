import type { Caller } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import type { PlanProblem, TimeSpan, Visit } from "../../../../../packages/route-optimizer/problem/problem.ts"
import { tidyTimes } from "../../../../../packages/route-optimizer/search/tidy.ts"
import type { RoadSupply } from "../../../location/roads/index.ts"
import { changeTasks, findTasks } from "../../../work/tasks/index.ts"
import { parseClock } from "../clock-time.ts"
import { planInWorker } from "../plan/plan-in-worker.ts"
import { taskIdOf } from "../plan/planned-tasks.ts"
import { findTravel } from "../roads/travel.ts"
import { distanceMatrix, secondsPerMeter } from "../roads/travel-matrix.ts"

export interface OwnVisit {
  id: string
  position: LngLat
  startTime: string | undefined
  endTime: string | undefined
  /** Minutes */
  visitTime: number
}

export interface Reordered {
  status: boolean
  message: string
  _id: string
  orderIndex: number
}

/** km/h of somebody without a known vehicle. */
const usualSpeed = 25
/** A person's list is short; the response is waited for on a phone. */
const roundsPerVisit = 200
const maxMilliseconds = 1500

/** The best open tour from where somebody is now, with windows kept where that is possible. */
export async function bestOrder(
  from: LngLat,
  visits: readonly OwnVisit[],
  {
    organizationId,
    now,
    timeZone,
    roads,
  }: {
    organizationId: string
    now: Temporal.Instant
    timeZone: string
    roads: RoadSupply
  },
): Promise<readonly number[]> {
  const positions = [from, ...visits.map(({ position }) => position)]
  const travel = await findTravel(
    positions,
    { autoSpeed: false, avoidToll: false, defaultSpeed: usualSpeed },
    roads,
    AbortSignal.timeout(10_000),
  )
  const distances = travel.matrices?.distances ?? distanceMatrix(positions)
  const { hour, minute, second } = now.toZonedDateTimeISO(timeZone)
  const start = hour * 3600 + minute * 60 + second
  const problem: PlanProblem = {
    locationCount: positions.length,
    distances,
    durations: distances,
    dimensions: 0,
    visits: visits.map((visit, index) => visitOf(visit, index + 1)),
    vehicles: [
      {
        id: "me",
        startLocation: 0,
        endLocation: null,
        shift: [start, start + 24 * 3600],
        breaks: [],
        capacity: [],
        minimumLoad: [],
        tags: [],
        fixedCost: 0,
        distanceCost: 1,
        durationFactor: secondsPerMeter(usualSpeed),
        maxTrips: 1,
      },
    ],
    objective: { kind: "lexicographic" },
  }
  const budget = { rounds: roundsPerVisit * visits.length, milliseconds: maxMilliseconds }
  const outcome = await planInWorker(
    { kind: "order", request: { problem: tidyTimes(problem) }, seed: 1, budget },
    { organizationId },
  )
  return outcome.kind === "order" ? outcome.order : []
}

function visitOf({ id, startTime, endTime, visitTime }: OwnVisit, location: number): Visit {
  const [open, close] = [startTime, endTime].map((text) =>
    text === undefined ? undefined : parseClock(text),
  )
  const windows: TimeSpan[] =
    open === undefined && close === undefined ? [] : [[open ?? 0, close ?? 24 * 3600 - 1]]
  return { id, location, serviceSeconds: visitTime * 60, windows, demand: [], tags: [] }
}

/** Writes the order to the tasks; a visit that is not a task of the caller is reported and changes nothing. */
export async function writeOrder(
  tx: Tx,
  caller: Caller,
  visits: readonly OwnVisit[],
  order: readonly number[],
  { now, live }: { now: Temporal.Instant; live: LiveEvents },
): Promise<Reordered[]> {
  const seconds = Math.floor(now.epochMilliseconds / 1000)
  const requests = order.flatMap((index, place) => {
    const visit = visits[index]
    return visit
      ? [{ taskId: taskIdOf(visit.id) ?? visit.id, orderIndex: Number(`${seconds}${place + 1}`) }]
      : []
  })
  const known = await ownTasks(
    tx,
    caller,
    requests.map(({ taskId }) => taskId),
  )
  const changed = await changeTasks(
    tx,
    caller,
    requests.map(({ taskId, orderIndex }) => ({ taskId, kind: "patch" as const, patch: { orderIndex } })),
    { now, live },
  )
  return requests.map(({ taskId, orderIndex }, index): Reordered => {
    const outcome = changed[index]
    const isDone = outcome !== undefined && "task" in outcome
    const message = isDone
      ? "Success"
      : known.has(taskId)
        ? (outcome?.refusal.message ?? "")
        : "This task does not exist"
    return { status: isDone, message, _id: taskId, orderIndex }
  })
}

async function ownTasks(sql: Sql, caller: Caller, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await findTasks(sql, caller, ids)).map(({ id }) => id))
}
