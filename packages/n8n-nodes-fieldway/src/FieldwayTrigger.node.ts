import { createHmac, timingSafeEqual } from "node:crypto"
import { callFieldway } from "./call-fieldway.ts"
import type { HookContext, JsonObject, NodeDescription, WebhookContext, WebhookResult } from "./n8n.ts"

const events = {
  onTaskCreated: "Task created",
  onTaskUpdated: "Task updated",
  onTaskAssigned: "Task assigned",
  onTaskMoved: "Task moved to another hub",
  onTaskFinished: "Task finished",
  onTaskFailed: "Task failed",
  onTaskDeleted: "Task deleted",
  onTaskArrived: "Arrived at a task",
  onTaskLeft: "Left a task",
  onTaskLate: "Task is expected to be late",
  onEtaChanged: "Arrival estimate changed",
  onRecordCreated: "Data record created",
  onRecordUpdated: "Data record updated",
  onRecordDeleted: "Data record deleted",
}

/** Older deliveries are refused, so that a recorded one cannot be sent again. */
const maxAgeSeconds = 300

/** Starts a workflow at an event: registers a signed webhook when it is activated, and removes it afterwards. */
export class FieldwayTrigger {
  description: NodeDescription = {
    displayName: "Fieldway Trigger",
    name: "fieldwayTrigger",
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["event"]}}',
    description: "Starts the workflow when something happens in Fieldway",
    defaults: { name: "Fieldway Trigger" },
    inputs: [],
    outputs: ["main"],
    credentials: [{ name: "fieldwayApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Event",
        name: "event",
        type: "options",
        noDataExpression: true,
        default: "onTaskCreated",
        options: Object.entries(events).map(([value, name]) => ({ name, value })),
      },
      {
        displayName: "Rules",
        name: "rules",
        type: "json",
        default: "{}",
        description:
          'Narrows the event, such as {"flow": "Visit", "flowId": "…", "fields": {"outcome": "failed"}}',
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists(this: HookContext): Promise<boolean> {
        const { automationId } = this.getWorkflowStaticData("node")
        if (typeof automationId !== "string") return false
        try {
          const { data } = await callFieldway(this, `/automation/${automationId}`, { method: "GET" })
          const { event, automationDetails } = data as JsonObject
          const { url } = automationDetails as JsonObject
          return event === this.getNodeParameter("event") && url === this.getNodeWebhookUrl("default")
        } catch {
          return false
        }
      },
      async create(this: HookContext): Promise<boolean> {
        const event = this.getNodeParameter("event")
        const rules = this.getNodeParameter("rules", {})
        const url = this.getNodeWebhookUrl("default")
        const body = {
          name: `n8n: ${this.getNode().name}`.slice(0, 100),
          ...{ event, automationType: "webhook" },
          automationDetails: { url, format: "standard" },
          rules: typeof rules === "string" ? JSON.parse(rules || "{}") : rules,
        }
        const { data } = await callFieldway(this, "/automation", { method: "POST", body })
        const { _id, automationDetails } = data as JsonObject
        const secret = (automationDetails as JsonObject).signingSecret
        Object.assign(this.getWorkflowStaticData("node"), { automationId: _id, secret })
        return true
      },
      async delete(this: HookContext): Promise<boolean> {
        const stored = this.getWorkflowStaticData("node")
        const { automationId } = stored
        if (typeof automationId !== "string") return true
        try {
          await callFieldway(this, `/automation/${automationId}`, { method: "DELETE" })
        } catch {
          return false
        }
        delete stored.automationId
        delete stored.secret
        return true
      },
    },
  }

  async webhook(this: WebhookContext): Promise<WebhookResult> {
    const { rawBody, headers } = this.getRequestObject()
    const { secret } = this.getWorkflowStaticData("node")
    const body = rawBody?.toString("utf8") ?? ""
    if (typeof secret !== "string" || !isGenuine(headers, body, secret)) {
      this.getResponseObject().status(401).json({ message: "The signature is invalid" })
      return { noWebhookResponse: true }
    }
    return { workflowData: [[{ json: JSON.parse(body) as JsonObject }]] }
  }
}

/** Standard Webhooks: HMAC-SHA256 over id, time and body. During a rotation there are two signatures. */
function isGenuine(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  secret: string,
): boolean {
  const header = (name: string) => String(headers[name] ?? "")
  const time = header("webhook-timestamp")
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  const text = `${header("webhook-id")}.${time}.${body}`
  const wanted = Buffer.from(`v1,${createHmac("sha256", key).update(text).digest("base64")}`)
  const isFresh = Math.abs(Date.now() / 1_000 - Number(time)) <= maxAgeSeconds
  const given = header("webhook-signature")
    .split(" ")
    .map((signature) => Buffer.from(signature))
  return isFresh && given.some((one) => one.length === wanted.length && timingSafeEqual(one, wanted))
}
