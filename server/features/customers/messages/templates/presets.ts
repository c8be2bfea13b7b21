import { type Static, Type } from "typebox"

const Template = (description: string) => Type.String({ maxLength: 10_000, description })

/**
 * How a provider is called: texts with placeholders `{{to}}`, `{{from}}`, `{{text}}`, `{{subject}}`, `{{reference}}` (the id
 * of the message), `{{callbackUrl}}`, and `{{secret.<name>}}` or `{{<variable>}}` of the channel.
 */
export const RequestSchema = Type.Object(
  {
    url: Template("Address; values are percent-encoded"),
    headers: Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 4000 }), { default: {} }),
    basicAuth: Type.Optional(Template("name:password, sent as HTTP Basic authentication")),
    encoding: Type.Unsafe<"json" | "form">(Type.String({ enum: ["json", "form"], default: "json" })),
    body: Type.Unknown({
      description: "JSON in whose texts placeholders are filled in; an object of texts for a form",
    }),
    idPath: Type.String({
      default: "",
      maxLength: 200,
      description: "Where the response has the provider's id: messages.0.id; empty: nowhere",
    }),
    isIdempotent: Type.Boolean({
      default: false,
      description: "The provider sends a message once however often the same `{{reference}}` arrives",
    }),
    lookup: Type.Optional(
      Type.Object(
        {
          url: Template("Asked before a message is sent again whose first attempt was interrupted"),
          listPath: Type.String({
            maxLength: 200,
            description: "Where the response has a list; empty: it counts as sent",
          }),
          field: Type.Optional(
            Type.String({ maxLength: 100, description: "The field that must equal `equals`" }),
          ),
          equals: Type.Optional(Template("Such as {{text}}")),
        },
        { description: "How to find out whether the provider already has a message" },
      ),
    ),
  },
  { title: "MessageProviderRequest" },
)
export type ProviderRequest = Static<typeof RequestSchema>

export const callbackKinds = ["secret", "twilio", "meta", "vonage"] as const
export type CallbackKind = (typeof callbackKinds)[number]

/** Where a callback of the provider has what. Paths lead through lists by their first entry. */
export interface CallbackPaths {
  id: readonly string[]
  status: readonly string[]
  from: readonly string[]
  text: readonly string[]
}

export interface Preset {
  request: ProviderRequest
  /** Names of the secrets that a channel needs, and of its other values. */
  secrets: readonly string[]
  variables: readonly string[]
  callback: CallbackKind
  paths: CallbackPaths
}

const json = "application/json"

export const presets = {
  twilio: {
    secrets: ["accountSid", "authToken"],
    variables: ["from"],
    callback: "twilio",
    paths: { id: ["MessageSid"], status: ["MessageStatus"], from: ["From"], text: ["Body"] },
    request: {
      url: "https://api.twilio.com/2010-04-01/Accounts/{{secret.accountSid}}/Messages.json",
      headers: {},
      basicAuth: "{{secret.accountSid}}:{{secret.authToken}}",
      encoding: "form",
      body: { To: "{{to}}", From: "{{from}}", Body: "{{text}}", StatusCallback: "{{callbackUrl}}" },
      idPath: "sid",
      isIdempotent: false,
      lookup: {
        url: "https://api.twilio.com/2010-04-01/Accounts/{{secret.accountSid}}/Messages.json?To={{to}}&PageSize=50",
        listPath: "messages",
        field: "body",
        equals: "{{text}}",
      },
    },
  },
  vonage: {
    secrets: ["apiKey", "apiSecret", "signatureSecret"],
    variables: ["from", "channel"],
    callback: "vonage",
    paths: { id: ["message_uuid"], status: ["status"], from: ["from"], text: ["text"] },
    request: {
      url: "https://api.nexmo.com/v1/messages",
      headers: { accept: json },
      basicAuth: "{{secret.apiKey}}:{{secret.apiSecret}}",
      encoding: "json",
      body: {
        message_type: "text",
        channel: "{{channel}}",
        to: "{{to}}",
        from: "{{from}}",
        text: "{{text}}",
        client_ref: "{{reference}}",
        webhook_url: "{{callbackUrl}}",
      },
      idPath: "message_uuid",
      isIdempotent: false,
    },
  },
  infobip: {
    secrets: ["apiKey"],
    variables: ["from", "host"],
    callback: "secret",
    paths: {
      id: ["results.0.messageId"],
      status: ["results.0.status.groupName"],
      from: ["results.0.from", "results.0.sender"],
      text: ["results.0.text", "results.0.message.text"],
    },
    request: {
      url: "https://{{host}}/sms/3/messages",
      headers: { authorization: "App {{secret.apiKey}}", accept: json },
      encoding: "json",
      body: {
        messages: [
          {
            sender: "{{from}}",
            destinations: [{ to: "{{to}}", messageId: "{{reference}}" }],
            content: { text: "{{text}}" },
            webhooks: { delivery: { url: "{{callbackUrl}}" }, contentType: json },
          },
        ],
      },
      idPath: "messages.0.messageId",
      isIdempotent: false,
      lookup: { url: "https://{{host}}/sms/3/logs?messageId={{reference}}", listPath: "results" },
    },
  },
  meta: {
    secrets: ["accessToken", "appSecret", "verifyToken"],
    variables: ["phoneNumberId", "templateName", "templateLanguage"],
    callback: "meta",
    paths: {
      id: ["entry.0.changes.0.value.statuses.0.id"],
      status: ["entry.0.changes.0.value.statuses.0.status"],
      from: ["entry.0.changes.0.value.messages.0.from"],
      text: ["entry.0.changes.0.value.messages.0.text.body"],
    },
    request: {
      url: "https://graph.facebook.com/v23.0/{{phoneNumberId}}/messages",
      headers: { authorization: "Bearer {{secret.accessToken}}" },
      encoding: "json",
      body: {
        messaging_product: "whatsapp",
        recipient_type: "individual",
        to: "{{to}}",
        type: "template",
        template: {
          name: "{{templateName}}",
          language: { code: "{{templateLanguage}}" },
          components: [{ type: "body", parameters: [{ type: "text", text: "{{line}}" }] }],
        },
        biz_opaque_callback_data: "{{reference}}",
      },
      idPath: "messages.0.id",
      isIdempotent: false,
    },
  },
  gateway: {
    secrets: ["user", "password"],
    variables: ["address"],
    callback: "secret",
    paths: {
      id: ["payload.messageId"],
      status: ["event"],
      from: ["payload.phoneNumber", "payload.sender"],
      text: ["payload.message"],
    },
    request: {
      url: "{{address}}/message",
      headers: {},
      basicAuth: "{{secret.user}}:{{secret.password}}",
      encoding: "json",
      body: {
        id: "{{reference}}",
        textMessage: { text: "{{text}}" },
        phoneNumbers: ["{{to}}"],
        withDeliveryReport: true,
      },
      idPath: "id",
      isIdempotent: true,
    },
  },
  http: {
    secrets: [],
    variables: [],
    callback: "secret",
    paths: { id: ["id", "messageId"], status: ["status"], from: ["from"], text: ["text", "message"] },
    request: {
      url: "",
      headers: { "idempotency-key": "{{reference}}" },
      encoding: "json",
      body: { to: "{{to}}", text: "{{text}}", reference: "{{reference}}", callbackUrl: "{{callbackUrl}}" },
      idPath: "id",
      isIdempotent: false,
    },
  },
} as const satisfies Record<string, Preset>
export type PresetName = keyof typeof presets

export const presetNames = Object.keys(presets) as PresetName[]

export function presetOf(name: string): Preset {
  return Object.hasOwn(presets, name) ? presets[name as PresetName] : presets.http
}
