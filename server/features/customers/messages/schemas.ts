import { Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { languages } from "#shared/languages.ts"
import { messageStatuses } from "./message-queries.ts"
import { presetNames, RequestSchema } from "./templates/presets.ts"
import { triggerNames } from "./triggers.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const Kind = Type.Unsafe<"email" | "sms" | "whatsapp">(
  Type.String({
    enum: ["email", "sms", "whatsapp"],
    description: "What it reaches: an e-mail address or a telephone number",
  }),
)

export const ChannelBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  kind: Kind,
  preset: Type.Optional(
    Type.String({
      enum: ["mail", ...presetNames],
      default: "http",
      description: "The provider; mail for e-mail",
    }),
  ),
  variables: Type.Optional(
    Type.Record(Type.String({ maxLength: 50 }), Type.String({ maxLength: 500 }), {
      description: "Values of the preset, such as from, host or address",
    }),
  ),
  secrets: Type.Optional(
    Type.Record(Type.String({ maxLength: 50 }), Type.String({ maxLength: 4000 }), {
      description: "Stored encrypted and never returned; those that are left out stay",
    }),
  ),
  request: Type.Optional(
    Type.Union([RequestSchema, Type.Null()], { description: "Instead of the preset's request" }),
  ),
  onUncertain: Type.Optional(
    Type.Unsafe<"resend" | "stop">(
      Type.String({
        enum: ["resend", "stop"],
        default: "stop",
        description:
          "After an interruption where the provider cannot be asked: send again, or leave it to a person",
      }),
    ),
  ),
  isActive: Type.Optional(Type.Boolean({ default: true })),
  cost: Type.Optional(Type.Number({ default: 0, minimum: 0, maximum: 1000, description: "Of one message" })),
  dailyCap: Type.Optional(
    Type.Integer({ default: 1000, minimum: 0, maximum: 1_000_000, description: "Messages per day at most" }),
  ),
})

export const ChannelSchema = Type.Object(
  {
    _id: IdSchema("channel"),
    name: Type.String(),
    kind: Kind,
    preset: Type.String(),
    variables: Type.Record(Type.String(), Type.String()),
    secretNames: Type.Array(Type.String(), { description: "Secrets that are stored" }),
    request: Type.Union([RequestSchema, Type.Null()]),
    onUncertain: Type.String(),
    isActive: Type.Boolean(),
    cost: Type.Number(),
    dailyCap: Type.Integer(),
    callbackUrl: NullableText,
    today: Type.Object({ messages: Type.Integer(), cost: Type.Number() }),
    month: Type.Object({ messages: Type.Integer(), cost: Type.Number() }),
  },
  { title: "MessageChannel" },
)

export const TemplateParams = Type.Object({ messageTemplateId: IdSchema("message-template") })

export const TemplateBody = Type.Object({
  event: Type.Unsafe<(typeof triggerNames)[number]>(
    Type.String({ enum: triggerNames.filter((name) => name !== "notification") }),
  ),
  channelId: IdSchema("channel"),
  hubId: Type.Optional(Type.Union([IdSchema("hub"), Type.Null()])),
  flowId: Type.Optional(Type.Union([IdSchema("flow"), Type.Null()])),
  language: Type.Optional(
    Type.String({
      enum: ["", ...languages],
      default: "",
      description: "Empty: all languages without a template of their own",
    }),
  ),
  subject: Type.Optional(
    Type.String({ maxLength: 200, default: "", description: "Of e-mails; empty: the built-in subject" }),
  ),
  body: Type.Optional(
    Type.String({
      maxLength: 4000,
      default: "",
      description: "Text with {{placeholders}}; empty: the built-in text",
    }),
  ),
  isActive: Type.Optional(Type.Boolean({ default: true })),
})

export const TemplateSchema = Type.Object(
  {
    _id: IdSchema("message-template"),
    event: Type.String(),
    channelId: IdSchema("channel"),
    kind: Type.String(),
    hubId: NullableText,
    flowId: NullableText,
    language: Type.String(),
    subject: Type.String(),
    body: Type.String(),
    isActive: Type.Boolean(),
  },
  { title: "CustomerMessageTemplate" },
)

export const MessageSchema = Type.Object(
  {
    _id: IdSchema("customer-message"),
    taskId: Type.Union([Type.String(), Type.Null()], {
      description: "null: about a request that has no task",
    }),
    event: Type.String(),
    kind: Type.String(),
    channelId: Type.String(),
    recipient: Type.String(),
    language: Type.String(),
    subject: NullableText,
    body: NullableText,
    status: Type.String({ description: messageStatuses.join(", ") }),
    reason: NullableText,
    attempts: Type.Integer(),
    providerId: NullableText,
    providerStatus: NullableText,
    cost: Type.Number(),
    createdTime: Type.String(),
    runTime: Type.String({ description: "Not sent before" }),
    sentTime: NullableText,
    resendOf: Type.Union([Type.String(), Type.Null()], {
      description: "The message that a person sent again by this one",
    }),
  },
  { title: "CustomerMessage" },
)
