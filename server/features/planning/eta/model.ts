import { json, type Sql } from "#core/database/database.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import {
  type Calibration,
  type CalibrationSample,
  type Duration,
  type DurationModel,
  emptyModel,
  learnCalibration,
  learnDurations,
  uncalibrated,
} from "../../../../packages/arrival-estimates/index.ts"
import { secondsAt, type usedSpeeds } from "../../location/roads/index.ts"
import { type FlowRow, listEveryFlow } from "../../work/flows/index.ts"
import { type FinishedStop, finishedStops } from "../../work/tasks/index.ts"
import { visitOfTask } from "../routes/index.ts"
import type { LegTime } from "./leg-times.ts"

/** What was learned of an organization. The kind of a visit is its flow, that of a leg its basis. */
export interface Model {
  service: DurationModel
  travel: DurationModel
  calibration: Calibration
  /** Whether `travel` compares with road times at the organization's own speeds. */
  hasSpeeds?: boolean
}

export const untrained: Model = {
  service: emptyModel(0.6),
  travel: emptyModel(0.25),
  calibration: uncalibrated,
}

const daysLearned = 60
const maxVisits = 10_000
const maxLegs = 1_500
const maxSamples = 30_000
/** Longer, and there was a break or something else between two visits. */
const longestLegSeconds = 2 * 3600
export const defaultServiceSeconds = 600

export async function readModel(sql: Sql, organizationId: string, hasSpeeds: boolean): Promise<Model> {
  const rows = await sql<{ model: Model }[]>`
    select model from task_estimate_models where organization_id = ${organizationId}`
  const model = rows[0]?.model ?? untrained
  // Factors on the usual speeds would count twice on top of the organization's own, until the next night.
  return (model.hasSpeeds ?? false) === hasSpeeds ? model : { ...model, travel: untrained.travel }
}

/** Organizations with estimates that have not learned for a day. */
export async function listDue(sql: Sql, now: Temporal.Instant): Promise<string[]> {
  const rows = await sql<{ organizationId: string }[]>`
    select distinct people.organization_id from task_estimate_people people
    left join task_estimate_models models on models.organization_id = people.organization_id
    where people.computed_at > ${now.subtract({ hours: 48 })}
      and (models.learned_at is null or models.learned_at < ${now.subtract({ hours: 20 })})`
  return rows.map(({ organizationId }) => organizationId)
}

export interface Learning {
  now: Temporal.Instant
  speeds: Awaited<ReturnType<typeof usedSpeeds>>
  timeZone: string
  legTimes(places: readonly LngLat[]): Promise<LegTime[]>
}

/** Learns from the finished visits and the earlier estimates of an organization, and stores what it learned. */
export async function learnModel(sql: Sql, organizationId: string, learning: Learning): Promise<Model> {
  const { now } = learning
  const since = now.subtract({ hours: 24 * daysLearned })
  const [visits, flows, samples] = await Promise.all([
    finishedStops(sql, organizationId, since, maxVisits),
    listEveryFlow(sql, { organizationId } as Parameters<typeof listEveryFlow>[1]),
    listSamples(sql, organizationId),
  ])
  const flowOf = new Map<string, FlowRow>(flows.map((flow) => [flow.id, flow]))
  const model: Model = {
    service: learnDurations(
      visits.map((visit) => serviceOf(visit, flowOf.get(visit.flowId), learning)),
      untrained.service,
    ),
    travel: learnDurations(await legsOf(visits, learning), untrained.travel),
    calibration: learnCalibration(samples),
    hasSpeeds: learning.speeds !== undefined,
  }
  await sql`
    insert into task_estimate_models (organization_id, model, learned_at) values (${organizationId}, ${json(sql, model)}, ${now})
    on conflict (organization_id) do update set model = excluded.model, learned_at = excluded.learned_at`
  return model
}

function listSamples(sql: Sql, organizationId: string): Promise<CalibrationSample[]> {
  return sql<CalibrationSample[]>`
    select extract(epoch from greatest(arrived_at, opens) - model_arrival)::float8 / deviation_seconds as error,
      stops_before, extract(epoch from model_arrival - computed_at)::float8 as horizon
    from task_estimate_history
    where organization_id = ${organizationId} and arrived_at is not null and deviation_seconds > 0
    order by computed_at desc limit ${maxSamples}`
}

/** Seconds on site that a task's flow asks for. */
export function plannedService(task: Pick<FinishedStop, "id" | "values">, flow: FlowRow | undefined): number {
  const visit = visitOfTask({ ...task, title: null, content: null, lng: null, lat: null }, flow?.pages ?? [])
  return visit.visitTime === null || visit.visitTime === 0 ? defaultServiceSeconds : visit.visitTime * 60
}

export function hourAt(time: Temporal.Instant, timeZone: string): number {
  return time.toZonedDateTimeISO(timeZone).hour
}

function serviceOf(visit: FinishedStop, flow: FlowRow | undefined, { timeZone }: Learning): Duration {
  return {
    kind: visit.flowId,
    worker: visit.email,
    hour: hourAt(visit.arrivedTime, timeZone),
    expected: plannedService(visit, flow),
    actual: secondsBetween(visit.arrivedTime, visit.leftTime),
  }
}

async function legsOf(
  visits: readonly FinishedStop[],
  { timeZone, speeds, legTimes }: Learning,
): Promise<Duration[]> {
  const legs: Duration[] = []
  for (const own of Map.groupBy(visits, ({ email }) => email).values()) {
    const inOrder = own.toSorted(
      (one, other) => one.arrivedTime.epochMilliseconds - other.arrivedTime.epochMilliseconds,
    )
    for (const [index, to] of inOrder.entries()) {
      const from = inOrder[index - 1]
      if (!from || legs.length >= maxLegs) continue
      const actual = secondsBetween(from.leftTime, to.arrivedTime)
      if (actual <= 0 || actual > longestLegSeconds) continue
      const [leg] = await legTimes([
        [from.lng, from.lat],
        [to.lng, to.lat],
      ])
      const expected = leg ? secondsAt(leg, speeds, from.leftTime) : 0
      if (leg && expected > 30)
        legs.push({
          kind: leg.basis,
          worker: to.email,
          hour: hourAt(from.leftTime, timeZone),
          expected,
          actual,
        })
    }
  }
  return legs
}

function secondsBetween(from: Temporal.Instant, to: Temporal.Instant): number {
  return (to.epochMilliseconds - from.epochMilliseconds) / 1000
}
