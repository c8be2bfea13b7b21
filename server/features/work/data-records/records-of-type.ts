import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { rowsTable } from "#core/database/rows-table.ts"
import { valueNumber } from "#shared/values.ts"
import {
  convert,
  countedFields,
  type DataTypeRow,
  type Field,
  type FieldValue,
  type Impact,
  isEmptyValue,
  orderKeyOf,
  type RecordsOfType,
  type Repair,
  readFieldValue,
} from "../data-types/index.ts"

interface StoredRecord {
  id: string
  dataId: string
  createdTime: string
  values: Record<string, unknown>
  ordered: Record<string, number>
}

type Verdict =
  | { kind: "good" }
  | { kind: "convertible"; value: FieldValue }
  | { kind: "broken"; reason: string }

const batchSize = 5000
const maxExamples = 5

/** See `RecordsOfType`. */
export const recordsOfType: RecordsOfType = {
  hasAny: hasRecords,
  judge: judgeRecords,
  removeValues,
  recount: recountValues,
}

async function hasRecords(tx: Tx, caller: Caller, type: Pick<DataTypeRow, "id">): Promise<boolean> {
  const rows = await tx`
    select from data_records where organization_id = ${caller.organizationId} and data_type_id = ${type.id} limit 1`
  return rows.length > 0
}

async function judgeRecords(
  tx: Tx,
  caller: Caller,
  type: Pick<DataTypeRow, "id">,
  fields: readonly Field[],
  repairs: Readonly<Record<string, Repair>> | undefined,
): Promise<Impact> {
  const impact: Impact = {
    records: await countRecords(tx, caller, type),
    broken: 0,
    convertible: 0,
    fields: fields.map((field) => ({
      fieldId: field.id,
      title: field.title,
      broken: 0,
      convertible: 0,
      choices: choicesFor(field),
      examples: [],
    })),
  }
  if (fields.length === 0 || impact.records === 0) return { ...impact, fields: [] }
  let after: StoredRecord | undefined
  for (;;) {
    const batch = await readBatch(tx, caller, type, fields, after)
    const changes = batch.flatMap((record) => judgeRecord(record, fields, impact, repairs))
    if (repairs && changes.length > 0) await writeChanges(tx, caller, changes)
    if (batch.length < batchSize) break
    after = batch.at(-1)
  }
  impact.fields = impact.fields.filter((field) => field.broken > 0 || field.convertible > 0)
  return impact
}

function choicesFor(field: Field): Repair[] {
  return [
    "keep",
    "convert",
    ...(isEmptyValue(field.default) ? [] : (["default"] as const)),
    ...(field.required ? [] : (["clear"] as const)),
  ]
}

async function countRecords(tx: Tx, caller: Caller, type: Pick<DataTypeRow, "id">): Promise<number> {
  const rows = await tx<{ count: number }[]>`
    select count(*) as count from data_records
    where organization_id = ${caller.organizationId} and data_type_id = ${type.id}`
  return rows[0]?.count ?? 0
}

function readBatch(
  tx: Tx,
  caller: Caller,
  type: Pick<DataTypeRow, "id">,
  fields: readonly Field[],
  after: StoredRecord | undefined,
): Promise<StoredRecord[]> {
  const ids = fields.map((field) => field.id)
  return tx<StoredRecord[]>`
    select id, data_id, created_time::text as created_time, ordered,
      (select coalesce(jsonb_object_agg(f, "values"->f) filter (where "values"->f is not null), '{}')
        from unnest(${ids}::text[]) f) as "values"
    from data_records
    where organization_id = ${caller.organizationId} and data_type_id = ${type.id}
      ${after ? tx`and (created_time, id) > (${after.createdTime}::text::timestamptz, ${after.id})` : tx``}
    order by created_time, id limit ${batchSize}`
}

interface RecordChange {
  id: string
  written: Record<string, FieldValue>
  removed: string[]
  ordered: Record<string, number>
  /** Fields whose order keys `ordered` replaces. */
  judged: string[]
}

/** Adds the record to the counts; returns what to write into it, if anything. */
function judgeRecord(
  record: StoredRecord,
  fields: readonly Field[],
  impact: Impact,
  repairs: Readonly<Record<string, Repair>> | undefined,
): RecordChange[] {
  const judged = fields.map((field) => field.id)
  const change: RecordChange = { id: record.id, written: {}, removed: [], ordered: {}, judged }
  let worst: Verdict["kind"] = "good"
  for (const [index, field] of fields.entries()) {
    const stored = record.values[field.id]
    const verdict = judgeValue(field, stored)
    const counts = impact.fields[index]
    if (verdict.kind !== "good" && counts) {
      counts[verdict.kind]++
      if (worst !== "broken") worst = verdict.kind
      if (verdict.kind === "broken" && counts.examples.length < maxExamples)
        counts.examples.push({ dataId: record.dataId, value: stored ?? null, reason: verdict.reason })
    }
    repairValue(change, field, verdict, repairs?.[field.id] ?? "keep")
    const kept = change.written[field.id] ?? (change.removed.includes(field.id) ? undefined : stored)
    const key = orderKeyOf(field, kept)
    if (key !== undefined) change.ordered[field.id] = key
  }
  if (worst !== "good") impact[worst]++
  const isReordered = judged.some((id) => change.ordered[id] !== record.ordered[id])
  const isRewritten = Object.keys(change.written).length > 0 || change.removed.length > 0
  return repairs && (isRewritten || isReordered) ? [change] : []
}

function judgeValue(field: Field, stored: unknown): Verdict {
  if (isEmptyValue(stored))
    return field.required ? { kind: "broken", reason: "is required" } : { kind: "good" }
  const read = readFieldValue(field, stored)
  // Records keep numbers in the form in which they came; a field that becomes one of numbers can convert its texts.
  const number = field.type === "number" && typeof stored === "string" ? valueNumber(stored) : undefined
  if (number !== undefined) return { kind: "convertible", value: number }
  if ("value" in read) {
    if (read.value === stored) return { kind: "good" }
    return { kind: "convertible", value: read.value }
  }
  const converted = convert(field, stored)
  return converted === undefined
    ? { kind: "broken", reason: read.reason }
    : { kind: "convertible", value: converted }
}

function repairValue(change: RecordChange, field: Field, verdict: Verdict, repair: Repair): void {
  if (repair === "keep" || verdict.kind === "good") return
  if (verdict.kind === "convertible") {
    change.written[field.id] = verdict.value
    return
  }
  if (repair === "clear") change.removed.push(field.id)
  if (repair !== "default" || isEmptyValue(field.default)) return
  const read = readFieldValue(field, field.default)
  if ("value" in read) change.written[field.id] = read.value
}

/** Values and order keys of the judged fields. Records whose values stay keep their time of change. */
async function writeChanges(tx: Tx, caller: Caller, changes: readonly RecordChange[]): Promise<void> {
  await tx`
    update data_records r set
      "values" = (r."values" || c.written) - array(select jsonb_array_elements_text(c.removed)),
      ordered = c.ordered || (r.ordered - array(select jsonb_array_elements_text(c.judged))),
      updated_by = case when c.rewrites then ${caller.email} else r.updated_by end,
      updated_time = case when c.rewrites then now() else r.updated_time end
    from (
      select *, written <> '{}' or removed <> '[]' as rewrites
      from ${rowsTable(tx, "change", changes, {
        id: ["id", ({ id }) => id],
        written: ["json", ({ written }) => written],
        removed: ["json", ({ removed }) => removed],
        ordered: ["json", ({ ordered }) => ordered],
        judged: ["json", ({ judged }) => judged],
      })}) c
    where r.organization_id = ${caller.organizationId} and r.id = c.id`
}

async function removeValues(
  tx: Tx,
  caller: Caller,
  type: Pick<DataTypeRow, "id">,
  fieldIds: readonly string[],
): Promise<void> {
  const ids = fieldIds as string[]
  await tx`
    update data_records set "values" = "values" - ${ids}::text[], ordered = ordered - ${ids}::text[],
      updated_by = ${caller.email}, updated_time = now()
    where organization_id = ${caller.organizationId} and data_type_id = ${type.id} and "values" ?| ${ids}::text[]`
}

async function recountValues(
  tx: Tx,
  caller: Caller,
  type: Pick<DataTypeRow, "id">,
  before: readonly Field[],
  after: readonly Field[],
): Promise<void> {
  const [old, now] = [new Set(countedFields(before)), new Set(countedFields(after))]
  const stale = [...old.symmetricDifference(now)]
  if (stale.length === 0) return
  const { organizationId } = caller
  await tx`delete from data_counts where organization_id = ${organizationId} and data_type_id = ${type.id} and field_id = any (${stale})`
  await tx`delete from data_count_changes where organization_id = ${organizationId} and data_type_id = ${type.id} and field_id = any (${stale})`
  const fresh = [...now.difference(old)]
  if (fresh.length === 0) return
  await tx`
    insert into data_counts (organization_id, data_type_id, hub_id, field_id, value, count)
    select ${organizationId}, ${type.id}, coalesce(hub_id, ''), f, "values"->>f, count(*)
    from data_records cross join unnest(${fresh}::text[]) f
    where organization_id = ${organizationId} and data_type_id = ${type.id} and length("values"->>f) <= 255
    group by 3, 4, 5`
}
