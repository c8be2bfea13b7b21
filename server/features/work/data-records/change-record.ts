import { type Caller, hasHub } from "#core/access/caller.ts"
import { databaseErrorOf, json, type Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { type DataTypeRow, holdDataTypes, readFields, readPrimaryKey } from "../data-types/index.ts"
import { dataErrors, refusedValues } from "./errors.ts"
import { emitRecords, publishRecords } from "./events.ts"
import { readLimit } from "./find/limit-user.ts"
import { findRecord, lockRecords } from "./queries.ts"
import type { RecordPatch } from "./schemas.ts"
import type { RecordRow } from "./wire.ts"
import { keyProblem } from "./write-records.ts"

export interface ChangeContext {
  /** `replace` clears the fields that are not sent, `change` leaves them. */
  stage: "replace" | "change"
  now: Temporal.Instant
  live: LiveEvents
  /** Called with the record's type before anything is written; may throw. */
  look(type: DataTypeRow): void
}

/** Changes one record: its values, its key, its hub, and who may see it. Its type stays. */
export async function changeRecord(
  tx: Tx,
  caller: Caller,
  recordId: string,
  body: RecordPatch,
  context: ChangeContext,
): Promise<RecordRow> {
  const seen = await findRecord(tx, caller, recordId)
  if (!seen) throw dataErrors.notFound()
  const [type] = await holdDataTypes(tx, caller, [seen.dataTypeId])
  const [before] = await lockRecords(tx, caller, [recordId])
  if (!type || !before) throw dataErrors.notFound()
  if (body.dataTypeId !== undefined && body.dataTypeId.toLowerCase() !== type.id)
    throw dataErrors.typeChanged()
  context.look(type)
  const hubId = await wantedHub(tx, caller, type, before, body, context)
  const key = body.dataId === undefined ? { value: before.dataId } : readPrimaryKey(body.dataId)
  const read = readFields(type.fields, body, context.stage)
  const limit = readLimit(body.limitUser)
  const problems = [
    ...("reason" in key ? [keyProblem(type, key)] : []),
    ...read.problems,
    ...("problem" in limit ? [limit.problem] : []),
  ]
  if (problems.length > 0 || "reason" in key) throw refusedValues(problems)
  const touched = [...Object.keys(read.values), ...read.cleared]
  const base = context.stage === "replace" ? tx`'{}'::jsonb` : undefined
  await refuseTakenKey(
    () => tx`
      update data_records set
        "values" = ${base ?? tx`"values" - ${touched}::text[]`} || ${json(tx, read.values)}::jsonb,
        ordered = ${base ?? tx`ordered - ${touched}::text[]`} || ${json(tx, read.ordered)}::jsonb,
        hub_id = ${hubId}, data_id = ${key.value},
        ${"emails" in limit ? tx`limit_user = ${limit.emails},` : tx``}
        updated_by = ${caller.email}, updated_time = ${context.now}
      where organization_id = ${caller.organizationId} and id = ${before.id}`,
  )
  const touchedHubs = [...new Set([before.hubId, hubId])]
  const announced = touchedHubs.map((hub) => ({ id: before.id, dataTypeId: type.id, hubId: hub }))
  await publishRecords(tx, context.live, "data.updated", caller.organizationId, announced)
  const written = await readWritten(tx, caller, before.id)
  await emitRecords(tx, context.live, "onRecordUpdated", [written])
  return written
}

async function wantedHub(
  tx: Tx,
  caller: Caller,
  type: DataTypeRow,
  before: RecordRow,
  body: RecordPatch,
  { stage }: ChangeContext,
): Promise<string | null> {
  if (type.commonData) return null
  if (!body.hubId) {
    if (stage === "replace") throw dataErrors.hubMissing({ fields: { hubId: ["is required"] } })
    return before.hubId
  }
  const hubId = body.hubId.toLowerCase()
  const rows = await tx`
    select id from hubs where organization_id = ${caller.organizationId} and id = ${hubId} for key share`
  if (rows.length === 0 || !hasHub(caller, hubId)) throw dataErrors.badHub()
  return hubId
}

async function refuseTakenKey(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "data_records_key")
      throw dataErrors.keyTaken({ cause: error, fields: { dataId: ["already exists"] } })
    throw error
  }
}

/** What was written, even when the writer has just limited it to other people. */
export async function readWritten(tx: Tx, caller: Caller, recordId: string): Promise<RecordRow> {
  const record = await findRecord(tx, { ...caller, isOwner: true }, recordId)
  if (!record) throw new Error("a record vanished in the transaction that wrote it")
  return record
}
