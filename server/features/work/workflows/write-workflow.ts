import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { databaseErrorOf, json, type Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import { newId } from "#core/ids.ts"
import { findUser } from "../../people/users/index.ts"
import { type FlowRow, findFlow, isRequired } from "../flows/index.ts"
import { titleOf } from "../tasks/index.ts"
import { duplicateName, workflowErrors } from "./errors.ts"
import { judgeMappings } from "./mappings.ts"
import { findWorkflow, type WorkflowRow } from "./queries.ts"
import type { Step, WorkflowBody, WorkflowPatch } from "./schemas.ts"

export interface Change {
  live: LiveEvents
  address: string
}

export async function createWorkflow(
  tx: Tx,
  caller: Caller,
  body: WorkflowBody,
  change: Change,
): Promise<WorkflowRow> {
  const id = newId<"workflow">()
  const statuses = settleStatuses(body.customStatuses ?? [])
  const steps = await settleSteps(tx, caller, body.steps, statuses)
  await refuseTakenName(
    tx,
    (step) => step`
    insert into workflows (organization_id, id, name, steps, custom_statuses, created_by, updated_by)
    values (${caller.organizationId}, ${id}, ${body.name.trim()}, ${json(step, steps)}, ${json(step, statuses)},
      ${caller.email}, ${caller.email})`,
  )
  const made = await findWorkflow(tx, caller, id)
  if (!made) throw new Error("a workflow vanished in the transaction that made it")
  await note(tx, caller, "create", made, change)
  return made
}

export async function updateWorkflow(
  tx: Tx,
  caller: Caller,
  id: string,
  patch: WorkflowPatch,
  change: Change,
): Promise<WorkflowRow> {
  const before = await findWorkflow(tx, caller, id)
  if (!before) throw workflowErrors.notFound()
  const statuses = patch.customStatuses ? settleStatuses(patch.customStatuses) : before.customStatuses
  const steps = patch.steps ? await settleSteps(tx, caller, patch.steps, statuses) : before.steps
  await refuseTakenName(
    tx,
    (step) => step`
    update workflows set name = ${patch.name?.trim() ?? before.name}, steps = ${json(step, steps)},
      custom_statuses = ${json(step, statuses)}, updated_by = ${caller.email}, updated_time = now()
    where organization_id = ${caller.organizationId} and id = ${before.id}`,
  )
  const after = await findWorkflow(tx, caller, before.id)
  if (!after) throw workflowErrors.notFound()
  await note(tx, caller, "update", after, change, before)
  return after
}

/** Removes a workflow for good; its activities stay. */
export async function deleteWorkflow(
  tx: Tx,
  caller: Caller,
  id: string,
  change: Change,
): Promise<WorkflowRow> {
  const workflow = await findWorkflow(tx, caller, id)
  if (!workflow) throw workflowErrors.notFound()
  await tx`delete from workflows where organization_id = ${caller.organizationId} and id = ${workflow.id}`
  await note(tx, caller, "delete", workflow, change, workflow)
  return workflow
}

function settleStatuses(statuses: readonly { name: string; isDefault?: boolean }[]) {
  if (new Set(statuses.map(({ name }) => name)).size < statuses.length)
    throw workflowErrors.invalid({ message: "Two statuses have the same name" })
  return statuses.map(({ name, isDefault = false }) => ({ name, isDefault }))
}

async function settleSteps(
  tx: Tx,
  caller: Caller,
  bodies: WorkflowBody["steps"],
  statuses: readonly { name: string }[],
): Promise<Step[]> {
  const steps: Step[] = []
  for (const [order, body] of bodies.entries()) {
    const flow = await findFlow(tx, caller, body.flowId)
    if (!flow) throw workflowErrors.invalid({ message: `Step ${order + 1}: the flow does not exist` })
    if (steps.some((step) => step.flowId === flow.id))
      throw workflowErrors.invalid({ message: `Step ${order + 1}: the flow ${flow.name} is used twice` })
    const assigneeId = body.assigneeId || null
    if (assigneeId !== null && !(await findUser(tx, caller, assigneeId)))
      throw workflowErrors.invalid({ message: `Step ${order + 1}: the user does not exist` })
    const statusMapping = body.statusMapping || null
    const names = statuses.length > 0 ? statuses.map(({ name }) => name) : ["Unassigned", "Ongoing", "Done"]
    if (statusMapping !== null && !names.includes(statusMapping))
      throw workflowErrors.invalid({
        message: `Step ${order + 1}: the status ${statusMapping} does not exist`,
      })
    const step = { flowId: flow.id, flowName: flow.name, order, fieldSchema: fieldsOf(flow) }
    steps.push({ ...step, assigneeId, statusMapping, fieldMappings: body.fieldMappings ?? [] })
  }
  for (const [index, step] of steps.entries()) {
    const [problem] = judgeMappings(steps, index, step.fieldMappings).errors
    if (problem) throw workflowErrors.invalid({ message: `Step ${index + 1}: ${problem}` })
  }
  return steps
}

function fieldsOf(flow: FlowRow): Step["fieldSchema"] {
  const components = flow.pages.flatMap((page) => page.components)
  return components
    .filter(({ component }) => component !== "view")
    .map((component) => ({
      id: component.id,
      title: titleOf(component),
      component: component.component,
      type: component.type ?? null,
      required: isRequired(component),
    }))
}

async function refuseTakenName(tx: Tx, write: (step: Tx) => Promise<unknown>): Promise<void> {
  try {
    await tx.savepoint((step) => write(step))
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "workflows_name") throw duplicateName(error)
    throw error
  }
}

async function note(
  tx: Tx,
  caller: Caller,
  verb: string,
  row: WorkflowRow,
  change: Change,
  before?: WorkflowRow,
) {
  const settings = ({ name, steps, customStatuses }: WorkflowRow) => ({ name, steps, customStatuses })
  await audit(tx, actorOf(caller, change.address), {
    action: `workflow.${verb}`,
    targetType: "workflow",
    targetId: row.id,
    targetName: row.name,
    before: before && settings(before),
    after: verb === "delete" ? undefined : settings(row),
  })
  const { organizationId } = caller
  await publish(tx, change.live, "workflow.changed", { organizationId, content: { workflowId: row.id } })
}
