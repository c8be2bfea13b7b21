import { inTransaction, json, type Pool, type Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publishAll } from "#core/events/publish.ts"
import { emitOfTasks, lockExistingTasks } from "../../work/tasks/index.ts"
import type { NewEstimate, PersonEstimates } from "./estimate-people.ts"
import { toWireEstimate } from "./read-estimates.ts"

/** An arrival has changed for a receiver when it moved by so much since the last event. */
export const changedSeconds = 300
/** Around the deadline, so that an estimate that moves by a minute is not late, on time and late again. */
const lateMargin = 120
/** Screens are not notified of less. */
const shownSeconds = 60
/** Minutes before arrival at which an estimate is kept to be compared with the arrival. */
const horizons = [5, 10, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720]

interface Stored {
  taskId: string
  arrival: Temporal.Instant
  publishedArrival: Temporal.Instant
  lateSince: Temporal.Instant | null
}

interface StoreContext {
  sql: Pool
  live: LiveEvents
  now: Temporal.Instant
}

/** Replaces the estimates of these people, and emits what changed for those who wait. */
export async function storeEstimates(
  { sql, live, now }: StoreContext,
  organizationId: string,
  people: readonly PersonEstimates[],
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    const emails = people.map(({ email }) => email).toSorted()
    // Serializes computations of the same people: what is compared below is what was emitted.
    await tx`
      insert into task_estimate_people (organization_id, email, stops, computed_at)
      select ${organizationId}, email, stops, ${now} from json_to_recordset(${JSON.stringify(people)}::text::json)
        as person (email text, stops integer) order by email
      on conflict (organization_id, email) do update set stops = excluded.stops, computed_at = excluded.computed_at`
    const computed = people.flatMap((person) => person.estimates)
    // A task may have been deleted meanwhile: its estimate is left out.
    const existing = await lockExistingTasks(
      tx,
      organizationId,
      computed.map(({ taskId }) => taskId),
    )
    const estimates = computed.filter(({ taskId }) => existing.has(taskId))
    const before = await tx<Stored[]>`
      select task_id, arrival, published_arrival, late_since from task_estimates
      where organization_id = ${organizationId}
        and (email = any (${emails}) or task_id = any (${estimates.map(({ taskId }) => taskId)}))`
    const known = new Map(before.map((row) => [row.taskId, row]))
    const rows = estimates.map((estimate) => ({
      ...estimate,
      ...publishedState(estimate, known.get(estimate.taskId), now),
    }))
    await tx`
      delete from task_estimates where organization_id = ${organizationId} and email = any (${emails})
        and not (task_id = any (${rows.map(({ taskId }) => taskId)}))`
    await writeRows(tx, organizationId, rows, now)
    await writeHistory(tx, organizationId, estimates, now)
    await announce(tx, live, organizationId, { rows, before, now })
  })
}

type Row = NewEstimate & ReturnType<typeof publishedState>

function publishedState(estimate: NewEstimate, before: Stored | undefined, now: Temporal.Instant) {
  const published = before ? before.publishedArrival.epochMilliseconds / 1000 : estimate.arrival
  const isChanged = Math.abs(estimate.arrival - published) >= changedSeconds
  const margin = before?.lateSince ? -lateMargin : lateMargin
  const isLate = estimate.arrival > estimate.deadline + margin
  return {
    isChanged,
    isNewlyLate: isLate && !before?.lateSince,
    publishedArrival: isChanged ? estimate.arrival : published,
    lateSince: isLate ? (before?.lateSince ?? now) : null,
  }
}

async function writeRows(
  tx: Tx,
  organizationId: string,
  rows: readonly Row[],
  now: Temporal.Instant,
): Promise<void> {
  if (rows.length === 0) return
  await tx`
    insert into task_estimates (organization_id, task_id, email, arrival, earliest, latest, stops_before, basis, deadline,
      published_arrival, late_since, computed_at)
    select ${organizationId}, estimate."taskId", estimate.email, to_timestamp(arrival), to_timestamp(earliest),
      to_timestamp(latest), "stopsBefore", basis, to_timestamp(deadline), to_timestamp("publishedArrival"), "lateSince", ${now}
    from jsonb_to_recordset(${json(tx, rows)}::jsonb) as estimate ("taskId" text, email text, arrival float8,
      earliest float8, latest float8, "stopsBefore" integer, basis text, deadline float8, "publishedArrival" float8,
      "lateSince" timestamptz)
    order by estimate."taskId"
    on conflict (organization_id, task_id) do update set email = excluded.email, arrival = excluded.arrival,
      earliest = excluded.earliest, latest = excluded.latest, stops_before = excluded.stops_before, basis = excluded.basis,
      deadline = excluded.deadline, published_arrival = excluded.published_arrival, late_since = excluded.late_since,
      computed_at = excluded.computed_at`
}

/** The first estimate of each horizon: what was promised then. */
async function writeHistory(
  tx: Tx,
  organizationId: string,
  estimates: readonly NewEstimate[],
  now: Temporal.Instant,
): Promise<void> {
  const seconds = now.epochMilliseconds / 1000
  const kept = estimates.flatMap((estimate) => {
    const horizon = horizons.find((minutes) => estimate.arrival - seconds <= minutes * 60)
    return horizon === undefined ? [] : [{ ...estimate, horizon }]
  })
  if (kept.length === 0) return
  await tx`
    insert into task_estimate_history (organization_id, task_id, horizon_minutes, computed_at, arrival, earliest, latest,
      model_arrival, deviation_seconds, stops_before, opens)
    select ${organizationId}, "taskId", horizon, ${now}, to_timestamp(arrival), to_timestamp(earliest), to_timestamp(latest),
      to_timestamp("modelArrival"), deviation, "stopsBefore", to_timestamp(opens)
    from jsonb_to_recordset(${json(tx, kept)}::jsonb) as estimate ("taskId" text, horizon integer, arrival float8,
      earliest float8, latest float8, "modelArrival" float8, deviation real, "stopsBefore" integer, opens float8)
    order by "taskId"
    on conflict do nothing`
}

async function announce(
  tx: Tx,
  live: LiveEvents,
  organizationId: string,
  { rows, before, now }: { rows: readonly Row[]; before: readonly Stored[]; now: Temporal.Instant },
): Promise<void> {
  const known = new Map(before.map((row) => [row.taskId, row]))
  const shown = rows.filter(({ taskId, arrival }) => {
    const last = known.get(taskId)
    return !last || Math.abs(arrival - last.arrival.epochMilliseconds / 1000) >= shownSeconds
  })
  const groups = Map.groupBy(shown, ({ hubId, email }) => `${hubId} ${email}`)
  const estimated = [...groups.values()].map((group) => {
    const [{ hubId, email }] = group as [Row]
    const content = { taskIds: group.map(({ taskId }) => taskId).slice(0, 1000) }
    return { organizationId, hubId, emails: [email], content }
  })
  await publishAll(tx, live, "task.estimated", estimated)
  const fieldsOf = (list: readonly Row[]) => new Map(list.map((row) => [row.taskId, wireOf(row, now)]))
  const [changed, late] = [rows.filter((row) => row.isChanged), rows.filter((row) => row.isNewlyLate)]
  await emitOfTasks(tx, live, "onEtaChanged", organizationId, fieldsOf(changed))
  await emitOfTasks(tx, live, "onTaskLate", organizationId, fieldsOf(late))
}

function wireOf(row: Row, now: Temporal.Instant): object {
  const at = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(Math.round(seconds * 1000))
  return toWireEstimate({
    ...row,
    arrival: at(row.arrival),
    earliest: at(row.earliest),
    latest: at(row.latest),
    isLate: row.lateSince !== null,
    computedAt: now,
  })
}
