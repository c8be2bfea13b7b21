import type { Caller } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { isId } from "#core/ids.ts"
import { latLngProblem } from "#packages/geodesy/lng-lat-text.ts"
import { isBlankCell } from "#packages/spreadsheets/cell.ts"
import { cellToNumber, cellToText } from "#packages/spreadsheets/cell-text.ts"
import { findHub } from "../../../organization/hubs/index.ts"
import { findAssignable } from "../../../people/users/index.ts"
import {
  addStops,
  defaultSettings,
  findConfiguration,
  findCurrentConfiguration,
  type ImportedStop,
  parseClock,
  placeOf,
  removeImportedResult,
  takenPlaces,
  visitOfTask,
} from "../../../planning/routes/index.ts"
import { listEveryFlow } from "../../../work/flows/index.ts"
import { findTasks } from "../../../work/tasks/index.ts"
import { findVehiclesOfHub } from "../../../work/vehicles/index.ts"
import { importErrors } from "../errors.ts"
import type { Reading } from "../rows/cell-values.ts"
import type { ImportMode } from "../settings.ts"
import type { ImportField, Line, Outcome, RowProblem, Target, WriteContext } from "./target.ts"

export interface RouteTargetSettings {
  configurationId: string | null
  hubId: string
  mode: ImportMode
  reading: Reading
  /** Name of the result. */
  name: string
}

const fields: readonly ImportField[] = [
  {
    id: "vehicle",
    title: "Vehicle",
    kind: "text",
    required: true,
    help: "Name of a vehicle of the hub",
    sample: "VAN-7",
  },
  { id: "assignee", title: "Assignee", kind: "email", help: "The driver. Empty: the vehicle's assignee" },
  { id: "trip", title: "Trip", kind: "number", help: "1 for the first trip", sample: 1 },
  {
    id: "order",
    title: "Order",
    kind: "number",
    required: true,
    help: "1 for the first stop of a trip",
    sample: 1,
  },
  { id: "taskId", title: "Task ID", kind: "text", help: "A task of the hub; its location and name are used" },
  {
    id: "visitName",
    title: "Visit Name",
    kind: "text",
    help: "Required without a task",
    sample: "Elm Bakery",
  },
  {
    id: "address",
    title: "Address",
    kind: "address",
    help: "Required without a task",
    sample: "3 Elm Court",
  },
  {
    id: "coordinate",
    title: "Coordinate",
    kind: "coordinate",
    help: "latitude,longitude; required without a task",
    sample: "51.47,-2.57",
  },
  { id: "tags", title: "Tags", kind: "text" },
  { id: "visitTime", title: "Visit Time", kind: "number", help: "Minutes" },
  { id: "eta", title: "ETA", kind: "time", sample: "08:20" },
  { id: "etd", title: "ETD", kind: "time", sample: "08:30" },
  {
    id: "distance",
    title: "Distance",
    kind: "number",
    help: "Distance from the previous stop in metres",
    sample: 5400,
  },
  { id: "travelTime", title: "Travel Time", kind: "number", help: "Minutes", sample: 20 },
  { id: "waitingTime", title: "Waiting Time", kind: "number", help: "Minutes", sample: 0 },
]

/** Rows become the stops of one planned result. Undefined when the profile or the hub does not exist. */
export async function routeTarget(
  sql: Sql,
  caller: Caller,
  settings: RouteTargetSettings,
): Promise<Target | undefined> {
  const { configurationId, hubId, mode } = settings
  if (mode !== "create")
    throw importErrors.badSetting({
      message: "Routes can only be created. Omit mode",
      fields: { mode: ["must be create"] },
    })
  const hub = hubId === "" ? undefined : await findHub(sql, caller, hubId)
  const profile =
    configurationId === null
      ? await findCurrentConfiguration(sql, caller, hubId)
      : await findConfiguration(sql, caller, configurationId)
  if (configurationId !== null && (!profile || profile.hubId !== hub?.id)) return undefined
  const planning = profile?.settings ?? defaultSettings
  const constraints = planning.capacityConstraint.map(
    (name): ImportField => ({
      id: `constraint-${name}`,
      title: name.charAt(0).toUpperCase() + name.slice(1),
      kind: "number",
    }),
  )
  const known = [...fields, ...constraints]
  return {
    fields: known,
    keyId: "order",
    name: profile?.name ?? planning.name,
    async write(tx, lines, context) {
      // Checked when the file was taken: without a hub nothing gets here.
      if (!hub) throw importErrors.badTarget()
      const drafts = await readDrafts(tx, lines, context, {
        ...settings,
        fields: known,
        constraints: planning.capacityConstraint,
      })
      const stops = drafts.flatMap(({ stop }) => stop ?? [])
      const id = context.importId as Parameters<typeof addStops>[2]["id"]
      const made = { id, name: settings.name, hub, settings: planning, configurationId: profile?.id ?? null }
      if (stops.length > 0) await addStops(tx, context.caller, made, stops, context)
      return drafts.map(
        ({ stop, problems }): Outcome =>
          stop ? { kind: "created", id: context.importId } : { kind: "refused", problems },
      )
    },
    async removeCreated(tx, ids, writtenTime, { caller: who, live, importId }) {
      if (ids.length === 0) return []
      const isGone = await removeImportedResult(tx, who, importId, writtenTime, live)
      return isGone ? [...ids] : []
    },
    restoreChanged: async () => [],
  }
}

interface RouteWriting extends RouteTargetSettings {
  fields: readonly ImportField[]
  constraints: readonly string[]
}

interface RouteDraft {
  stop?: ImportedStop
  problems: RowProblem[]
}

async function readDrafts(
  tx: Tx,
  lines: readonly Line[],
  context: WriteContext,
  writing: RouteWriting,
): Promise<RouteDraft[]> {
  const { caller, importId } = context
  const vehicles = new Map(
    (await findVehiclesOfHub(tx, caller, writing.hubId)).map((vehicle) => [vehicle.name, vehicle]),
  )
  const text = (line: Line, id: string) =>
    cellToText(line.cell(id), id === "eta" || id === "etd" ? "time" : undefined)
  const emails = [
    ...new Set(lines.map((line) => text(line, "assignee").toLowerCase()).filter((email) => email !== "")),
  ]
  const people =
    emails.length > 0 ? await findAssignable(tx, caller.organizationId, emails, writing.hubId) : []
  const members = new Set(people.filter(({ hasHub }) => hasHub).map(({ email }) => email))
  const ids = [...new Set(lines.map((line) => text(line, "taskId").toLowerCase()).filter(isId))]
  const tasks = new Map((await findTasks(tx, caller, ids)).map((task) => [task.id as string, task]))
  const flows = new Map(
    (tasks.size > 0 ? await listEveryFlow(tx, caller) : []).map((flow) => [flow.id, flow]),
  )
  const taken = await takenPlaces(tx, caller, importId)
  return lines.map((line) => {
    const problems: RowProblem[] = []
    const problem = (id: string, reason: string) => {
      const column = writing.fields.find((field) => field.id === id)?.title ?? id
      problems.push({ column, value: text(line, id), reason })
    }
    const whole = (id: string, least: number, fallback: number): number => {
      const cell = line.cell(id)
      if (isBlankCell(cell)) return fallback
      const value = cellToNumber(cell, writing.reading.separators)
      if (value !== undefined && Number.isInteger(value) && value >= least) return value
      problem(
        id,
        value !== undefined && Number.isInteger(value)
          ? `must be ${least} or more`
          : "must be a whole number",
      )
      return fallback
    }
    const vehicle = vehicles.get(text(line, "vehicle"))
    if (!vehicle) problem("vehicle", text(line, "vehicle") === "" ? "is required" : "not found in this hub")
    const assignee = text(line, "assignee").toLowerCase()
    if (assignee !== "" && !members.has(assignee)) problem("assignee", "is not a user of this hub")
    const trip = whole("trip", 1, 1)
    if (isBlankCell(line.cell("order"))) problem("order", "is required")
    const before = problems.length
    const order = whole("order", 1, 0)
    const place = vehicle ? placeOf(vehicle.id, trip, order) : ""
    if (vehicle && problems.length === before && taken.has(place))
      problem("order", "is repeated for this vehicle and trip")
    const taskId = text(line, "taskId").toLowerCase()
    const task = tasks.get(taskId)
    if (taskId !== "" && task?.hubId !== writing.hubId) problem("taskId", "not found in this hub")
    else if (task?.status === "DONE") problem("taskId", "is already finished")
    const own = task && visitOfTask(task, flows.get(task.flowId)?.pages ?? [])
    const wanted = (id: "visitName" | "address", value: string | undefined) => {
      const given = text(line, id) || value || ""
      if (given === "" && taskId === "") problem(id, "is required")
      return given
    }
    const visitName = wanted("visitName", own?.name)
    const address = wanted("address", own?.address)
    const coordinate = text(line, "coordinate") || own?.coordinate || ""
    if (coordinate === "" && taskId === "") problem("coordinate", "is required")
    const misplaced = coordinate === "" ? undefined : latLngProblem(coordinate)
    if (misplaced) problem("coordinate", misplaced)
    const tags = text(line, "tags")
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== "")
    if (tags.length > 10) problem("tags", "at most 10 tags")
    const visitTime = whole("visitTime", 0, own?.visitTime ?? 0)
    const time = (id: "eta" | "etd"): number | null => {
      const given = text(line, id)
      const seconds = given === "" ? undefined : parseClock(given)
      if (given !== "" && seconds === undefined) problem(id, "must be a time, for example 09:30")
      return seconds ?? null
    }
    const [eta, etd] = [time("eta"), time("etd")]
    if (eta !== null && etd !== null && etd < eta) problem("etd", "must not be before ETA")
    const [distance, travelTime, waitingTime] = [
      whole("distance", 0, 0),
      whole("travelTime", 0, 0),
      whole("waitingTime", 0, 0),
    ]
    const demand = Object.fromEntries(
      writing.constraints.map((name) => {
        const cell = line.cell(`constraint-${name}`)
        if (isBlankCell(cell)) return [name, own?.capacity[name] ?? 0]
        const value = cellToNumber(cell, writing.reading.separators)
        if (value === undefined || value < 0)
          problem(`constraint-${name}`, value === undefined ? "must be a number" : "must be 0 or more")
        return [name, value ?? 0]
      }),
    )
    if (!vehicle || problems.length > 0) return { problems }
    taken.add(place)
    const visitId = task ? `taskId-${task.id}` : `${importId}-${line.rowNumber}`
    return {
      problems,
      stop: {
        vehicle,
        assignee,
        trip,
        order,
        visitId,
        visitName,
        address,
        coordinate,
        eta,
        etd,
        distance,
        travelTime,
        waitingTime,
        visitTime,
        tags,
        demand,
      },
    }
  })
}
