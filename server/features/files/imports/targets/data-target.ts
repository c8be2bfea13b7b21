import type { Caller } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { type Cell, isBlankCell } from "#packages/spreadsheets/cell.ts"
import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import { isSameValue } from "#shared/values.ts"
import { parseDateTime } from "#shared/wire-time.ts"
import {
  createRecords,
  type ReadRecord,
  type RecordInput,
  type RecordSnapshot,
  removeUntouchedRecords,
  restoreUntouchedRecords,
  snapshotRecords,
  writeRecords,
} from "../../../work/data-records/index.ts"
import {
  type FieldKind as DataKind,
  type DataTypeRow,
  type Field,
  findDataType,
  holdDataTypes,
  primaryKeyId,
  readFields,
  readPrimaryKey,
  type ValueProblem,
} from "../../../work/data-types/index.ts"
import { numberOrText, type Reading } from "../rows/cell-values.ts"
import type { ImportMode } from "../settings.ts"
import {
  createRecordLocator,
  noteDoubtfulRecords,
  type RecordLocator,
  withoutFallbacks,
} from "./locate-records.ts"
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
  otherTitles: [
    "Batas Pengguna",
    "Limitar a usuarios",
    "Limitar a usuários",
    "Limité aux utilisateurs",
    "Nur für Benutzer",
    "قصر على المستخدمين",
  ],
  kind: "email",
  help: "E-mail addresses of the users who can see the record, separated by commas. Empty: only you",
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
  const prepared = new Map<number, Prepared>()
  const locator = createRecordLocator(type, settings.hubId)
  const writing: DataWriting = { ...settings, fields, type, prepared, locator }
  const prepare = (line: Line) => void prepared.set(line.index, prepareLine(line, type, writing))
  return {
    fields,
    keyId: primaryKeyId,
    name: type.name,
    isCommon: type.commonData,
    isIndependent: true,
    uniqueKey: (line) => (prepared.get(line.index)?.key ?? cellToText(line.cell(primaryKeyId))) || undefined,
    prepare(line) {
      locator.note(line)
      prepare(line)
    },
    async locate(lines, context) {
      for (const line of await locator.locate(lines, context)) prepare(line)
    },
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
  date: "A date such as 2031-05-04",
  dateTime: "A date and time such as 2031-05-04 09:30:00",
  time: "A time of day such as 09:30",
  geolocation: "latitude,longitude in degrees, such as 52.37,4.89, or an address",
  phoneNumber: "6 to 20 digits, optionally with a leading +",
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
  /** By the index of the line, until it is written. */
  prepared: Map<number, Prepared>
  locator: RecordLocator
}

interface Prepared {
  key: string
  /** A new record, when the row makes a good one and the mode is create. */
  record?: ReadRecord
  /** Every other row. */
  input?: RecordInput
}

/** A good new record is kept as its texts alone: the objects of thousands of rows would outlive many collections. */
function prepareLine(line: Line, type: DataTypeRow, writing: DataWriting): Prepared {
  const key = cellToText(line.cell(primaryKeyId))
  const input = readInput(line, key, type, writing)
  if (writing.mode !== "create" || type.limitUser) return { key, input }
  const { values, ordered, problems } = readFields(type.fields, input, "create", "file")
  const read = readPrimaryKey(key)
  if (problems.length > 0 || "reason" in read) return { key, input }
  const record = {
    dataId: read.value,
    valuesJson: JSON.stringify(values),
    orderedJson: JSON.stringify(ordered),
  }
  return { key, record }
}

async function writeData(
  tx: Tx,
  lines: readonly Line[],
  context: WriteContext,
  writing: DataWriting,
): Promise<Outcome[]> {
  const [type] = await holdDataTypes(tx, context.caller, [writing.type.id])
  if (!type) return lines.map(() => refused("", "", "the data type no longer exists"))
  const isSameType = type.updatedTime.equals(writing.type.updatedTime)
  const held: Held = { type, hubId: type.commonData ? null : writing.hubId }
  const created: { line: Line; record: ReadRecord }[] = []
  const others: { line: Line; key: string; input: RecordInput }[] = []
  for (const line of lines) {
    const known = isSameType ? writing.prepared.get(line.index) : undefined
    const { key, record, input } = known ?? prepareLine(line, type, writing)
    if (record) created.push({ line, record })
    else if (input) others.push({ line, key, input })
  }
  const outcomes = [
    ...(await createFrom(tx, created, context, writing, held)),
    ...(await writeOthers(tx, others, context, writing, held)),
  ]
  for (const { index } of lines) writing.prepared.delete(index)
  const byLine = new Map([...created, ...others].map(({ line }, place) => [line, outcomes[place]]))
  await noteDoubtfulRecords(tx, byLine, context, writing.locator)
  if (created.length === 0 || others.length === 0) return outcomes
  return lines.map((line) => byLine.get(line) ?? refused("", "", "could not be read"))
}

/** What is written to, as it is in the transaction. */
interface Held {
  type: DataTypeRow
  hubId: string | null
}

async function createFrom(
  tx: Tx,
  rows: readonly { line: Line; record: ReadRecord }[],
  { caller, now, live }: WriteContext,
  writing: DataWriting,
  { type, hubId }: Held,
): Promise<Outcome[]> {
  const records = rows.map(({ record }) => record)
  const outcomes = await createRecords(tx, caller, type, records, { hubId, now, live })
  return rows.map(({ line }, index): Outcome => {
    const outcome = outcomes[index]
    return outcome && "id" in outcome
      ? { kind: "created", id: outcome.id }
      : refusedData(line, outcome?.problems ?? [], writing)
  })
}

async function writeOthers(
  tx: Tx,
  rows: readonly { line: Line; key: string; input: RecordInput }[],
  { caller, now, live }: WriteContext,
  writing: DataWriting,
  { type, hubId }: Held,
): Promise<Outcome[]> {
  if (rows.length === 0) return []
  const keys = rows.flatMap(({ key }) => (key === "" ? [] : [key]))
  const stored = writing.mode === "create" ? [] : await snapshotRecords(tx, caller, type, hubId, keys)
  const byKey = new Map(stored.map((record) => [record.dataId, record]))
  const inputs = rows.map(({ line, input, key }) => {
    const before = byKey.get(key)
    return withLimit(withoutFallbacks(input, line, before, writing.locator), type, caller, before)
  })
  const changing = inputs.filter((input) => !isUnchanged(type, input, byKey.get(String(input.dataId))))
  const { mode } = writing
  const written = await writeRecords(tx, caller, type, changing, { mode, live, now, source: "file" })
  const outcomes = new Map(changing.map((input, index) => [input, written[index]]))
  return rows.map(({ line, input }, place): Outcome => {
    const outcome = outcomes.get(inputs[place] ?? input)
    const before = byKey.get(String(input.dataId))
    if (!outcome) return { kind: "unchanged", id: before?.id ?? "" }
    if ("problems" in outcome) return refusedData(line, outcome.problems, writing)
    if (outcome.event === "create") return { kind: "created", id: outcome.id }
    return { kind: "changed", id: outcome.id, before: before?.before ?? null }
  })
}

function refusedData(line: Line, problems: readonly ValueProblem[], { mode, fields }: DataWriting): Outcome {
  // What a new record would need is no problem of an update that finds none.
  const own = problems.filter(
    ({ fieldId, reason }) => mode !== "update" || fieldId === primaryKeyId || reason !== "is required",
  )
  return {
    kind: "refused",
    problems: own.map(({ fieldId, title, reason }) => ({
      column: fields.find(({ id }) => id === fieldId)?.title ?? title,
      value: cellToText(line.cell(fieldId)),
      reason,
    })),
  }
}

/** A line as a call would send it; empty cells are left out, so that they neither change nor clear anything. */
function readInput(
  line: Line,
  dataId: string,
  type: DataTypeRow,
  { hubId, reading, locator }: DataWriting,
): RecordInput {
  const input: RecordInput = { dataId, ...(type.commonData || hubId === null ? {} : { hubId }) }
  for (const field of type.fields) {
    if (field.primaryKey || field.id === primaryKeyId) continue
    const cell = line.cell(field.id)
    const located = locator.cellOf(line, field.id)
    if (located?.coordinate) input[field.id] = located.coordinate
    else if (!isBlankCell(cell)) input[field.id] = fieldValue(field, cell, reading)
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
  return Object.entries(values).every(([id, value]) => isSame(value, stored.values[id]))
}

function isSameList(text: string, stored: readonly string[]): boolean {
  const emails = text.split(",").map((email) => email.trim().toLowerCase())
  return emails.length === stored.length && emails.every((email) => stored.includes(email))
}

function isSame(one: unknown, other: unknown): boolean {
  if (isSameValue(one, other)) return true
  if (typeof one !== "string" || typeof other !== "string") return false
  const [at, was] = [parseDateTime(one), parseDateTime(other)]
  return (at !== undefined && at === was) || `${one}:00` === other || one === `${other}:00`
}
