import { randomBytes } from "node:crypto"
import { type Caller, hasHub } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { unstorablePart } from "#core/database/storable-json.ts"
import { domainEvents } from "#core/domain-events.ts"
import { isId } from "#core/ids.ts"
import { retryOf, webhookRetryNames } from "#shared/webhook-retries.ts"
import { findDataType } from "../../work/data-types/index.ts"
import { findFlow } from "../../work/flows/index.ts"
import { type OpenAutomation, type Signing, unsigned } from "./automation-secrets.ts"
import { automationErrors } from "./errors.ts"
import { mask } from "./log/mask.ts"
import type { AutomationRow, AutomationWrite, Rules } from "./queries.ts"
import type { AutomationBody } from "./schemas.ts"

type Details = Record<string, unknown>

/** Reads what a client wants saved: the event must fit, and everything that is named must exist. */
export async function checkAutomation(
  sql: Sql,
  caller: Caller,
  body: AutomationBody,
  before?: OpenAutomation,
): Promise<AutomationWrite> {
  const dataType = domainEvents[body.event]
  if ((body.dataType ?? dataType) !== dataType)
    throw automationErrors.badTrigger({
      message: `dataType must be ${dataType} for the event ${body.event}`,
      fields: { dataType: [`must be ${dataType}`] },
    })
  if (before && before.automationType !== body.automationType) throw automationErrors.badState()
  checkEvent(body.automationType, body.event)
  const unstorable = unstorablePart(body)
  if (unstorable) throw automationErrors.badRule({ message: `The automation ${unstorable}` })
  const details = unmasked(withObjects(body.automationDetails), before)
  await checkDetails(sql, caller, body, details)
  const {
    signingSecret: _key,
    previousSigningSecret: _previous,
    previousSigningSecretUntil: _until,
    ...stored
  } = details
  const rules = await checkRules(sql, caller, dataType, withObjects(body.rules ?? {}))
  if (body.automationType === "createTask" && dataType === "data")
    await checkHubOfRecord(sql, caller, details, rules)
  if (body.automationType === "notification") await checkReceiver(sql, caller, details, rules)
  return {
    name: body.name.trim(),
    event: body.event,
    dataType,
    automationType: body.automationType,
    details: stored,
    rules,
    isActive: body.isActive ?? true,
    ...signingOf(details, before),
  }
}

/** The envelope of Standard Webhooks is always signed; other webhooks are where they ask for it. */
function signingOf(details: Details, before: OpenAutomation | undefined): Signing {
  if (details.signature !== true && details.format !== "standard") return unsigned
  if (!before?.signingSecret) return { ...unsigned, signingSecret: newSecret() }
  const { signingSecret, previousSigningSecret, previousSigningSecretUntil } = before
  return { signingSecret, previousSigningSecret, previousSigningSecretUntil }
}

const webhookKeys = [
  ...["url", "headers", "retry", "pauseWhenDead", "signature", "format"],
  ...["signingSecret", "previousSigningSecret", "previousSigningSecretUntil"],
]
const newTaskKeys = ["flow", "flowId", "taskData", "hubId"]
const detailKeys: Record<AutomationRow["automationType"], readonly string[]> = {
  webhook: webhookKeys,
  createTask: newTaskKeys,
  createAssignTask: [...newTaskKeys, "assignee", "reassignment"],
  moveTask: ["hubId"],
  assignTask: ["hubId", "assignee"],
  createOrUpdateDataSource: [
    ...["dataTypeId", "dataTypeName", "dataId", "dataSource"],
    ...["updateLimitUser", "replaceLimitUser", "limitUser", "limitType"],
  ],
  notification: ["channel", "taskFieldReceiver", "secretKey", "message"],
}

/** Keys that the type of an automation does not use: probably typing errors, so they are pointed out. */
export function detailWarnings({ automationType, automationDetails }: AutomationBody): string[] {
  const unknown = Object.keys(automationDetails).filter((key) => !detailKeys[automationType].includes(key))
  return unknown.map((key) => `automationDetails.${key} is unknown to ${automationType} and has no effect`)
}

const objectFields = ["headers", "taskData", "dataSource", "fields"]

/** Clients in languages without a difference send `[]` for an object without keys, and null for what is not set. */
function withObjects(sent: Details): Details {
  const entries = Object.entries(sent).filter(([, value]) => value !== null)
  return Object.fromEntries(
    entries.map(([key, value]) =>
      objectFields.includes(key) && Array.isArray(value) && value.length === 0 ? [key, {}] : [key, value],
    ),
  )
}

/** As Standard Webhooks has them: 24 to 64 random bytes in base64 behind a prefix. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`
}

export function checkEvent(type: AutomationRow["automationType"], event: AutomationRow["event"]): void {
  const dataType = domainEvents[event]
  const isFitting =
    type === "webhook" || dataType === "task" || (type === "createTask" && dataType === "data")
  const isTooLate = event === "onTaskDeleted" && (type === "moveTask" || type === "assignTask")
  if (!isFitting || isTooLate)
    throw automationErrors.badTrigger({
      message: `${type} does not work on ${event}`,
      fields: { event: [`does not work with ${type}`] },
    })
}

/** Values that were shown masked come back as they are stored. */
function unmasked(details: Details, before: OpenAutomation | undefined): Details {
  const read = { ...details }
  const stored = (before?.details ?? {}) as { headers?: Details; secretKey?: unknown }
  if (read.secretKey === mask) read.secretKey = stored.secretKey
  if (typeof read.headers === "object" && read.headers !== null)
    read.headers = Object.fromEntries(
      Object.entries(read.headers).map(([name, value]) => [
        name,
        value === mask ? (stored.headers?.[name] ?? mask) : value,
      ]),
    )
  return read
}

async function checkDetails(
  sql: Sql,
  caller: Caller,
  { automationType, event }: AutomationBody,
  details: Details,
): Promise<void> {
  switch (automationType) {
    case "webhook":
      return checkWebhook(details)
    case "createTask":
    case "createAssignTask":
      return checkNewTask(sql, caller, automationType, event, details)
    case "moveTask":
      return checkHub(sql, caller, details.hubId)
    case "assignTask":
      await checkHub(sql, caller, details.hubId)
      return checkPeople(sql, caller, details.assignee, "assignee")
    case "createOrUpdateDataSource":
      return checkRecord(sql, caller, details)
    case "notification":
      for (const field of ["channel", "taskFieldReceiver", "secretKey", "message"]) required(details, field)
      if (String(details.channel).toLowerCase() !== "whatsapp")
        throw automationErrors.required({ message: "channel must be whatsapp" })
  }
}

function checkWebhook(details: Details): void {
  required(details, "url")
  const { url, headers, retry, pauseWhenDead, format } = details
  if (typeof url !== "string" || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw automationErrors.badUrl({ fields: { url: ["must start with http:// or https://"] } })
  if (new URL(url).username !== "")
    throw automationErrors.badUrl({ message: "Put the credentials into a header, not into the URL" })
  if (retry !== undefined && retry !== retryOf(retry)) {
    const reason = `must be ${webhookRetryNames.join(" or ")}`
    throw automationErrors.required({ message: `retry ${reason}`, fields: { retry: [reason] } })
  }
  if (format !== undefined && format !== "record" && format !== "standard")
    throw automationErrors.required({
      message: "format must be record or standard",
      fields: { format: ["must be record or standard"] },
    })
  if (pauseWhenDead !== undefined && typeof pauseWhenDead !== "boolean")
    throw automationErrors.required({
      message: "pauseWhenDead must be true or false",
      fields: { pauseWhenDead: ["must be true or false"] },
    })
  if (headers === undefined) return
  if (typeof headers !== "object" || headers === null || Array.isArray(headers))
    throw automationErrors.badHeaders()
  for (const [name, value] of Object.entries(headers)) {
    const isGood =
      /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name) &&
      typeof value === "string" &&
      /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    if (!isGood) throw automationErrors.badHeaders({ fields: { headers: [`${name} cannot be sent`] } })
  }
}

/** Events about tasks that are not finished yet. */
const reassignmentEvents: readonly AutomationBody["event"][] = [
  "onTaskCreated",
  "onTaskUpdated",
  "onTaskMoved",
  "onTaskArrived",
]

/** Fields of a task that name somebody. */
const people: readonly string[] = ["assignee", "assignedBy", "doneBy"]

async function checkNewTask(
  sql: Sql,
  caller: Caller,
  type: "createTask" | "createAssignTask",
  event: AutomationBody["event"],
  details: Details,
): Promise<void> {
  for (const field of ["flow", "flowId", "taskData"]) required(details, field)
  await checkFlow(sql, caller, details.flow, details.flowId)
  if (typeof details.taskData !== "object" || Array.isArray(details.taskData))
    throw automationErrors.required({ message: "taskData must be an object" })
  if (type === "createTask") {
    if (details.hubId !== undefined) await checkHub(sql, caller, details.hubId)
    return
  }
  if (details.hubId !== "$refFlow.hubId") await checkHub(sql, caller, details.hubId)
  if (details.reassignment === undefined) return checkPeople(sql, caller, details.assignee, "assignee")
  if (!people.includes(String(details.reassignment)))
    throw automationErrors.required({ message: "reassignment must be assignee, assignedBy or doneBy" })
  const isAllowed =
    event === "onTaskFinished" ||
    event === "onTaskFailed" ||
    (reassignmentEvents.includes(event) && details.reassignment !== "doneBy")
  if (!isAllowed)
    throw automationErrors.badTrigger({
      message: `reassignment ${details.reassignment} does not work on ${event}`,
    })
}

async function checkRecord(sql: Sql, caller: Caller, details: Details): Promise<void> {
  for (const field of ["dataTypeId", "dataId", "dataSource"]) required(details, field)
  if (details.updateLimitUser === true && details.replaceLimitUser === true)
    throw automationErrors.required({ message: "Set updateLimitUser or replaceLimitUser, not both" })
  if (details.limitType !== undefined && !people.includes(String(details.limitType)))
    throw automationErrors.required({ message: "limitType must be assignee, assignedBy or doneBy" })
  if (Array.isArray(details.limitUser) && details.limitUser.length > 0)
    await checkPeople(sql, caller, details.limitUser, "limitUser")
  const type = isId(details.dataTypeId) ? await findDataType(sql, caller, details.dataTypeId) : undefined
  if (type?.provider !== "internal")
    throw automationErrors.missingDependency({ message: "This data type does not exist" })
  details.dataTypeName = type.name
}

async function checkRules(sql: Sql, caller: Caller, dataType: string, rules: Details): Promise<Rules> {
  const fields = rules.fields ?? undefined
  if (fields !== undefined && (typeof fields !== "object" || Array.isArray(fields)))
    throw automationErrors.badRule({ message: "rules.fields must be an object of field ids and values" })
  const read: Rules = fields === undefined ? {} : { fields: fields as Details }
  const keys = Object.keys(read.fields ?? {})
  if (dataType === "task") {
    // Without a flow it is about the tasks of all flows.
    if (rules.flow === undefined && rules.flowId === undefined)
      return keys.length > 0 ? { ...read, schema: keys.join(":") } : read
    const flow = await checkFlow(sql, caller, rules.flow, rules.flowId, "rules.")
    return { ...read, flow: flow.name, flowId: flow.id, schema: ["flow", ...keys].join(":") }
  }
  if (dataType !== "data") return read
  const type = isId(rules.dataTypeId) ? await findDataType(sql, caller, rules.dataTypeId) : undefined
  if (rules.dataTypeId === undefined)
    throw automationErrors.required({ message: "rules.dataTypeId is required" })
  if (!type) throw automationErrors.missingDependency({ message: "The data type of the rule does not exist" })
  return { ...read, dataTypeId: type.id, schema: ["dataType", ...keys].join(":") }
}

/** A record of a common data type has no hub that its task could get. */
async function checkHubOfRecord(sql: Sql, caller: Caller, details: Details, rules: Rules): Promise<void> {
  const type = rules.dataTypeId === undefined ? undefined : await findDataType(sql, caller, rules.dataTypeId)
  if (type?.commonData && details.hubId === undefined)
    throw automationErrors.required({
      message: "Records of this data type have no hub: name the hub of the task with hubId",
      fields: { hubId: ["is required"] },
    })
}

/** The receiver's number is asked for on the first page: later ones may never be filled in. */
async function checkReceiver(sql: Sql, caller: Caller, details: Details, rules: Rules): Promise<void> {
  const flow = rules.flowId === undefined ? undefined : await findFlow(sql, caller, rules.flowId)
  const firstPage = flow?.pages[0]?.components ?? []
  if (!firstPage.some(({ id }) => id === details.taskFieldReceiver))
    throw automationErrors.missingDependency({
      message: "taskFieldReceiver must be a component of the flow's first page",
      fields: { taskFieldReceiver: ["is not on the first page"] },
    })
}

async function checkFlow(sql: Sql, caller: Caller, name: unknown, id: unknown, prefix = "") {
  if (name === undefined || id === undefined)
    throw automationErrors.required({
      message: `${prefix}flow and ${prefix}flowId are required`,
      fields: { [`${prefix}flow`]: ["is required"] },
    })
  if (name === "Handover") throw automationErrors.badRule({ message: "The flow Handover is reserved" })
  const flow = isId(id) ? await findFlow(sql, caller, id) : undefined
  if (!flow || flow.name !== name)
    throw automationErrors.missingDependency({
      message: `${prefix}flow and ${prefix}flowId must name one flow`,
    })
  return flow
}

async function checkHub(sql: Sql, caller: Caller, hubId: unknown): Promise<void> {
  if (hubId === undefined) throw automationErrors.required({ message: "hubId is required" })
  const rows = isId(hubId)
    ? await sql`select 1 from hubs where organization_id = ${caller.organizationId} and id = ${hubId.toLowerCase()}`
    : []
  if (rows.length === 0 || !isId(hubId) || !hasHub(caller, hubId.toLowerCase()))
    throw automationErrors.missingDependency({
      message: "This hub does not exist, or you do not have access to it",
    })
}

async function checkPeople(sql: Sql, caller: Caller, emails: unknown, field: string): Promise<void> {
  const wanted = Array.isArray(emails) ? emails.map((email) => String(email).toLowerCase()) : []
  if (wanted.length === 0) throw automationErrors.required({ message: `${field} must name somebody` })
  const rows = await sql<{ email: string }[]>`
    select email from users where organization_id = ${caller.organizationId} and email = any (${wanted})`
  const known = new Set(rows.map((row) => row.email))
  const unknown = wanted.find((email) => !known.has(email))
  if (unknown) throw automationErrors.missingDependency({ message: `${unknown} is no member` })
}

function required(details: Details, field: string): void {
  const value = details[field]
  if (value === undefined || value === null || value === "")
    throw automationErrors.required({
      message: `automationDetails.${field} is required`,
      fields: { [field]: ["is required"] },
    })
}
