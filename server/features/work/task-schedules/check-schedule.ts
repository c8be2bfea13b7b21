import { type Caller, hasHub } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { AppError, textsByField } from "#core/errors.ts"
import type { Id } from "#core/ids.ts"
import { parseSchedule } from "#packages/recurrence/parse.ts"
import type { Schedule } from "#packages/recurrence/schedule.ts"
import { findAssignable } from "../../people/users/index.ts"
import { allowedFlowIds, type FlowRow, findFlow, findFlowsByName } from "../flows/index.ts"
import { checkAssignees, readValues, titleOf } from "../tasks/index.ts"
import { scheduleErrors } from "./errors.ts"

/** When the schedule runs, or the refusal with every problem of it. */
export function readRecurrence(body: unknown): Schedule {
  const parsed = parseSchedule(body)
  if (parsed.ok) return parsed.schedule
  const [first] = parsed.problems
  const fields = textsByField(parsed.problems.map(({ field, message }) => ({ field, text: message })))
  throw new AppError(400, first.code, first.message, { fields })
}

export async function checkHub(tx: Tx, caller: Caller, hubId: string): Promise<Id<"hub">> {
  const wanted = hubId.toLowerCase()
  const rows = await tx<{ id: Id<"hub"> }[]>`
    select id from hubs where organization_id = ${caller.organizationId} and id = ${wanted}`
  const hub = rows[0]
  if (!hub || !hasHub(caller, hub.id)) throw scheduleErrors.badHub({ fields: { hubId: ["does not exist"] } })
  return hub.id
}

/** The flow by its id, else by its name. */
export async function checkFlow(
  tx: Tx,
  caller: Caller,
  options: { flow?: string; flowId?: string },
): Promise<FlowRow> {
  if (!options.flowId && !options.flow) {
    const message = "The flowId field is required."
    throw scheduleErrors.missing({ message, fields: { flowId: [message] } })
  }
  const flow = options.flowId
    ? await findFlow(tx, caller, options.flowId)
    : (await findFlowsByName(tx, caller, [options.flow ?? ""]))[0]
  if (!flow) {
    const message = `The flow ${options.flowId || options.flow} does not exist`
    throw scheduleErrors.unknownFlow({
      message,
      fields: { [options.flowId ? "flowId" : "flow"]: ["does not exist"] },
    })
  }
  const allowed = allowedFlowIds(caller)
  if (allowed && !allowed.includes(flow.id)) throw scheduleErrors.forbidden()
  return flow
}

/** The task must be one that the flow would take now; every run checks it again. */
export function checkTask(flow: FlowRow, task: Readonly<Record<string, unknown>>): void {
  const { problems } = readValues(flow.pages, task, "create")
  const first = problems[0]
  if (!first) return
  const refuse = first.reason === "is required" ? scheduleErrors.missing : scheduleErrors.badTask
  throw refuse({
    message: `${titleOf(first.component)} ${first.reason}`,
    fields: textsByField(
      problems.map(({ component, reason }) => ({ field: `task.${component.id}`, text: reason })),
    ),
  })
}

/** Every assignee is a member who has the hub, by the same rules as for a task that the caller would make. */
export async function checkPeople(
  tx: Tx,
  caller: Caller,
  assignee: readonly string[],
  hubId: string,
): Promise<void> {
  if (assignee.length === 0) return
  const odd = assignee.find((email) => !/^[^\s@]+@[^\s@]+$/.test(email))
  if (odd !== undefined) {
    const message = `${odd} is not an e-mail address`
    throw scheduleErrors.badEmail({ message, fields: { assignee: [message] } })
  }
  const found = await findAssignable(tx, caller.organizationId, assignee, hubId)
  try {
    checkAssignees(caller, assignee, new Map(found.map((person) => [person.email, person])))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw scheduleErrors.badAssignee({ message: error.message, fields: { assignee: [error.message] } })
  }
}
