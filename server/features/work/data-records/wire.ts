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

interface CreatedRecord {
  id: string
  hubId: string | null
  dataId: string
  valuesJson: string
  limitUser: readonly string[] | null | undefined
}

/**
 * Writes records of one type that were made just now as JSON, as `toWireRecord` would show them. What they have in
 * common is written once: a file of a million rows goes through here.
 */
export function createdRecordJson(
  type: Pick<RecordRow, "organizationId"> & { id: string; name: string },
  { email }: { email: string },
  now: Temporal.Instant,
): (record: CreatedRecord) => string {
  const time = toT3(now)
  const common = JSON.stringify({
    dataTypeId: type.id,
    data_type: { _id: type.id, name: type.name },
    organizationId: type.organizationId,
    createdBy: email,
    updatedBy: null,
    createdTime: time,
    updatedTime: time,
  }).slice(1)
  return ({ id, hubId, dataId, valuesJson, limitUser }) => {
    const values = valuesJson === "{}" ? "{" : `${valuesJson.slice(0, -1)},`
    const hub = hubId === null ? "" : `"hubId":"${hubId}",`
    const limit = limitUser ? JSON.stringify(limitUser) : "null"
    return `${values}"_id":"${id}","dataId":${JSON.stringify(dataId)},${hub}"limitUser":${limit},${common}`
  }
}
