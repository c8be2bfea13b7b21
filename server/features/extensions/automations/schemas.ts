import { type Static, Type } from "typebox"
import { domainEvents } from "#core/domain-events.ts"
import { IdSchema } from "#core/ids.ts"
import { PaginatorSchema, SparseSchema } from "#core/paging.ts"

export const automationTypes = [
  "createTask",
  "createAssignTask",
  "moveTask",
  "assignTask",
  "webhook",
  "createOrUpdateDataSource",
  "notification",
] as const
export type AutomationType = (typeof automationTypes)[number]

const NullableText = Type.Union([Type.String(), Type.Null()])
const OpenObject = Type.Record(Type.String(), Type.Unknown())

const Event = Type.Unsafe<keyof typeof domainEvents>(
  Type.String({ enum: Object.keys(domainEvents), description: "The event that triggers the automation" }),
)

export const AutomationBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    event: Event,
    dataType: Type.Optional(
      Type.Unsafe<string>(Type.String({ enum: [...new Set(Object.values(domainEvents))] })),
    ),
    automationType: Type.Unsafe<AutomationType>(Type.String({ enum: [...automationTypes] })),
    automationDetails: Type.Record(Type.String(), Type.Unknown(), {
      description: "The action; its keys depend on automationType",
    }),
    rules: Type.Optional(
      Type.Union([OpenObject, Type.Null()], { description: "flow and flowId, or dataTypeId; and fields" }),
    ),
    isActive: Type.Optional(Type.Boolean({ description: "Default true" })),
  },
  { title: "AutomationInput" },
)
export type AutomationBody = Static<typeof AutomationBody>

export const AutomationPatch = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    event: Type.Optional(Event),
    isActive: Type.Optional(Type.Boolean()),
  },
  { title: "AutomationPatch" },
)

const AutomationSchema = Type.Object(
  {
    _id: IdSchema("automation"),
    name: Type.String(),
    event: Type.String(),
    dataType: Type.String(),
    automationType: Type.String(),
    automationDetails: OpenObject,
    rules: OpenObject,
    isActive: Type.Boolean(),
    organizationId: IdSchema("organization"),
    owner: Type.Union(
      [Type.Object({ _id: IdSchema("user"), name: Type.String(), email: Type.String() }), Type.Null()],
      {
        description:
          "The user who saved it last. The automation runs with this user's permissions; null when the user is no longer a member",
      },
    ),
    pausedTime: NullableText,
    pauseReason: Type.Unsafe<"membership" | "permission" | null>(
      Type.Union([Type.String({ enum: ["membership", "permission"] }), Type.Null()], {
        description:
          "Permissions that its owner has lost; saving it makes the caller its owner and resumes it",
      }),
    ),
    createdBy: NullableText,
    updatedBy: NullableText,
    createdTime: Type.String(),
    updatedTime: Type.String(),
    delivery: Type.Optional(
      Type.Object(
        {
          isPaused: Type.Boolean(),
          pausedTime: NullableText,
          pauseReason: Type.Unsafe<"dead" | "gone" | "person" | "owner" | null>(
            Type.Union([Type.String({ enum: ["dead", "gone", "person", "owner"] }), Type.Null()]),
          ),
          waiting: Type.Integer({ description: "Pending deliveries, counted up to 10,000" }),
          failures: Type.Integer({ description: "Consecutive failed attempts" }),
          failingSince: NullableText,
        },
        { description: "Webhooks only: the state of its deliveries" },
      ),
    ),
  },
  { title: "Automation" },
)

export const AutomationResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: AutomationSchema,
  warnings: Type.Optional(
    Type.Array(Type.String(), { description: "Keys of automationDetails that have no effect" }),
  ),
})
export const AutomationListResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: PaginatorSchema(SparseSchema(AutomationSchema)),
})

const LogSource = Type.Object(
  {
    organizationId: Type.String(),
    automationId: Type.String(),
    automationName: Type.String(),
    name: Type.String(),
    automationEvent: Type.String(),
    automationType: Type.String(),
    dataType: Type.String(),
    automationDetails: Type.String({ description: "JSON, as configured" }),
    automationUrl: Type.String(),
    request: Type.String({ description: "The body that was sent" }),
    response: Type.String({ description: "The response body" }),
    statusCode: Type.String({ description: "0 when there was no response" }),
    isSuccess: Type.String({ description: "true or false" }),
    attempt: Type.String({ description: "0 for the first attempt" }),
    referenceId: Type.String(),
    requestId: Type.Union([Type.String(), Type.Null()], {
      description: "x-request-id of the request that caused the event, or null",
    }),
    traceId: Type.Union([Type.String(), Type.Null()], { description: "W3C trace id, as in traceparent" }),
    startRequestTime: Type.String(),
    finishRequestTime: Type.String(),
    timestamp: Type.String(),
    dispatchAt: Type.String(),
    delayTime: Type.String({ description: "Epoch seconds" }),
    responseTime: Type.String({ description: "Seconds" }),
    severity: Type.String(),
    env: Type.String(),
    "@timestamp": Type.String(),
    "@version": Type.String(),
  },
  { title: "AutomationLogEntry" },
)

export const LogResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  total: Type.Integer(),
  data: Type.Array(
    Type.Object({
      _index: Type.String(),
      _type: Type.String(),
      _id: Type.String(),
      _score: Type.Null(),
      _source: LogSource,
      sort: Type.Array(Type.Integer()),
    }),
  ),
  params: OpenObject,
})
