import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { type TaskField, taskFields } from "#shared/task-fields.ts"

const DateTime = Type.Optional(
  Type.String({ format: "wire-date-time", description: "Y-m-d H:i:s or ISO 8601; no offset means UTC" }),
)

/** Fields of the catalogue that clients send. Their values are read, and refused, by `client-attributes.ts`. */
function sentFields(isSent: (field: TaskField) => boolean): object {
  return Object.fromEntries(
    Object.entries(taskFields).flatMap(([name, field]) =>
      field.description !== undefined && isSent(field)
        ? [[name, Type.Optional(Type.Unknown({ description: field.description }))]]
        : [],
    ),
  )
}

const plannedFields = sentFields(({ sent }) => sent?.[0] === "planner")
const describedFields = sentFields(({ sent }) => sent !== undefined)

/** The base fields of a new task. Component values are next to them under their component ids. */
export const TaskBody = Type.Object(
  {
    flow: Type.String({ minLength: 1, description: "Name of the flow" }),
    hubId: IdSchema("hub"),
    startTime: DateTime,
    endTime: DateTime,
    assignee: Type.Optional(
      Type.Array(Type.String(), {
        description: "E-mails, or ids of teams for all their members; comma-separated text is accepted too",
      }),
    ),
    refId: Type.Optional(Type.String({ maxLength: 255 })),
    orderIndex: Type.Optional(Type.Number()),
    createdFrom: Type.Optional(
      Type.String({ description: "WEB, API (default), Automation, Mobile or SCHEDULER" }),
    ),
    ...plannedFields,
  },
  { title: "TaskInput", additionalProperties: true },
)
export type TaskBody = Static<typeof TaskBody>

export const TaskPatch = Type.Object(
  {
    flow: Type.Optional(Type.String({ description: "The task's own flow, which cannot change" })),
    hubId: Type.Optional(IdSchema("hub")),
    startTime: DateTime,
    endTime: DateTime,
    assignee: Type.Optional(Type.Array(Type.String())),
    refId: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
    orderIndex: Type.Optional(Type.Number()),
    status: Type.Optional(Type.String({ description: "DONE finishes the task; other values are ignored" })),
    doneTime: DateTime,
    doneFor: Type.Optional(
      Type.String({
        description: "E-mail of the assignee who did the work; needs edit/task. Without it, the caller did",
      }),
    ),
    ...describedFields,
    nextAttempt: Type.Optional(
      Type.Unknown({
        description:
          "With a failed outcome: true, or {startTime, endTime, assignee}, creates the next attempt as a new task; false does not",
      }),
    ),
  },
  { title: "TaskPatch", additionalProperties: true },
)
export type TaskPatch = Static<typeof TaskPatch>

/** What PUT takes: everything that a new task takes, and the state. */
export const TaskReplacement = Type.Object(
  {
    ...TaskPatch.properties,
    flow: Type.String({ minLength: 1, description: "The task's own flow, which cannot change" }),
    hubId: IdSchema("hub"),
  },
  { additionalProperties: true },
)

export const createdFromWords = ["WEB", "API", "Automation", "Mobile", "SCHEDULER"] as const
