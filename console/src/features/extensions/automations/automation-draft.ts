import { retryOf, type WebhookRetry } from "#shared/webhook-retries.ts"
import type { Automation, AutomationBody } from "./automations.queries.ts"

/** Events with what they are about; the words of the wire. */
export const eventKinds = {
  onTaskCreated: "task",
  onTaskAssigned: "task",
  onTaskFinished: "task",
  onTaskUpdated: "task",
  onTaskMoved: "task",
  onTaskDeleted: "task",
  onTaskArrived: "task",
  onTaskLeft: "task",
  onTaskFailed: "task",
  onEtaChanged: "task",
  onTaskLate: "task",
  onDataSourceCreated: "data",
  onRecordUpdated: "data",
  onRecordDeleted: "data",
  onStartTrip: "locationHistory",
  onFinishTrip: "locationHistory",
  onGeofence: "visit",
  onWorkerSilent: "person",
  onAlert: "alert",
  onRoutingResultFinished: "routingResult",
  onRoutingResultDispatched: "routingResult",
} as const
export type EventName = keyof typeof eventKinds

const actionNames = [
  "webhook",
  "createTask",
  "createAssignTask",
  "moveTask",
  "assignTask",
  "createOrUpdateDataSource",
  "notification",
] as const
export type ActionName = (typeof actionNames)[number]

/** What can be done after an event, as the server allows it. */
export function actionsAfter(event: EventName): readonly ActionName[] {
  const kind = eventKinds[event]
  if (event === "onTaskDeleted") return actionNames.filter((name) => !ofExistingTasks.includes(name))
  if (kind === "task") return actionNames
  return kind === "data" ? ["webhook", "createTask"] : ["webhook"]
}

const ofExistingTasks: readonly ActionName[] = ["moveTask", "assignTask"]

/** A field with its value; a form shows several of them in rows. */
export interface Pair {
  field: string
  value: string
}

export type Person = "assignee" | "assignedBy" | "doneBy"

/** `onRecordCreated` is another name of the same event. */
function readEvent(event: string): EventName {
  return event === "onRecordCreated" ? "onDataSourceCreated" : (event as EventName)
}

/** The values of the form: each has one, whether the action uses it or not. */
export interface Draft {
  name: string
  isActive: boolean
  event: EventName
  /** "" for all flows. */
  flowId: string
  dataTypeId: string
  conditions: Pair[]
  action: ActionName
  url: string
  headers: Pair[]
  isSigned: boolean
  format: "record" | "standard"
  retry: WebhookRetry
  pauseWhenDead: boolean
  targetFlowId: string
  /** "" for the hub of what happened. */
  hubId: string
  assignee: string[]
  /** Whom of the task to give it to; "" for the people of `assignee`. */
  reassignment: Person | ""
  values: Pair[]
  targetTypeId: string
  recordKey: string
  limit: "none" | "add" | "replace"
  limitType: Person | ""
  limitUser: string[]
  receiver: string
  secretKey: string
  message: string
}

export const emptyDraft: Draft = {
  name: "",
  isActive: true,
  event: "onTaskCreated",
  flowId: "",
  dataTypeId: "",
  conditions: [],
  action: "webhook",
  url: "",
  headers: [],
  isSigned: true,
  format: "record",
  retry: "exponential",
  pauseWhenDead: true,
  targetFlowId: "",
  hubId: "",
  assignee: [],
  reassignment: "",
  values: [],
  targetTypeId: "",
  recordKey: "",
  limit: "none",
  limitType: "",
  limitUser: [],
  receiver: "",
  secretKey: "",
  message: "",
}

const hubOfTask = "$refFlow.hubId"

export function toDraft(automation: Automation): Draft {
  const { automationDetails: details, rules } = automation
  const text = (value: unknown) => (value === undefined || value === null ? "" : String(value))
  const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  const hubId = text(details.hubId)
  return {
    name: automation.name,
    isActive: automation.isActive,
    event: readEvent(automation.event),
    flowId: text(rules.flowId),
    dataTypeId: text(rules.dataTypeId),
    conditions: toPairs(rules.fields),
    action: automation.automationType as ActionName,
    url: text(details.url),
    headers: toPairs(details.headers),
    isSigned: details.signature === true,
    format: details.format === "standard" ? "standard" : "record",
    retry: retryOf(details.retry),
    pauseWhenDead: details.pauseWhenDead === true,
    targetFlowId: text(details.flowId),
    hubId: hubId === hubOfTask ? "" : hubId,
    assignee: texts(details.assignee),
    reassignment: text(details.reassignment) as Person | "",
    values: toPairs(details.taskData ?? details.dataSource),
    targetTypeId: text(details.dataTypeId),
    recordKey: text(details.dataId),
    limit: details.replaceLimitUser === true ? "replace" : details.updateLimitUser === true ? "add" : "none",
    limitType: text(details.limitType) as Person | "",
    limitUser: texts(details.limitUser),
    receiver: text(details.taskFieldReceiver),
    secretKey: text(details.secretKey),
    message: text(details.message),
  }
}

/** The body for the server. `flowName` returns a flow's name, which the API requires in addition to its id. */
export function toBody(draft: Draft, flowName: (flowId: string) => string): AutomationBody {
  const kind = eventKinds[draft.event]
  const fields = toRecord(draft.conditions)
  const narrowed = Object.keys(fields).length > 0 ? { fields } : {}
  const rules =
    kind === "task"
      ? { ...(draft.flowId && { flow: flowName(draft.flowId), flowId: draft.flowId }), ...narrowed }
      : kind === "data"
        ? { dataTypeId: draft.dataTypeId, ...narrowed }
        : narrowed
  return {
    name: draft.name.trim(),
    event: draft.event,
    dataType: kind,
    automationType: draft.action,
    automationDetails: detailsOf(draft, flowName),
    rules,
    isActive: draft.isActive,
  }
}

function detailsOf(draft: Draft, flowName: (flowId: string) => string): Record<string, unknown> {
  const newTask = {
    flow: flowName(draft.targetFlowId),
    flowId: draft.targetFlowId,
    taskData: toRecord(draft.values),
  }
  switch (draft.action) {
    case "webhook":
      return {
        url: draft.url.trim(),
        headers: toRecord(draft.headers),
        signature: draft.isSigned || draft.format === "standard",
        format: draft.format,
        retry: draft.retry,
        pauseWhenDead: draft.pauseWhenDead,
      }
    case "createTask":
      return { ...newTask, ...(draft.hubId && { hubId: draft.hubId }) }
    case "createAssignTask":
      return {
        ...newTask,
        hubId: draft.hubId || hubOfTask,
        ...(draft.reassignment ? { reassignment: draft.reassignment } : { assignee: draft.assignee }),
      }
    case "moveTask":
      return { hubId: draft.hubId }
    case "assignTask":
      return { hubId: draft.hubId, assignee: draft.assignee }
    case "createOrUpdateDataSource":
      return {
        dataTypeId: draft.targetTypeId,
        dataId: draft.recordKey,
        dataSource: toRecord(draft.values),
        updateLimitUser: draft.limit === "add",
        replaceLimitUser: draft.limit === "replace",
        ...(draft.limit === "none"
          ? {}
          : draft.limitType
            ? { limitType: draft.limitType }
            : { limitUser: draft.limitUser }),
      }
    case "notification":
      return {
        channel: "whatsapp",
        taskFieldReceiver: draft.receiver,
        secretKey: draft.secretKey,
        message: draft.message,
      }
  }
}

function toPairs(value: unknown): Pair[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return []
  return Object.entries(value).map(([field, content]) => ({
    field,
    value: typeof content === "string" ? content : JSON.stringify(content),
  }))
}

function toRecord(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.filter(({ field }) => field.trim() !== "").map(({ field, value }) => [field.trim(), value]),
  )
}
