import { type Static, Type } from "typebox"
import type { EntryRow, HistoryRow, PartRow } from "#core/audit-trail/entries.ts"
import { IdSchema } from "#core/ids.ts"
import { toT1 } from "#shared/wire-time.ts"
import { fieldChanges } from "./field-changes.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

const Actor = {
  actor: Type.Union([Type.String(), Type.Null()], {
    description: "E-mail; null for callers who are not signed in and for the system",
  }),
  actorName: NullableText,
  actorKind: Type.Union([Type.String(), Type.Null()], {
    description: "person, token, device, automation, system or operator; null for entries of older versions",
  }),
  via: Type.Union([Type.String(), Type.Null()], {
    description: "console, phone, api, job, command or database; null for entries of older versions",
  }),
  operation: Type.Union([Type.String(), Type.Null()], {
    description: "The operationId of the call, or the name of the job or command",
  }),
  details: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
    description: "Further ids of what acted, such as tokenId, automationId or scheduleId",
  }),
}

export const EntrySchema = Type.Object(
  {
    _id: Type.String(),
    time: Type.String(),
    ...Actor,
    actorId: NullableText,
    address: NullableText,
    requestId: Type.Union([Type.String(), Type.Null()], { description: "The x-request-id of the call" }),
    action: Type.String({ description: "For example role.update or session.refuse" }),
    targetType: Type.String(),
    targetId: NullableText,
    targetName: NullableText,
    before: Type.Unknown(),
    after: Type.Unknown(),
    partCount: Type.Integer({
      description: "How many changes of objects the entry has, counted up to 1,001. See its parts",
    }),
  },
  { title: "AuditLogEntry" },
)

const FieldChange = Type.Object({
  field: Type.String({ description: "As the API names it; values of components as values.<id>" }),
  before: Type.Unknown(),
  after: Type.Unknown(),
})

export const PartSchema = Type.Object(
  {
    number: Type.Integer({ description: "Of the change; send the last one as after to read on" }),
    change: Type.String({ description: "create, update or delete" }),
    objectType: Type.String(),
    objectId: Type.String(),
    objectName: NullableText,
    hubId: NullableText,
    changes: Type.Array(FieldChange),
  },
  { title: "AuditLogPart" },
)

export const HistorySchema = Type.Object(
  {
    _id: Type.String({ description: "The entry of the audit log that the change belongs to" }),
    time: Type.String(),
    ...Actor,
    action: Type.String(),
    ...PartSchema.properties,
  },
  { title: "HistoryEntry" },
)

export const EntryParams = Type.Object({ actionId: IdSchema("action") })

export function toWireEntry(row: EntryRow): Static<typeof EntrySchema> {
  const { id, time, actorEmail, ...rest } = row
  return { ...rest, _id: id, time: toT1(time), actor: actorEmail }
}

export function toWirePart({ before, after, ...part }: PartRow): Static<typeof PartSchema> {
  return { ...part, changes: fieldChanges(before, after) }
}

export function toWireHistory(row: HistoryRow): Static<typeof HistorySchema> {
  const { entryId, time, actorEmail, actorName, actorKind, via, operation, action, details, ...part } = row
  const actor = { actor: actorEmail, actorName, actorKind, via, operation, details }
  return { ...toWirePart(part), ...actor, _id: entryId, time: toT1(time), action }
}
