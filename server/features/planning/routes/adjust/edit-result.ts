import type { Caller } from "#core/access/caller.ts"
import { json, type Sql, type Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import { newId } from "#core/ids.ts"
import { moveToTrash } from "#core/trash.ts"
import { resultErrors } from "../errors.ts"
import { lockResult, type ResultRow } from "../queries.ts"
import type { Routing, Summary } from "../result-schemas.ts"
import { compareVersions, type Edit } from "../results/compare-versions.ts"
import { assigneesOf, dimensionsOf, summarize } from "../results/summarize.ts"

export interface EditContext {
  now: Temporal.Instant
  live: LiveEvents
  createdFrom: "WEB" | "API"
}

/** The result locked, when it can be changed by hand. */
export async function lockDone(tx: Tx, caller: Caller, resultId: string): Promise<ResultRow> {
  const row = await lockResult(tx, caller, resultId)
  if (!row) throw resultErrors.notFound()
  if (row.status !== "done") throw resultErrors.notDone()
  return row
}

/** Puts another plan in the place of the present one; a difference in vehicles or order is a new version. */
export async function replaceRouting(
  tx: Tx,
  caller: Caller,
  row: ResultRow,
  routing: Routing,
  context: EditContext,
): Promise<ResultRow> {
  const summary = summarize(routing, dimensionsIn(row, routing))
  const edit = compareVersions(row.result, routing, caller.name)
  const version = edit
    ? await insertVersion(tx, caller, row, { ...edit, routing, summary }, context)
    : row.currentVersion
  return writeState(tx, caller, row, { routing, summary, version }, context)
}

/** The state of a version; 0 is what the plan was at first. */
export async function restoreVersion(
  tx: Tx,
  caller: Caller,
  row: ResultRow,
  version: number,
  context: EditContext,
): Promise<ResultRow> {
  const state = await findVersion(tx, caller, row, version)
  if (!state) throw resultErrors.notFound({ message: "This version of the result does not exist" })
  if (version === row.currentVersion) return row
  return writeState(tx, caller, row, { ...state, version }, context)
}

/** Back to the first plan, which is recorded in an entry of its own. */
export async function resetResult(
  tx: Tx,
  caller: Caller,
  row: ResultRow,
  context: EditContext,
): Promise<ResultRow> {
  const state = await findVersion(tx, caller, row, 0)
  if (!state) throw resultErrors.notFound({ message: "The first version of this result does not exist" })
  const entry = {
    action: "reset" as const,
    createdType: "reset" as const,
    visits: [],
    vehicleFrom: "",
    vehicleTo: "",
    description: `Reset to the first plan by ${caller.name}`,
  }
  await insertVersion(tx, caller, row, { ...entry, ...state }, context)
  return writeState(tx, caller, row, { ...state, version: 0 }, context)
}

export async function renameResult(
  tx: Tx,
  caller: Caller,
  row: ResultRow,
  name: string,
  { now, live }: EditContext,
): Promise<ResultRow> {
  await tx`
    update routing_results set name = ${name}, updated_time = ${now}
    where organization_id = ${caller.organizationId} and id = ${row.id}`
  return readAnew(tx, caller, row, live)
}

/** To the trash, versions included. Tasks that were dispatched stay as they are. */
export async function deleteResult(tx: Tx, caller: Caller, row: ResultRow, live: LiveEvents): Promise<void> {
  const { organizationId } = caller
  const [found] = await tx<{ content: unknown }[]>`
    select jsonb_build_object('result', to_jsonb(routing_results), 'histories', (
      select coalesce(jsonb_agg(to_jsonb(h) order by version), '[]') from routing_result_histories h
      where h.organization_id = routing_results.organization_id and h.result_id = routing_results.id)) as content
    from routing_results where organization_id = ${organizationId} and id = ${row.id}`
  await moveToTrash(tx, caller, [
    { type: "Routing Result", name: row.name, sourceId: row.id, hubId: row.hubId, content: found?.content },
  ])
  await tx`delete from routing_results where organization_id = ${organizationId} and id = ${row.id}`
  await publish(tx, live, "routing.changed", {
    organizationId,
    hubId: row.hubId,
    content: { resultIds: [row.id] },
  })
}

/** Constraints of the run; for a result from a file, those of its vehicles. */
function dimensionsIn(row: ResultRow, routing: Routing): string[] {
  const { capacityConstraint } = row.configuration
  return capacityConstraint.length > 0 ? capacityConstraint : dimensionsOf(routing)
}

interface State {
  routing: Routing
  summary: Summary
}

/** Routes and sums of a version; undefined where there is none. */
export async function findVersion(
  tx: Sql,
  caller: Caller,
  row: ResultRow,
  version: number,
): Promise<State | undefined> {
  const { organizationId } = caller
  const rows =
    version === 0
      ? await tx<{ result: Routing | null; summary: Summary | null }[]>`
          select original as result, null as summary from routing_results where organization_id = ${organizationId} and id = ${row.id}`
      : await tx<{ result: Routing | null; summary: Summary | null }[]>`
          select result, summary from routing_result_histories
          where organization_id = ${organizationId} and result_id = ${row.id} and version = ${version}`
  const [found] = rows
  if (!found?.result) return undefined
  return {
    routing: found.result,
    summary: found.summary ?? summarize(found.result, dimensionsIn(row, found.result)),
  }
}

async function insertVersion(
  tx: Tx,
  caller: Caller,
  row: ResultRow,
  entry: Omit<Edit, "action" | "createdType"> & State & { action: string; createdType: string },
  { now, createdFrom }: EditContext,
): Promise<number> {
  const [made] = await tx<{ version: number }[]>`
    insert into routing_result_histories (organization_id, result_id, version, id, action, description, visits, vehicle_from,
      vehicle_to, created_from, created_type, created_by, result, summary, created_time)
    select ${caller.organizationId}, ${row.id}, coalesce(max(version), 0) + 1, ${newId()}, ${entry.action}, ${entry.description},
      ${json(tx, entry.visits)}, ${entry.vehicleFrom}, ${entry.vehicleTo}, ${createdFrom}, ${entry.createdType}, ${caller.name},
      ${json(tx, entry.routing)}, ${json(tx, entry.summary)}, ${now}
    from routing_result_histories where organization_id = ${caller.organizationId} and result_id = ${row.id}
    returning version`
  return made?.version ?? row.currentVersion
}

async function writeState(
  tx: Tx,
  caller: Caller,
  row: ResultRow,
  { routing, summary, version }: State & { version: number },
  { now, live }: EditContext,
): Promise<ResultRow> {
  await tx`
    update routing_results set result = ${json(tx, routing)}, summary = ${json(tx, summary)}, current_version = ${version},
      assignees = ${assigneesOf(routing)}, updated_time = ${now}
    where organization_id = ${caller.organizationId} and id = ${row.id}`
  return readAnew(tx, caller, row, live)
}

async function readAnew(tx: Tx, caller: Caller, row: ResultRow, live: LiveEvents): Promise<ResultRow> {
  const { organizationId } = caller
  await publish(tx, live, "routing.changed", {
    organizationId,
    hubId: row.hubId,
    content: { resultIds: [row.id] },
  })
  const changed = await lockResult(tx, caller, row.id)
  if (!changed) throw resultErrors.notFound()
  return changed
}
