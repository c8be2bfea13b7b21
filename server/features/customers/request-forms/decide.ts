import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { App } from "#core/http/types.ts"
import { discardFilesLater } from "#core/objects/loose-files.ts"
import { bookSlot, findHeldSlot, releaseSlots } from "../../planning/slots/index.ts"
import { findFlow } from "../../work/flows/index.ts"
import { createTasks, type TaskBody } from "../../work/tasks/index.ts"
import { contactOf, findSender } from "../tracking-pages/index.ts"
import { confirm } from "./confirm.ts"
import { requestFormErrors } from "./errors.ts"
import { findForm } from "./forms.ts"
import { type Decision, lockRequest, type RequestRow, writeDecision } from "./requests.ts"
import { photoMark } from "./submit.ts"

/** Makes the task of a request. Returns its id. */
export function approveRequest(app: App, caller: Caller, requestId: string): Promise<string> {
  return inTransaction(app.sql, async (tx) => {
    const request = await lockPending(tx, caller, requestId)
    const taskId = await makeTask(tx, app, caller, request)
    await decide(tx, app, caller, request, { status: "approved", taskId, by: caller.email, reason: null })
    return taskId
  })
}

/** Frees the window of a request and removes its photos. */
export function rejectRequest(
  app: App,
  caller: Caller,
  requestId: string,
  reason: string | null,
): Promise<void> {
  return inTransaction(app.sql, async (tx) => {
    const request = await lockPending(tx, caller, requestId)
    if (request.slotId) await releaseSlots(tx, request.organizationId, [request.slotId])
    await discardFilesLater(tx, photoKeys(app, request))
    await decide(tx, app, caller, request, { status: "rejected", taskId: null, by: caller.email, reason })
  })
}

async function lockPending(tx: Tx, caller: Caller, requestId: string): Promise<RequestRow> {
  const request = await lockRequest(tx, caller, requestId)
  if (!request) throw requestFormErrors.noRequest()
  if (request.status !== "pending") throw requestFormErrors.decided()
  return request
}

async function makeTask(tx: Tx, app: App, caller: Caller, request: RequestRow): Promise<string> {
  const { organizationId, slotId, startsAt, endsAt, hubId } = request
  const now = app.clock.now()
  const flow = await findFlow(tx, caller, request.flowId)
  if (!flow) throw requestFormErrors.badFlow()
  const times = startsAt && endsAt ? { startTime: startsAt.toString(), endTime: endsAt.toString() } : {}
  const body = { ...request.values, flow: flow.name, hubId, createdFrom: "WEB", ...times } as TaskBody
  const create = async () => {
    const [created] = await createTasks(tx, caller, [body], { now, live: app.live })
    if (!created || "refusal" in created) throw created?.refusal ?? requestFormErrors.invalid()
    return created.task.id
  }
  // A window that is held no longer is still what the customer asked for; whether it fits is for the planner to see.
  const held = slotId ? await findHeldSlot(tx, organizationId, slotId, now) : undefined
  return held ? (await bookSlot(tx, organizationId, held.id, now, create)).taskId : create()
}

async function decide(
  tx: Tx,
  app: App,
  caller: Caller,
  request: RequestRow,
  decision: Decision,
): Promise<void> {
  const { organizationId, hubId, formId, flowId } = request
  await writeDecision(tx, request, decision, app.clock.now())
  const [form, flow, sender] = await Promise.all([
    findForm(tx, caller, formId),
    findFlow(tx, caller, flowId),
    findSender(app.sql, organizationId),
  ])
  const contact = contactOf(request.values, flow?.pages ?? [], sender.settings.fields)
  const event = decision.status === "approved" ? "requestApproved" : "requestRejected"
  await confirm(tx, app, { request: { ...request, reason: decision.reason }, form, contact, event })
  const content = { requestId: request.id, formId, status: decision.status }
  await publish(tx, app.live, "customer.request", { organizationId, hubId, content })
}

/** The stored photos of a request. */
export function photoKeys(
  { links }: Pick<App, "links">,
  { organizationId, values }: Pick<RequestRow, "organizationId" | "values">,
): string[] {
  const keys = Object.entries(values).flatMap(([name, value]) =>
    /_\d{1,3}_url$/.test(name) && typeof value === "string" ? (links.keyOf(value) ?? []) : [],
  )
  return keys.filter((key) => key.startsWith(`${organizationId}/`) && key.includes(photoMark))
}
