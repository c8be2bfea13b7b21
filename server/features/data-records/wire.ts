import type { Id } from "#core/ids.ts"
import { toT3 } from "#shared/wire-time.ts"
import type { FieldValue } from "../data-types/index.ts"

export interface RecordRow {
  id: Id<"data-record">
  organizationId: Id<"organization">
  dataTypeId: Id<"data-type">
  dataTypeName: string
  hubId: Id<"hub"> | null
  dataId: string
  values: Record<string, FieldValue>
  limitUser: string[] | null
  createdBy: string | null
  updatedBy: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

/** A record as callers see it: the values of its fields flat beside the keys that every record has. */
export function toWireRecord(row: RecordRow) {
  return {
    ...row.values,
    _id: row.id,
    dataId: row.dataId,
    dataTypeId: row.dataTypeId,
    ...(row.hubId === null ? {} : { hubId: row.hubId }),
    limitUser: row.limitUser,
    data_type: { _id: row.dataTypeId, name: row.dataTypeName },
    organizationId: row.organizationId,
    createdBy: row.createdBy,
    updatedBy: row.updatedBy,
    createdTime: toT3(row.createdTime),
    updatedTime: toT3(row.updatedTime),
  }
}
