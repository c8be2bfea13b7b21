import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { isBlankCell } from "#packages/spreadsheets/cell.ts"
import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import { isSameValue } from "#shared/values.ts"
import {
  changeVehicle,
  createVehicles,
  deleteVehicle,
  findVehicles,
  findVehiclesOfHub,
  type VehicleBody,
  type VehiclePatch,
  type VehicleRow,
} from "../../../work/vehicles/index.ts"
import { numberOrText, type Reading } from "../rows/cell-values.ts"
import type { ImportMode } from "../settings.ts"
import {
  type ImportField,
  type Line,
  type Outcome,
  type RowProblem,
  refused,
  type Target,
  type WriteContext,
} from "./target.ts"

export interface VehicleTargetSettings {
  hubId: string
  mode: ImportMode
  reading: Reading
}

const fields: readonly ImportField[] = [
  {
    id: "name",
    title: "Name",
    kind: "text",
    required: true,
    help: "Finds the vehicle of the hub again",
    sample: "VAN-7",
    aliases: ["vehicle", "vehicle name"],
  },
  { id: "assignee", title: "Assignee", kind: "email", help: "E-mail of the driver, who must be in the hub" },
  { id: "speed", title: "Speed", kind: "number", help: "km/h, at least 5", sample: 40 },
  { id: "fixedCost", title: "Fixed Cost", kind: "number", help: "0 to 100" },
  { id: "tags", title: "Tags", kind: "text", help: "At most 10, separated by commas" },
  {
    id: "workingTime",
    title: "Working Time",
    kind: "text",
    help: "Such as 08:00-17:00",
    sample: "08:00-17:00",
    aliases: ["working hours"],
  },
  { id: "breakTime", title: "Break Time", kind: "text", help: "Such as 12:00-12:30", aliases: ["break"] },
  {
    id: "capacity",
    title: "Capacity",
    kind: "text",
    help: "Maximum of each capacity constraint, such as weight=800, volume=3.5",
    sample: "weight=800, volume=3.5",
  },
]

/** Rows become vehicles of one hub; a vehicle is found again by its name, in any case. */
export function vehicleTarget(settings: VehicleTargetSettings): Target {
  return {
    fields,
    keyId: "name",
    name: null,
    uniqueKey: (line) => keyOf(cellToText(line.cell("name"))) || undefined,
    write: (tx, lines, context) => writeVehicles(tx, lines, context, settings),
    removeCreated: async (tx, ids, _writtenTime, context) => {
      const created = await findVehicles(tx, context.caller, ids)
      const untouched = created.filter(({ createdTime, updatedTime }) => updatedTime.equals(createdTime))
      for (const { id } of untouched) await deleteVehicle(tx, context.caller, id, context)
      return untouched.map(({ id }) => id)
    },
    restoreChanged: (tx, changed, writtenTime, context) => restore(tx, changed, writtenTime, context),
  }
}

const keyOf = (name: string) => name.trim().toLowerCase()

async function writeVehicles(
  tx: Tx,
  lines: readonly Line[],
  context: WriteContext,
  { hubId, mode, reading }: VehicleTargetSettings,
): Promise<Outcome[]> {
  const stored = await findVehiclesOfHub(tx, context.caller, hubId)
  const byName = new Map(stored.map((vehicle) => [keyOf(vehicle.name), vehicle]))
  const outcomes: Outcome[] = []
  for (const line of lines) {
    const { patch, problems } = readVehicle(line, reading)
    const known = byName.get(keyOf(patch.name ?? ""))
    if (problems.length > 0) outcomes.push({ kind: "refused", problems })
    else if (!patch.name) outcomes.push(refused("Name", "", "is required"))
    else if (known && mode === "create")
      outcomes.push(refused("Name", patch.name, "is the name of a vehicle of this hub already"))
    else if (!known && mode === "update")
      outcomes.push(refused("Name", patch.name, "is not the name of a vehicle of this hub"))
    else
      outcomes.push(
        known
          ? await change(tx, known, patch, context)
          : await create(tx, { ...patch, hubId, name: patch.name } as VehicleBody, context),
      )
  }
  return outcomes
}

async function create(tx: Tx, body: VehicleBody, context: WriteContext): Promise<Outcome> {
  const [made] = await createVehicles(tx, context.caller, [body], context)
  if (!made) return refused("", "", "could not be created")
  return "id" in made ? { kind: "created", id: made.id } : refusedBy(made.refusal)
}

async function change(
  tx: Tx,
  known: VehicleRow,
  { name: _name, ...patch }: VehiclePatch,
  context: WriteContext,
): Promise<Outcome> {
  const before = valuesBefore(known, patch)
  if (Object.entries(patch).every(([key, value]) => isSameValue(value, before[key])))
    return { kind: "unchanged", id: known.id }
  try {
    const options = { vehicleId: known.id, body: patch, replaces: false }
    await inTransaction(tx, (step) => changeVehicle(step, context.caller, options, context))
    return { kind: "changed", id: known.id, before }
  } catch (error) {
    if (error instanceof AppError) return refusedBy(error)
    throw error
  }
}

function valuesBefore(vehicle: VehicleRow, patch: VehiclePatch): Record<string, unknown> {
  const stored = vehicle as unknown as Record<string, unknown>
  return Object.fromEntries(Object.keys(patch).map((key) => [key, stored[key]]))
}

/** What no single field is to blame for is said of the row. */
function refusedBy(error: AppError): Outcome {
  const [id = ""] = Object.keys(error.fields ?? {})
  const title = fields.find((field) => id === field.id || id.startsWith(`${field.id}.`))?.title ?? ""
  return refused(title, "", error.fields?.[id]?.[0] ?? error.message)
}

/** Puts back vehicles that nobody changed since. */
async function restore(
  tx: Tx,
  changed: readonly { id: string; before: unknown }[],
  writtenTime: Temporal.Instant,
  context: WriteContext,
): Promise<string[]> {
  const caller: Caller = context.caller
  const rows = await findVehicles(
    tx,
    caller,
    changed.map(({ id }) => id),
  )
  const restored: string[] = []
  for (const { id, before } of changed) {
    const row = rows.find((vehicle) => vehicle.id === id)
    if (!row || Temporal.Instant.compare(row.updatedTime, writtenTime) > 0) continue
    const options = { vehicleId: id, body: before as VehiclePatch, replaces: false }
    try {
      await inTransaction(tx, (step) => changeVehicle(step, caller, options, context))
      restored.push(id)
    } catch (error) {
      // The driver of before has left, for instance: the vehicle stays as it is, and the result names it.
      if (!(error instanceof AppError)) throw error
    }
  }
  return restored
}

const examples: Readonly<Record<string, string>> = {
  workingTime: "08:00-17:00",
  breakTime: "12:00-12:30",
  capacity: "weight=800, volume=3.5",
}

/** A line as a call would send it; empty cells change nothing. */
function readVehicle(line: Line, reading: Reading): { patch: VehiclePatch; problems: RowProblem[] } {
  const patch: Record<string, unknown> = {}
  const problems: RowProblem[] = []
  for (const { id, title } of fields) {
    const cell = line.cell(id)
    if (isBlankCell(cell)) continue
    const text = cellToText(cell)
    const value = id === "speed" || id === "fixedCost" ? numberOrText(cell, reading) : readText(id, text)
    const problem = problemOf(id, value)
    if (problem) problems.push({ column: title, value: text, reason: problem })
    else patch[id] = value
  }
  return { patch: patch as VehiclePatch, problems }
}

function readText(id: string, text: string): unknown {
  if (id === "tags") return text.split(",").map((tag) => tag.trim())
  if (id === "workingTime" || id === "breakTime") return readSpan(text)
  if (id === "capacity") return readCapacity(text)
  return text.trim()
}

function problemOf(id: string, value: unknown): string | undefined {
  if (value === undefined) return `must look like ${examples[id] ?? ""}`
  if (id === "name" && String(value).length > 255) return "can have at most 255 characters"
  if (id === "speed" && !(typeof value === "number" && value >= 5)) return "must be a number of at least 5"
  if (id === "fixedCost" && !(Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100))
    return "must be a whole number from 0 to 100"
  if (id === "tags" && (value as string[]).length > 10) return "can have at most 10 tags"
  return undefined
}

const span = /^(\d{1,2}:\d{2})(?::\d{2})?\s*(?:-|–|to)\s*(\d{1,2}:\d{2})(?::\d{2})?$/i

/** `08:00-17:00`, or the JSON of a server with this API. */
function readSpan(text: string): unknown {
  const [, startTime, endTime] = span.exec(text.trim()) ?? []
  if (startTime && endTime) {
    const [start, end] = [startTime, endTime].map((time) => time.padStart(5, "0"))
    return [start, end].every((time) => (time ?? "") < "24:00" && (time ?? "").slice(3) < "60")
      ? { startTime: start, endTime: end }
      : undefined
  }
  const { startTime: from, endTime: to, multiday } = objectIn(text)
  if (from === null && to === null) return null
  if (typeof from !== "string" || typeof to !== "string") return undefined
  const isOverDays = typeof multiday === "number" && multiday > 0
  if (isOverDays && !(Number.isInteger(multiday) && multiday <= 365)) return undefined
  const days = isOverDays ? { multiday } : {}
  const read = readSpan(`${from}-${to}`)
  return typeof read === "object" && read !== null ? { ...read, ...days } : undefined
}

/** `weight=800, volume=3.5`, or the JSON of a server with this API. */
function readCapacity(text: string): unknown {
  const isJson = text.trim().startsWith("{")
  const bounds: [string, { min: number; max: number } | undefined][] = isJson
    ? Object.entries(objectIn(text)).map(([name, held]) => [name, boundsOf(held)])
    : text.split(",").map((part) => {
        const [name = "", max = "", ...more] = part.split(/[=:]/)
        const isNumber = more.length === 0 && /^\d{1,12}(\.\d{1,6})?$/.test(max.trim())
        return [name.trim(), isNumber ? { min: 0, max: Number(max) } : undefined]
      })
  const isUsable = bounds.every(([name, held]) => held && name !== "" && name.length <= 255)
  return isUsable && bounds.length <= maxCapacities ? Object.fromEntries(bounds) : undefined
}

const maxCapacities = 100

function boundsOf(held: unknown): { min: number; max: number } | undefined {
  const { min, max } = (held ?? {}) as { min?: unknown; max?: unknown }
  return typeof min === "number" && typeof max === "number" ? { min, max } : undefined
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === "object" && read !== null && !Array.isArray(read)
      ? (read as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}
