import { Type } from "typebox"
import { IdSchema } from "#core/ids.ts"

export const noticeKinds = ["taskNew", "taskChanged", "taskCancelled", "message", "mention", "alert"] as const
export type NoticeKind = (typeof noticeKinds)[number]

const NullableText = Type.Union([Type.String(), Type.Null()])

const NoticeSchema = Type.Object(
  {
    _id: IdSchema("notice"),
    kind: Type.Unsafe<NoticeKind>(Type.Union(noticeKinds.map((kind) => Type.Literal(kind)))),
    taskId: NullableText,
    about: Type.Union([Type.String(), Type.Null()], {
      description: "Of messages and mentions: person, record or route; of alerts: alert; null for tasks",
    }),
    aboutId: NullableText,
    title: Type.Union([Type.String(), Type.Null()], {
      description: "Of the task, record or route, or the text of the alert, when the notice was written",
    }),
    count: Type.Integer({ description: "More than 1: the number of tasks that one change affected" }),
    createdBy: Type.String({ description: "E-mail of the person who made the change" }),
    createdTime: Type.String(),
    isRead: Type.Boolean(),
  },
  { title: "Notice" },
)

export const NoticesQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  before: Type.Optional(IdSchema("notice")),
})

export const NoticesResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Array(NoticeSchema),
  unread: Type.Integer({ description: "Unread notices in all" }),
})

export const ReadBody = Type.Object(
  {
    noticeIds: Type.Optional(
      Type.Array(IdSchema("notice"), { maxItems: 500, description: "Absent: all notices" }),
    ),
  },
  { title: "ReadNotices" },
)

export const UnreadResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  unread: Type.Integer(),
})

export const PushKeyResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  publicKey: Type.String({ description: "The `applicationServerKey` of subscriptions, base64url" }),
})

const endpoint = Type.String({ minLength: 1, maxLength: 2000, examples: ["https://push.example/send/abc"] })

export const SubscriptionBody = Type.Object(
  {
    endpoint,
    keys: Type.Object({
      p256dh: Type.String({ maxLength: 200 }),
      auth: Type.String({ maxLength: 100 }),
    }),
    language: Type.Optional(Type.String({ pattern: "^[a-z]{2}$", examples: ["en"] })),
  },
  { title: "PushSubscription" },
)

export const EndpointBody = Type.Object({ endpoint }, { title: "PushEndpoint" })

export const DoneResponse = Type.Object({ status: Type.Literal(true), message: Type.String() })
