import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { type ConversationKind, conversationKinds } from "./conversation.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

export const ConversationKey = {
  taskId: Type.Optional(IdSchema("task")),
  userId: Type.Optional(IdSchema("user")),
  recordId: Type.Optional(IdSchema("data-record")),
  resultId: Type.Optional(IdSchema("result")),
}

export const MessageSchema = Type.Object(
  {
    _id: IdSchema("message"),
    messageId: Type.String({ description: "As chosen by the author's client" }),
    authorId: Type.String(),
    author: Type.String({ description: "Name of the author" }),
    text: Type.String(),
    photos: Type.Array(Type.String({ description: "Address of a stored file" })),
    mentions: Type.Array(Type.String({ description: "Id of a member whom the author named" })),
    writtenTime: Type.String({ description: "On the author's device" }),
    createdTime: Type.String({ description: "When the server received it" }),
  },
  { title: "Message" },
)

export const MessagesQuery = Type.Object({
  ...ConversationKey,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  before: Type.Optional(IdSchema("message")),
})

export const MessagesResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Array(MessageSchema),
  readers: Type.Array(
    Type.Object(
      { userId: Type.String(), name: Type.String(), readUntil: Type.String() },
      { title: "MessageReader" },
    ),
    { description: "Who else has read the conversation, and the time of the last message that they read" },
  ),
})

export const MentionableQuery = Type.Object({
  ...ConversationKey,
  q: Type.Optional(Type.String({ maxLength: 200, description: "Part of a name or e-mail" })),
})

export const MentionableResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Array(
    Type.Object({ _id: IdSchema("user"), name: Type.String() }, { title: "MentionablePerson" }),
    { description: "At most 20" },
  ),
})

export const NewMessageBody = Type.Object(
  {
    ...ConversationKey,
    messageId: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9_-]{8,64}$",
        examples: ["8f14e45fceea167a"],
        description: "Chosen by the client. Repeated calls with it send one message",
      }),
    ),
    text: Type.Optional(Type.String({ maxLength: 4000 })),
    photos: Type.Optional(
      Type.Array(Type.String({ maxLength: 2000 }), {
        maxItems: 10,
        description: "Addresses that POST /task/photo returned",
      }),
    ),
    mentions: Type.Optional(
      Type.Array(IdSchema("user"), {
        maxItems: 20,
        description: "Ids of members to notify. They must be able to see what the message is about",
      }),
    ),
    writtenTime: Type.Optional(Type.String({ format: "wire-date-time" })),
  },
  { title: "NewMessage" },
)
export type NewMessage = Static<typeof NewMessageBody>

export const MessageResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: MessageSchema,
})

export const ReadBody = Type.Object(
  { ...ConversationKey, until: IdSchema("message") },
  { title: "ReadMessages" },
)

export const DoneResponse = Type.Object({ status: Type.Literal(true), message: Type.String() })

export const ConversationsResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Array(
    Type.Object(
      {
        about: Type.Unsafe<ConversationKind>(Type.Union(conversationKinds.map((kind) => Type.Literal(kind)))),
        taskId: NullableText,
        userId: NullableText,
        recordId: NullableText,
        resultId: NullableText,
        title: Type.String({ description: "Of the task, record or route, or the person's name" }),
        lastAuthor: Type.String(),
        lastText: Type.String(),
        lastTime: Type.String(),
        unread: Type.Integer({ description: "At most 100" }),
      },
      { title: "Conversation" },
    ),
  ),
  quickReplies: Type.Array(Type.String(), {
    description: "Texts that the organization offers to send with one tap",
  }),
})
