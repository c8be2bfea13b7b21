import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import { newId } from "#core/ids.ts"
import type { SealingKeys } from "#core/security/sealing.ts"
import { moveToTrash } from "#core/trash.ts"
import { checkFields } from "./check-fields.ts"
import { dataTypeErrors } from "./errors.ts"
import { type Field, primaryKeyId } from "./field.ts"
import {
  type DataTypeRow,
  findDataTypeByName,
  insertDataType,
  lockDataType,
  updateDataTypeRow,
} from "./queries.ts"
import { readProvider } from "./read-provider.ts"
import { fieldsToJudge, type Impact, type Repair, type TypeUses } from "./records-of-type.ts"
import type { DataTypePatch, NewDataTypeBody } from "./schemas.ts"

export interface TypeChange extends TypeUses {
  live: LiveEvents
  config: SealingKeys
  /** The caller's network address, for the audit log. */
  address: string
}

export async function createDataType(
  tx: Tx,
  caller: Caller,
  body: NewDataTypeBody,
  change: TypeChange,
): Promise<DataTypeRow> {
  const provider = body.provider ?? "internal"
  const id = newId<"data-type">()
  const type = await insertDataType(tx, caller, {
    id,
    name: checkName(body.name),
    fields: checkFields(body.fields),
    limitUser: body.limitUser ?? false,
    commonData: body.commonData ?? false,
    provider,
    ...(await readProvider({ sql: tx, config: change.config }, { id, provider }, body.providerConfig)),
  })
  if (!type) throw dataTypeErrors.nameTaken()
  await note(tx, caller, change, "dataType.create", undefined, type)
  return type
}

export interface ChangedType {
  type: DataTypeRow
  impact: Impact
}

/**
 * Changes what is sent of a type. Its records follow in the same transaction: `deleteFields` leave them,
 * values that a changed field refuses are treated as `repairs` says. A dry run writes nothing.
 */
export async function changeDataType(
  tx: Tx,
  caller: Caller,
  dataTypeId: string,
  body: DataTypePatch,
  change: TypeChange & { dryRun: boolean },
): Promise<ChangedType> {
  const before = await lockDataType(tx, caller, dataTypeId)
  if (!before) throw dataTypeErrors.notFound()
  if (body.provider !== undefined && body.provider !== before.provider) throw dataTypeErrors.immutable()
  const wanted: DataTypeRow = {
    ...before,
    name: body.name === undefined ? before.name : checkName(body.name),
    fields: body.fields === undefined ? before.fields : checkFields(body.fields),
    limitUser: body.limitUser ?? before.limitUser,
    ...(body.providerConfig === undefined
      ? {}
      : await readProvider({ sql: tx, config: change.config }, before, body.providerConfig)),
  }
  const other = await findDataTypeByName(tx, caller, wanted.name)
  if (other && other.id !== before.id) throw dataTypeErrors.nameTaken()
  const removed = checkDeletedFields(body.deleteFields ?? [], wanted.fields)
  const judged = fieldsToJudge(before.fields, wanted.fields)
  if (change.dryRun)
    return { type: wanted, impact: await change.records.judge(tx, caller, before, judged, undefined) }
  checkRepairs(body.repairs ?? {}, wanted.fields)
  const type = await updateDataTypeRow(tx, caller, wanted)
  if (!type) throw new Error("a data type vanished in the transaction that locked it")
  if (removed.length > 0) await change.records.removeValues(tx, caller, type, removed)
  const impact = await change.records.judge(tx, caller, type, judged, body.repairs ?? {})
  refuseUnconverted(impact, body.repairs ?? {})
  await change.records.recount(tx, caller, type, before.fields, type.fields)
  await note(tx, caller, change, "dataType.update", before, type)
  return { type, impact }
}

/** Deletes a type that nothing uses any more, and keeps it in the trash. */
export async function deleteDataType(
  tx: Tx,
  caller: Caller,
  dataTypeId: string,
  change: TypeChange,
): Promise<DataTypeRow> {
  const type = await lockDataType(tx, caller, dataTypeId)
  if (!type) throw dataTypeErrors.notFound()
  const hasRecords = await change.records.hasAny(tx, caller, type)
  const flow = await change.findFlowWithType(tx, caller, type.id)
  if (hasRecords || flow !== undefined) {
    const by = hasRecords ? "has records: delete them" : `is used by the flow ${flow}: take it out there`
    throw dataTypeErrors.referenced({ message: `This data type still ${by} first` })
  }
  // The row without the credential of the service: the trash is shown to people.
  const [kept] = await tx<{ content: unknown }[]>`
    select to_jsonb(data_types) - 'provider_key' as content from data_types
    where organization_id = ${caller.organizationId} and id = ${type.id}`
  await moveToTrash(tx, caller, [
    { type: "Data Type", name: type.name, sourceId: type.id, content: kept?.content },
  ])
  await tx`delete from data_types where organization_id = ${caller.organizationId} and id = ${type.id}`
  await note(tx, caller, change, "dataType.delete", type, undefined)
  return type
}

function checkName(raw: string): string {
  const name = raw.trim()
  if (name === "" || name.length > 255 || /[/\p{Cc}]/u.test(name) || !name.isWellFormed())
    throw dataTypeErrors.badName()
  return name
}

function checkDeletedFields(ids: readonly string[], fields: readonly Field[]): string[] {
  if (ids.some((id) => id === primaryKeyId || fields.some((field) => field.id === id)))
    throw dataTypeErrors.keyNotDeletable()
  return [...new Set(ids)]
}

function checkRepairs(repairs: Readonly<Record<string, Repair>>, fields: readonly Field[]): void {
  for (const [fieldId, repair] of Object.entries(repairs)) {
    const field = fields.find((candidate) => candidate.id === fieldId)
    const reason = !field
      ? "is not a field of this data type"
      : repair === "clear" && field.required
        ? "is required, so its values cannot be cleared"
        : repair === "default" && field.default === null
          ? "has no default"
          : undefined
    if (reason)
      throw dataTypeErrors.badField({
        message: `repairs: ${fieldId} ${reason}`,
        fields: { [`repairs.${fieldId}`]: [reason] },
      })
  }
}

function refuseUnconverted(impact: Impact, repairs: Readonly<Record<string, Repair>>): void {
  const left = impact.fields.filter((field) => repairs[field.fieldId] === "convert" && field.broken > 0)
  const first = left[0]
  if (!first) return
  const example = first.examples[0]
  throw dataTypeErrors.notConvertible({
    message: `${first.broken} records have a value of ${first.title} that cannot be converted, for example ${example?.dataId}. Choose default, clear or keep`,
    fields: Object.fromEntries(
      left.map((field) => [field.fieldId, field.examples.map(({ reason }) => reason)]),
    ),
    extra: { impact },
  })
}

async function note(
  tx: Tx,
  caller: Caller,
  change: TypeChange,
  action: string,
  before: DataTypeRow | undefined,
  after: DataTypeRow | undefined,
): Promise<void> {
  const type = after ?? before
  if (!type) return
  await audit(tx, actorOf(caller, change.address), {
    action,
    targetType: "dataType",
    targetId: type.id,
    targetName: type.name,
    before: before && settingsOf(before),
    after: after && settingsOf(after),
  })
  await publish(tx, change.live, "dataType.changed", {
    organizationId: caller.organizationId,
    content: { dataTypeId: type.id },
  })
}

/** Never with the provider's key. */
function settingsOf({ name, fields, limitUser, commonData, provider, providerConfig }: DataTypeRow) {
  return { name, fields, limitUser, commonData, provider, url: providerConfig?.url ?? null }
}
