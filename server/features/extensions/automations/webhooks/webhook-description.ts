import { domainEvents } from "#core/domain-events.ts"

/** The schema of what a webhook sends, by the kind of object that the event is about. */
const payloads = {
  task: "Task",
  data: "DataRecord",
  routingResult: "RoutingResult",
  locationHistory: "LocationHistory",
  visit: "Visit",
  person: "SilentPerson",
  alert: "Alert",
} as const

const header = (name: string, description: string, isRequired = true) => ({
  name,
  in: "header",
  required: isRequired,
  description,
  schema: { type: "string" },
})

const headers = [
  header("X-Automation-Event", "The event, such as onTaskCreated"),
  header("X-Automation-Id", "The automation that sends"),
  header("X-Automation-Attempt", "0 for the first attempt"),
  header("X-Automation-Timestamp", "When the attempt was made, in epoch milliseconds"),
  header("webhook-id", "Identifies the delivery: the same in every attempt. Only with signatures", false),
  header("webhook-timestamp", "When the attempt was made, in epoch seconds. Only with signatures", false),
  header("webhook-signature", "Signatures of the body as in Standard Webhooks. Only with signatures", false),
]

/** The `webhooks` of the OpenAPI document: one request per event. */
export function describeWebhooks(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(domainEvents).map(([event, kind]) => [
      event,
      {
        post: {
          operationId: event,
          summary: `Sent by an automation of type webhook on ${event}`,
          description: "The object at the time of the event.",
          tags: ["Automations"],
          security: [],
          parameters: headers,
          requestBody: {
            required: true,
            content: { "application/json": { schema: { $ref: `#/components/schemas/${payloads[kind]}` } } },
          },
          responses: {
            "2XX": { description: "Delivered. Any other response, or none within 30 seconds, is retried." },
            "410": {
              description: "The receiver no longer exists. An automation with pauseWhenDead is paused.",
            },
          },
        },
      },
    ]),
  )
}
