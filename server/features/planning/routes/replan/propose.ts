import type { Caller } from "#core/access/caller.ts"
import { json, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { latestPositions } from "../../../location/positions/index.ts"
import type { RoadSupply } from "../../../location/roads/index.ts"
import { findHub } from "../../../organization/hubs/index.ts"
import { findTasks } from "../../../work/tasks/index.ts"
import { type EditContext, lockDone, replaceRouting } from "../adjust/edit-result.ts"
import { parseClock } from "../clock-time.ts"
import { dispatchResult } from "../dispatch/dispatch.ts"
import { resultErrors } from "../errors.ts"
import { taskIdOf } from "../plan/planned-tasks.ts"
import type { RunInput } from "../plan/run-input.ts"
import { findInput, findResult, type ResultRow, updateInput } from "../queries.ts"
import { readVisits } from "../read-entries.ts"
import type { Routing } from "../result-schemas.ts"
import { changesOf, type ProposalChanges } from "./proposal-changes.ts"
import { type ReplanInputs, replanRoutes } from "./replan-plan.ts"
import type { ReplanBody } from "./replan-schemas.ts"
import { type RunningRoute, runningRoutes } from "./running-routes.ts"

export interface Proposal {
  id: Id<"proposal">
  resultId: string
  status: "open" | "accepted"
  changes: ProposalChanges
  isAcceptedByRule: boolean
  createdTime: Temporal.Instant
  acceptedTime: Temporal.Instant | null
}

interface StoredProposal extends Proposal {
  baseTime: Temporal.Instant
  routing: Routing
  input: RunInput
}

export interface ProposeContext extends EditContext {
  roads: RoadSupply
  /** Aborted: nobody waits for the proposal any more. */
  signal: AbortSignal
}

/** Computes what the plan becomes from now on after what happened, and keeps it as a proposal. Nothing changes yet. */
export async function propose(
  sql: Sql,
  caller: Caller,
  resultId: string,
  body: ReplanBody,
  { now, roads, signal }: ProposeContext,
): Promise<Proposal> {
  const row = await findResult(sql, caller, resultId)
  if (!row) throw resultErrors.notFound()
  if (row.status !== "done") throw resultErrors.notDone()
  const input = await findInput(sql, caller.organizationId, row.id)
  if (!input) throw resultErrors.noPlan()
  if (input.subHubs.length > 0)
    throw resultErrors.badInput({ message: "Plans with sub-hubs cannot be planned again during the day" })
  const running = await readRunning(sql, caller, row, now)
  const inputs = readInputs(input, row, body)
  const { organizationId } = caller
  const plan = await replanRoutes(input, row.result, running, { organizationId, inputs, roads, signal })
  const proposal = {
    id: newId<"proposal">(),
    resultId: row.id,
    status: "open" as const,
    changes: changesOf(row.result, plan),
    isAcceptedByRule: false,
    createdTime: now,
    acceptedTime: null,
  }
  await sql`
    insert into routing_proposals (organization_id, id, result_id, base_time, status, routing, input, changes, created_by, created_time)
    values (${caller.organizationId}, ${proposal.id}, ${row.id}, ${row.updatedTime}, 'open', ${json(sql, plan.routing)},
      ${json(sql, plan.input)}, ${json(sql, proposal.changes)}, ${caller.email}, ${now})`
  return proposal
}

async function readRunning(
  sql: Sql,
  caller: Caller,
  row: ResultRow,
  now: Temporal.Instant,
): Promise<RunningRoute[]> {
  const hub = await findHub(sql, caller, row.hubId)
  const midnight = Temporal.PlainDate.from(row.routingDate)
    .toZonedDateTime(hub?.timeZone ?? caller.timeZone)
    .toInstant()
  const ids = row.result.routing.flatMap(({ trips }) =>
    trips.flatMap(({ visitId }) => taskIdOf(visitId) ?? []),
  )
  const emails = row.result.routing.flatMap(({ assignee }) => assignee || [])
  const [tasks, seen] = await Promise.all([
    findTasks(sql, caller, [...new Set(ids)]),
    latestPositions(sql, caller.organizationId, [...new Set(emails)]),
  ])
  const recent = seen.filter(
    ({ createdTime }) => now.epochMilliseconds - Date.parse(`${createdTime.replace(" ", "T")}Z`) < 3_600_000,
  )
  return runningRoutes(row.result, {
    now: (now.epochMilliseconds - midnight.epochMilliseconds) / 1000,
    midnight,
    tasks: new Map(tasks.map((task) => [task.id as string, task])),
    positions: new Map(
      recent.map(({ email, lat, lon }): [string, LngLat] => [email, [Number(lon), Number(lat)]]),
    ),
  })
}

/** The body against the plan: what it names must be there. */
function readInputs(input: RunInput, { result, dispatchStatus }: ResultRow, body: ReplanBody): ReplanInputs {
  const vehicleOf = (vehicleId: string) => {
    if (input.vehicles.some(({ id }) => id === vehicleId)) return vehicleId
    throw resultErrors.badInput({ message: `Vehicle ${vehicleId} is not in this plan` })
  }
  const known = new Set(input.visits.map(({ id }) => id))
  const visits = readVisits(body.visits ?? [])
  const double = visits.find(({ id }) => known.has(id))
  if (double) throw resultErrors.badInput({ message: `Visit ${double.id} is already in this plan` })
  const placed = new Set([
    ...result.routing.flatMap(({ trips }) => trips.map(({ visitId }) => visitId)),
    ...result.dropped.map((visit) => visit.visitId ?? visit.id),
  ])
  for (const id of [...(body.cancelledVisitIds ?? []), ...(body.pinnedVisitIds ?? [])])
    if (!placed.has(id)) throw resultErrors.badInput({ message: `Visit ${id} is not in this plan` })
  const leaving = (body.goingHome ?? []).map(({ vehicleId, by }) => {
    const end = by === undefined ? undefined : parseClock(by)
    if (by !== undefined && end === undefined)
      throw resultErrors.badInput({ message: `by must be a time such as 15:30, not ${by}` })
    return { vehicleId: vehicleOf(vehicleId), end }
  })
  return {
    visits,
    isDispatched: dispatchStatus !== null,
    cancelledVisitIds: withOtherEnds(input, body.cancelledVisitIds ?? []),
    pinnedVisitIds: new Set(body.pinnedVisitIds ?? []),
    vehiclesOut: new Set([
      ...(body.brokenVehicleIds ?? []).map(vehicleOf),
      ...leaving.flatMap(({ vehicleId, end }) => (end === undefined ? vehicleId : [])),
    ]),
    endTimes: new Map(leaving.flatMap(({ vehicleId, end }) => (end === undefined ? [] : [[vehicleId, end]]))),
    delaySeconds: new Map(
      (body.delays ?? []).map(({ vehicleId, minutes }) => [vehicleOf(vehicleId), minutes * 60]),
    ),
  }
}

/** Without its pickup a delivery has no goods, and without its delivery a pickup no purpose. */
function withOtherEnds({ visits }: RunInput, cancelled: readonly string[]): Set<string> {
  const ids = new Set(cancelled)
  for (const { id, pickupVisitId } of visits) {
    if (pickupVisitId === undefined) continue
    if (ids.has(pickupVisitId)) ids.add(id)
    else if (ids.has(id)) ids.add(pickupVisitId)
  }
  return ids
}

/**
 * Puts a proposal in the place of the plan, under the lock of the result: once, however often it is asked for, and not after
 * another change of the plan. A dispatched plan is dispatched again in the same transaction.
 */
export async function acceptProposal(
  tx: Tx,
  caller: Caller,
  {
    resultId,
    proposalId,
    ifMatch,
    isByRule,
  }: { resultId: string; proposalId: string; ifMatch: string | undefined; isByRule: boolean },
  context: EditContext,
): Promise<{ row: ResultRow; proposal: Proposal }> {
  const row = await lockDone(tx, caller, resultId)
  const proposal = await findProposal(tx, caller, row.id, proposalId)
  if (!proposal) throw resultErrors.proposalNotFound()
  if (proposal.status === "accepted") return { row, proposal }
  if (ifMatch !== undefined && ifMatch.replaceAll('"', "") !== String(row.currentVersion))
    throw resultErrors.staleVersion()
  if (Temporal.Instant.compare(row.updatedTime, proposal.baseTime) !== 0)
    throw resultErrors.changedMeanwhile()
  await updateInput(tx, row, proposal.input)
  const after = await replaceRouting(tx, caller, row, proposal.routing, context)
  await tx`
    update routing_proposals set status = 'accepted', accepted_by = ${caller.email}, accepted_time = ${context.now},
      is_accepted_by_rule = ${isByRule}
    where organization_id = ${caller.organizationId} and id = ${proposal.id}`
  if (row.dispatchStatus !== null) await dispatchResult(tx, caller, row.id, context)
  return {
    row: after,
    proposal: { ...proposal, status: "accepted", isAcceptedByRule: isByRule, acceptedTime: context.now },
  }
}

export async function findProposal(
  sql: Sql,
  caller: Caller,
  resultId: string,
  proposalId: string,
): Promise<StoredProposal | undefined> {
  const rows = await sql<StoredProposal[]>`
    select id, result_id, status, base_time, routing, input, changes, is_accepted_by_rule, created_time, accepted_time from routing_proposals
    where organization_id = ${caller.organizationId} and result_id = ${resultId} and id = ${proposalId.toLowerCase()}`
  return rows[0]
}

/** Whether a proposal is small enough to be accepted without a person. */
export function isWithin(
  { summary }: ProposalChanges,
  limits: NonNullable<ReplanBody["acceptWithin"]>,
): boolean {
  const { movedVisits, minutes, newlyLateVisits, newlyDroppedVisits, newlyBrokenPromises } = summary
  return (
    movedVisits <= (limits.movedVisits ?? 0) &&
    minutes <= (limits.minutes ?? 0) &&
    newlyLateVisits <= (limits.lateVisits ?? 0) &&
    newlyDroppedVisits <= (limits.droppedVisits ?? 0) &&
    newlyBrokenPromises <= (limits.brokenPromises ?? 0)
  )
}
