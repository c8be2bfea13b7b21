import { Type } from "typebox"
import { systemCaller } from "#core/access/system-caller.ts"
import { inTransaction, type Sql, type Tx, unlessAway } from "#core/database/database.ts"
import { defineJob, type Job, type JobContext } from "#core/jobs/define-job.ts"
import { type FlowRow, findFlow } from "../../../work/flows/index.ts"
import { createTasks, type TaskBody } from "../../../work/tasks/index.ts"
import { type PlanRow, plansOn } from "./queries.ts"
import { dayIn } from "./today.ts"

const organizationsAtOnce = 50
const plansAtOnce = 500

/** Creates the tasks of plans that are due: one of each, until it is done. */
const createDueTasks = defineJob({
  name: "fleet.create-due-tasks",
  payload: Type.Object({}),
  maxAttempts: 1,
  timeoutSeconds: 300,
  cron: "*/10 * * * *",
  async handle(context) {
    const { sql, signal, log } = context
    for (let after = ""; !signal.aborted; ) {
      const ids = await organizationsWithFlows(sql, after)
      for (const organizationId of ids) {
        if (signal.aborted) return
        await createTasksOf(context, organizationId).catch(
          unlessAway((error) =>
            log.error({ organizationId, reason: String(error) }, "maintenance tasks could not be created"),
          ),
        )
      }
      after = ids.at(-1) ?? ""
      if (ids.length < organizationsAtOnce) return
    }
  },
})

export const maintenanceJobs: readonly Job[] = [createDueTasks]

const isWaiting = (sql: Sql) =>
  sql`is_active and flow_id is not null and task_id is null and task_problem is null`

async function organizationsWithFlows(sql: Sql, after: string): Promise<string[]> {
  const rows = await sql<{ organizationId: string }[]>`
    select distinct organization_id from maintenance_plans where ${isWaiting(sql)} and organization_id > ${after}
    order by 1 limit ${organizationsAtOnce}`
  return rows.map(({ organizationId }) => organizationId)
}

async function createTasksOf(context: JobContext, organizationId: string): Promise<void> {
  const { sql, clock } = context
  const today = await dayIn(sql, organizationId, clock.now())
  const due = await sql<PlanRow[]>`
    select plans.* from ${plansOn(sql, organizationId, today)}
    where ${isWaiting(sql)} and state <> 'ok' order by id limit ${plansAtOnce}`
  for (const plan of due) await inTransaction(sql, (tx) => createTask(tx, plan, context))
}

/** The task of a plan, in the transaction that notes it with the plan: never two. */
async function createTask(tx: Tx, plan: PlanRow, { clock, live }: JobContext): Promise<void> {
  const { organizationId, id } = plan
  const rows = await tx`
    select from maintenance_plans where organization_id = ${organizationId} and id = ${id} and ${isWaiting(tx)}
    for update skip locked`
  if (rows.length === 0) return
  const caller = systemCaller(organizationId, { email: "System", name: "System" })
  const flow = await findFlow(tx, caller, plan.flowId ?? "")
  const made = flow ? await attempt(flow) : { refusal: "Its flow does not exist" }
  await tx`
    update maintenance_plans set task_id = ${"id" in made ? made.id : null},
      task_problem = ${"id" in made ? null : made.refusal.slice(0, 500)}
    where organization_id = ${organizationId} and id = ${id}`

  async function attempt(known: FlowRow): Promise<{ id: string } | { refusal: string }> {
    const people = plan.driver ? [[plan.driver], []] : [[]]
    let refusal = ""
    // A driver who may not do tasks of the hub leaves the task to somebody else.
    for (const assignee of people) {
      const body = { ...taskOf(plan, known), assignee }
      const [created] = await createTasks(tx, caller, [body as TaskBody], { now: clock.now(), live })
      if (created && "task" in created) return { id: created.task.id }
      refusal = created?.refusal.message ?? "The task could not be created"
    }
    return { refusal }
  }
}

/** What is due goes where the flow shows titles. */
function taskOf({ subject, name, hubId }: PlanRow, flow: FlowRow) {
  const title = `${subject}: ${name}`
  const values = (flow.pages[0]?.components ?? []).flatMap(({ id, component, showAs, type }) =>
    component === "input" && showAs === "title" && (type ?? "String") === "String" ? [[id, title]] : [],
  )
  return { flow: flow.name, hubId, createdFrom: "SCHEDULER", ...Object.fromEntries(values) }
}
