import type { Caller } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database.ts"
import { type Cell, isBlankCell } from "#core/spreadsheets/cell.ts"
import { cellToText } from "#core/spreadsheets/cell-text.ts"
import { parseDateTime } from "#shared/wire-time.ts"
import {
  type RecordInput,
  type RecordSnapshot,
  removeUntouchedRecords,
  restoreUntouchedRecords,
  snapshotRecords,
  writeRecords,
} from "../data-records/index.ts"
import {
  type FieldKind as DataKind,
  type DataTypeRow,
  type Field,
  findDataType,
  holdDataTypes,
  primaryKeyId,
  type ReadFields,
  readFields,
} from "../data-types/index.ts"
import { numberOrText, type Reading } from "./cell-values.ts"
import type { ImportMode } from "./settings.ts"
import {
  type FieldKind,
  type ImportField,
  type Line,
  type Outcome,
  refused,
  samplePhoneNumber,
  type Target,
  type WriteContext,
} from "./target.ts"

export interface DataTargetSettings {
  dataTypeId: string
  hubId: string | null
  mode: ImportMode
  reading: Reading
}

const limitUserField: ImportField = {
  id: "limitUser",
  title: "Limit User",
  kind: "email",
  help: "E-mail addresses of those who may see the record, separated by commas. Empty: you",
}

/** Rows become records of a data type. Undefined when the type does not exist or is not stored here. */
export async function dataTarget(
  sql: Sql,
  caller: Pick<Caller, "organizationId">,
  settings: DataTargetSettings,
): Promise<Target | undefined> {
  const type = await findDataType(sql, caller, settings.dataTypeId)
  if (!type || type.provider === "external-api") return undefined
  const fields = [...type.fields.map(importField), ...(type.limitUser ? [limitUserField] : [])]
  const prepared = new WeakMap<Line, Prepared>()
  const writing: DataWriting = { ...settings, fields, type, prepared }
  return {
    fields,
    keyId: primaryKeyId,
    name: type.name,
    isCommon: type.commonData,
    uniqueKey: (line) => (prepared.get(line)?.key ?? cellToText(line.cell(primaryKeyId))) || undefined,
    prepare: (line) => void prepared.set(line, prepareLine(line, type, writing)),
    write: (tx, lines, context) => writeData(tx, lines, context, writing),
    removeCreated: (tx, ids, writtenTime, { caller, live }) =>
      removeUntouchedRecords(tx, caller, ids, writtenTime, live),
    restoreChanged: (tx, changed, writtenTime, { caller, now, live }) =>
      restoreUntouchedRecords(tx, caller, changed, writtenTime, { now, live }),
  }
}

const kinds: Record<DataKind, FieldKind> = {
  primaryKey: "text",
  text: "text",
  number: "number",
  option: "option",
  date: "date",
  dateTime: "dateTime",
  time: "time",
  geolocation: "coordinate",
  phoneNumber: "text",
  boolean: "boolean",
}

const helps: Partial<Record<DataKind, string>> = {
  number: "A number",
  date: "A date, Y-m-d",
  dateTime: "A date and time, Y-m-d H:i:s",
  time: "A time of day, H:i",
  geolocation: "latitude,longitude in degrees, such as 52.37,4.89",
  phoneNumber: "6 to 20 digits, + in front if you like",
  boolean: "true or false",
}

function importField(field: Field): ImportField {
  const isKey = field.primaryKey || field.id === primaryKeyId
  const help = field.description || helps[field.type]
  return {
    id: isKey ? primaryKeyId : field.id,
    title: field.title,
    kind: kinds[field.type],
    required: isKey || (field.required && field.default === null),
    ...(help ? { help } : {}),
    ...(field.type === "phoneNumber" ? { sample: samplePhoneNumber } : {}),
    ...(field.type === "option" ? { options: field.optionData, isStrict: true } : {}),
  }
}

interface DataWriting extends DataTargetSettings {
  fields: readonly ImportField[]
  /** As it was when the import was opened; what is written goes by the type as it then is. */
  type: DataTypeRow
  prepared: WeakMap<Line, Prepared>
}

interface Prepared {
  key: string
  input: RecordInput
  /** Read as a new record. Only when the mode is create, where every good row is one. */
  reading: ReadFields | undefined
}

function prepareLine(line: Line, type: DataTypeRow, writing: DataWriting): Prepared {
  const key = cellToText(line.cell(primaryKeyId))
  const input = readInput(line, key, type, writing)
  const reading = writing.mode === "create" ? readFields(type.fields, input, "create", "file") : undefined
  return { key, input, reading }
}

async function writeData(
  tx: Tx,
  lines: readonly Line[],
  { caller, now, live }: WriteContext,
  writing: DataWriting,
): Promise<Outcome[]> {
  const [type] = await holdDataTypes(tx, caller, [writing.type.id])
  if (!type) return lines.map(() => refused("", "", "the data type no longer exists"))
  const isSameType = type.updatedTime.equals(writing.type.updatedTime)
  const ready = lines.map(
    (line) => (isSameType ? writing.prepared.get(line) : undefined) ?? prepareLine(line, type, writing),
  )
  const hubId = type.commonData ? null : writing.hubId
  const keys = ready.flatMap(({ key }) => (key === "" ? [] : [key]))
  const stored = writing.mode === "create" ? [] : await snapshotRecords(tx, caller, type, hubId, keys)
  const byKey = new Map(stored.map((record) => [record.dataId, record]))
  const inputs = ready.map(({ input, key }) => withLimit(input, type, caller, byKey.get(key)))
  const changing = inputs.filter((input) => !isUnchanged(type, input, byKey.get(String(input.dataId))))
  const readings = new Map(ready.flatMap(({ input, reading }) => (reading ? [[input, reading]] : [])))
  const written = await writeRecords(tx, caller, type, changing, {
    mode: writing.mode,
    live,
    now,
    source: "file",
    readings,
  })
  const outcomes = new Map(changing.map((input, index) => [input, written[index]]))
  return inputs.map((input, index): Outcome => {
    const outcome = outcomes.get(input)
    const before = byKey.get(String(input.dataId))
    if (!outcome) return { kind: "unchanged", id: before?.id ?? "" }
    if ("problems" in outcome) {
      const line = lines[index]
      const textOf = (fieldId: string) => (line ? cellToText(line.cell(fieldId)) : "")
      // What a new record would need is no problem of an update that finds none.
      const own = outcome.problems.filter(
        ({ fieldId, reason }) =>
          writing.mode !== "update" || fieldId === primaryKeyId || reason !== "is required",
      )
      const problems = own.map(({ fieldId, title, reason }) => ({
        column: writing.fields.find(({ id }) => id === fieldId)?.title ?? title,
        value: textOf(fieldId),
        reason,
      }))
      return { kind: "refused", problems }
    }
    if (outcome.event === "create") return { kind: "created", id: outcome.id }
    return { kind: "changed", id: outcome.id, before: before?.before ?? null }
  })
}

/** A line as a call would send it; empty cells are left out, so that they neither change nor clear anything. */
function readInput(
  line: Line,
  dataId: string,
  type: DataTypeRow,
  { hubId, reading }: DataTargetSettings,
): RecordInput {
  const input: RecordInput = { dataId, ...(type.commonData || hubId === null ? {} : { hubId }) }
  for (const field of type.fields) {
    if (field.primaryKey || field.id === primaryKeyId) continue
    const cell = line.cell(field.id)
    if (!isBlankCell(cell)) input[field.id] = fieldValue(field, cell, reading)
  }
  const emails = type.limitUser ? cellToText(line.cell("limitUser")) : ""
  if (emails !== "") input.limitUser = emails
  return input
}

/** Of a type that limits its records, a new one without a list is the importer's. */
function withLimit(
  input: RecordInput,
  type: DataTypeRow,
  caller: Caller,
  stored: RecordSnapshot | undefined,
): RecordInput {
  if (type.limitUser && input.limitUser === undefined && !stored) input.limitUser = [caller.email]
  return input
}

function fieldValue(field: Field, cell: Cell, reading: Reading): unknown {
  switch (field.type) {
    case "number":
      return numberOrText(cell, reading)
    case "date":
      return cellToText(cell, "date")
    case "dateTime":
      return cellToText(cell, "dateTime")
    case "time":
      return cellToText(cell, "time")
    default:
      return cellToText(cell)
  }
}

/** Whether the record already is as the line says: values as they would be stored, times as moments. */
function isUnchanged(type: DataTypeRow, input: RecordInput, stored: RecordSnapshot | undefined): boolean {
  if (!stored) return false
  const { dataId: _key, hubId: _hub, limitUser, ...sent } = input
  const { values, problems } = readFields(type.fields, sent, "change", "file")
  if (problems.length > 0) return false
  if (limitUser !== undefined && !isSameList(String(limitUser), stored.limitUser ?? [])) return false
  return Object.entries(values).every(([id, value]) => isSameValue(value, stored.values[id]))
}

function isSameList(text: string, stored: readonly string[]): boolean {
  const emails = text.split(",").map((email) => email.trim().toLowerCase())
  return emails.length === stored.length && emails.every((email) => stored.includes(email))
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== "string" || typeof other !== "string") return false
  const [at, was] = [parseDateTime(one), parseDateTime(other)]
  return (at !== undefined && at === was) || `${one}:00` === other || one === `${other}:00`
}
