import { type Caller, hasHub, may } from "#core/access/caller.ts"
import { setOrigin } from "#core/audit-trail/origin.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { type KeptEvent, setEventDepth } from "#core/domain-events.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import type { Id } from "#core/ids.ts"
import { queueNotification } from "../../customers/messages/index.ts"
import { findRecordByKey, refusedValues, writeRecords } from "../../work/data-records/index.ts"
import { holdDataTypes } from "../../work/data-types/index.ts"
import { changeTask, createTasks, type TaskBody, toWireTask } from "../../work/tasks/index.ts"
import { automationErrors } from "./errors.ts"
import { actingFor } from "./owner.ts"
import type { AutomationRow } from "./queries.ts"
import { resolve, resolveAll } from "./references.ts"

export type TriggerEvent = Pick<KeptEvent, "event" | "referenceId" | "depth" | "record">

interface Context {
  publicUrl: string
  now: Temporal.Instant
  live: LiveEvents
}

/** Filled in as the action goes, so that the log of a refusal has it too. */
interface Described {
  url: string
  request: unknown
}

/** Carries out what the automation says, with the rights of its owner. Throws what refuses it. */
export async function runAction(
  tx: Tx,
  automation: AutomationRow,
  owner: Caller,
  event: TriggerEvent,
  context: Context,
  described: Described,
): Promise<unknown> {
  await setEventDepth(tx, event.depth + 1)
  await setOrigin(tx, {
    kind: "automation",
    via: "job",
    email: owner.email,
    name: automation.name,
    operation: "automation.run",
    details: { automationId: automation.id },
  })
  const caller = actingFor(owner)
  switch (automation.automationType) {
    case "createTask":
    case "createAssignTask":
      return makeTask(tx, caller, automation, event, context, described)
    case "moveTask":
      return moveTask(tx, caller, automation, event, context, described)
    case "assignTask":
      return assignTask(tx, caller, automation, event, context, described)
    case "createOrUpdateDataSource":
      return writeRecord(tx, { caller, owner }, automation, event, context, described)
    case "notification":
      described.request = {
        channel: automation.details.channel,
        receiver: event.record[String(automation.details.taskFieldReceiver)] ?? null,
        message: await messageOf(tx, automation, event, context.publicUrl),
      }
      return notify(tx, automation, event, context, described.request as NotificationRequest)
    case "webhook":
      throw new Error("a webhook must be delivered, not executed")
  }
}

interface NotificationRequest {
  receiver: unknown
  message: string
}

/** Hands the message to the organization's WhatsApp channel, whose log has the rest. One event sends once. */
async function notify(
  tx: Tx,
  { id, organizationId }: AutomationRow,
  { event, referenceId, record }: TriggerEvent,
  { now }: Context,
  { receiver, message }: NotificationRequest,
): Promise<unknown> {
  const [{ xid } = { xid: "" }] = await tx<{ xid: string }[]>`select pg_current_xact_id()::text as xid`
  const outcome = await queueNotification(
    tx,
    tx,
    {
      organizationId,
      taskId: referenceId,
      hubId: String(record.hubId),
      kind: "whatsapp",
      receiver,
      text: message,
      key: `automation:${id}:${event}:${xid}`,
    },
    now,
  )
  if (outcome === "queued") return { status: true }
  throw automationErrors.missingDependency({
    message:
      outcome === "no channel"
        ? "The organization has no WhatsApp channel for messages to customers. The notification was not sent"
        : "The receiver is not a telephone number. The notification was not sent",
  })
}

/** Fills in `{organization_name}` and `{link}`, where the task can be followed; other braces stay. */
async function messageOf(
  tx: Tx,
  { details, organizationId }: AutomationRow,
  { referenceId }: TriggerEvent,
  publicUrl: string,
): Promise<string> {
  const rows = await tx<{ name: string }[]>`select name from organizations where id = ${organizationId}`
  return String(details.message)
    .replaceAll("{organization_name}", rows[0]?.name ?? "")
    .replaceAll("{link}", `${publicUrl}/tracking/${referenceId}`)
}

async function makeTask(
  tx: Tx,
  caller: Caller,
  { details, automationType, dataType }: AutomationRow,
  { record }: TriggerEvent,
  context: Context,
  described: Described,
): Promise<unknown> {
  const assignee = automationType === "createAssignTask" ? assigneeOf(details, record) : []
  const isOfTask = dataType === "task" && typeof record.endTime === "string"
  const body = {
    // What the automation says itself wins over what the task hands down.
    ...(isOfTask ? { startTime: record.startTime, endTime: record.endTime } : {}),
    ...resolveAll((details.taskData ?? {}) as Record<string, unknown>, record),
    flow: details.flow,
    hubId: resolve(details.hubId ?? null, record) ?? record.hubId,
    ...(assignee.length > 0 ? { assignee } : {}),
    createdFrom: "Automation",
  } as TaskBody
  described.url = "/api/v3/task"
  described.request = body
  if (typeof body.hubId !== "string")
    throw automationErrors.missingDependency({
      message: "The record has no hub and the automation does not set one",
    })
  if (automationType === "createAssignTask" && assignee.length === 0)
    throw automationErrors.missingDependency({ message: "The automation does not set an assignee" })
  const [created] = await createTasks(tx, caller, [body], context)
  if (!created || "refusal" in created) throw created?.refusal ?? automationErrors.actionFailed()
  return { status: true, task: { _id: created.task.id, status: created.task.status } }
}

function assigneeOf(details: Record<string, unknown>, record: Record<string, unknown>): string[] {
  const named = details.reassignment ? record[String(details.reassignment)] : details.assignee
  const list = Array.isArray(named) ? named : [named]
  return list.filter((email): email is string => typeof email === "string" && email.includes("@"))
}

async function moveTask(
  tx: Tx,
  caller: Caller,
  { details }: AutomationRow,
  { referenceId }: TriggerEvent,
  context: Context,
  described: Described,
): Promise<unknown> {
  described.url = `/api/v3/task/${referenceId}/move`
  described.request = { hubId: details.hubId }
  const patch = { hubId: String(details.hubId) as Id<"hub"> }
  const { task } = await changeTask(tx, caller, { taskId: referenceId, kind: "move", patch }, context)
  return { status: true, task: toWireTask(task) }
}

async function assignTask(
  tx: Tx,
  caller: Caller,
  automation: AutomationRow,
  event: TriggerEvent,
  context: Context,
  described: Described,
): Promise<unknown> {
  const { details } = automation
  const [task] = await tx<{ hubId: string }[]>`
    select hub_id from tasks where organization_id = ${caller.organizationId} and id = ${event.referenceId}`
  if (task && task.hubId !== details.hubId) {
    if (!may(caller, "move/task"))
      throw automationErrors.missingDependency({
        message: "The automation's owner lacks the permission to move tasks",
      })
    await moveTask(tx, caller, automation, event, context, described)
  }
  described.url = `/api/v3/task/${event.referenceId}/assign`
  described.request = { hubId: details.hubId, assignee: details.assignee }
  const change = {
    taskId: event.referenceId,
    kind: "assign" as const,
    patch: { assignee: details.assignee as string[] },
  }
  const changed = await changeTask(tx, caller, change, context)
  return { status: true, task: toWireTask(changed.task) }
}

async function writeRecord(
  tx: Tx,
  { caller, owner }: { caller: Caller; owner: Caller },
  { details }: AutomationRow,
  { record }: TriggerEvent,
  { now, live }: Context,
  described: Described,
): Promise<unknown> {
  const dataTypeId = String(details.dataTypeId)
  const [type] = await holdDataTypes(tx, caller, [dataTypeId])
  if (!type) throw automationErrors.missingDependency({ message: "The data type no longer exists" })
  const dataId = resolve(details.dataId, record)
  const hubId = type.commonData ? undefined : String(record.hubId)
  const key = { dataTypeId, hubId: hubId ?? null, dataId: String(dataId) }
  const actor = await actorOn(tx, { caller, owner }, key)
  const limitUser = await limitOf(tx, actor, details, record, key)
  const input = {
    ...resolveAll((details.dataSource ?? {}) as Record<string, unknown>, record),
    dataId,
    hubId,
    ...(limitUser === undefined ? {} : { limitUser }),
  }
  described.url = "/api/v3/data"
  described.request = input
  const [outcome] = await inTransaction(tx, (step) =>
    writeRecords(step, actor, type, [input], { mode: "upsert", live, now }),
  )
  if (!outcome || "problems" in outcome) throw refusedValues(outcome?.problems ?? [])
  return { status: true, data: { _id: outcome.id, dataId: outcome.dataId, event: outcome.event } }
}

/** Records that are limited to people: the owner must be one of them, as the system is not. */
async function actorOn(
  tx: Tx,
  { caller, owner }: { caller: Caller; owner: Caller },
  key: { dataTypeId: string; hubId: string | null; dataId: string },
): Promise<Caller> {
  if (key.hubId !== null && !hasHub(owner, key.hubId))
    throw automationErrors.missingDependency({
      message: "The automation's owner has no access to the record's hub",
    })
  const actor = { ...caller, isOwner: true }
  const [any, own] = [await findRecordByKey(tx, actor, key), await findRecordByKey(tx, owner, key)]
  if (any && !own)
    throw automationErrors.missingDependency({
      message: "The automation's owner does not have access to this record",
    })
  return actor
}

/** Who may see the record from now on: undefined leaves it, an empty list opens it to all. */
async function limitOf(
  tx: Tx,
  caller: Caller,
  details: Record<string, unknown>,
  record: Record<string, unknown>,
  key: { dataTypeId: string; hubId: string | null; dataId: string },
): Promise<string[] | undefined> {
  if (details.updateLimitUser !== true && details.replaceLimitUser !== true) return undefined
  const named = details.limitType ? record[String(details.limitType)] : details.limitUser
  const wanted = (Array.isArray(named) ? named : [named]).filter((email) => typeof email === "string")
  if (details.replaceLimitUser === true || wanted.length === 0) return wanted
  const before = await findRecordByKey(tx, caller, key)
  // A record that is open to all stays so: adding somebody must not take it from the others.
  if (before && before.limitUser === null) return undefined
  return [...new Set([...(before?.limitUser ?? []), ...wanted])]
}
