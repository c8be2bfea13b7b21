import { type Caller, hasHub } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { entryReader } from "#core/http/validation.ts"
import { newId } from "#core/ids.ts"
import { findUser } from "../../people/users/index.ts"
import { findFlow } from "../flows/index.ts"
import { createTasks, findWritten, insertActivity, TaskBody, type TaskRow } from "../tasks/index.ts"
import { findWorkflow, mappedBody, type WorkflowRow } from "../workflows/index.ts"

export interface ActivityBody {
  workflowId: string
  hubId?: string
  tasks: unknown[]
}

const readTask = entryReader(TaskBody, "activ")

/**
 * Makes an activity: a task for each step of its workflow, in order, and one task that stands for the whole.
 * All or nothing: the first step that is refused refuses the activity.
 */
export async function createActivity(
  tx: Tx,
  caller: Caller,
  body: ActivityBody,
  context: { now: Temporal.Instant; live: LiveEvents },
): Promise<TaskRow> {
  const workflow = await findWorkflow(tx, caller, body.workflowId)
  if (!workflow) throw workflowNotFound(404, "This workflow does not exist")
  if (body.tasks.length !== workflow.steps.length)
    throw workflowNotFound(400, `The workflow has ${workflow.steps.length} steps: send as many tasks`)
  const id = newId<"task">(context.now.epochMilliseconds)
  const bodies = await readBodies(tx, caller, workflow, body)
  const outcomes = await createTasks(tx, caller, bodies, {
    ...context,
    parent: { taskType: "activityChild", parentId: id },
  })
  const steps = outcomes.map((outcome) => {
    if ("refusal" in outcome) throw outcome.refusal
    return outcome.task
  })
  const hubId = body.hubId?.toLowerCase() ?? steps[0]?.hubId
  if (!hubId || !hasHub(caller, hubId) || !(await hubExists(tx, caller, hubId)))
    throw new AppError(400, "activ-032", "This hub does not exist, or you do not have access to it")
  await insertActivity(
    tx,
    caller,
    {
      id,
      hubId: hubId as TaskRow["hubId"],
      steps,
      createdFrom: steps[0]?.createdFrom ?? "API",
      workflow: {
        _id: workflow.id,
        name: workflow.name,
        organizationId: workflow.organizationId,
        steps: workflow.steps,
        customStatuses: workflow.customStatuses,
      },
    },
    context,
  )
  const [made] = await findWritten(tx, caller, [id])
  if (!made) throw new Error("An activity disappeared in the transaction that created it")
  return made
}

/** One public code stands for a workflow that is unknown and for one that the tasks do not fit. */
function workflowNotFound(status: 400 | 404, message: string): AppError {
  return new AppError(status, "ACTIV_WORKFLOW_NOT_FOUND", message)
}

/** The flow of a task is its step's; the hub is the activity's unless the task has its own. */
async function readBodies(
  tx: Tx,
  caller: Caller,
  workflow: WorkflowRow,
  body: ActivityBody,
): Promise<TaskBody[]> {
  const sent = body.tasks.map((task) => (typeof task === "object" && task !== null ? { ...task } : {}))
  const bodies: TaskBody[] = []
  for (const step of workflow.steps) {
    const flow = await findFlow(tx, caller, step.flowId)
    const filled = mappedBody(workflow.steps, step.order, sent)
    if (filled.assignee === undefined && step.assigneeId !== null) {
      const person = await findUser(tx, caller, step.assigneeId)
      if (person) filled.assignee = [person.email]
    }
    bodies.push(readTask({ ...filled, hubId: filled.hubId ?? body.hubId, flow: flow?.name ?? step.flowName }))
  }
  return bodies
}

async function hubExists(tx: Tx, caller: Caller, hubId: string): Promise<boolean> {
  const rows =
    await tx`select 1 from hubs where organization_id = ${caller.organizationId} and id = ${hubId} for key share`
  return rows.length > 0
}
