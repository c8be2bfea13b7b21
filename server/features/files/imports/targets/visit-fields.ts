import { isBlankCell } from "#packages/spreadsheets/cell.ts"
import { cellToNumber, cellToText } from "#packages/spreadsheets/cell-text.ts"
import { isLoad, largestLoad } from "#shared/load.ts"
import { parseTime } from "#shared/wire-time.ts"
import { isWorkers, parseAfter, parseDays } from "../../../planning/routes/index.ts"
import type { FlowComponent, FlowRow } from "../../../work/flows/index.ts"
import { titleOf } from "../../../work/tasks/index.ts"
import { isDay } from "../../../work/vehicles/index.ts"
import type { Reading } from "../rows/cell-values.ts"
import type { ImportField, Line } from "./target.ts"
import { importedComponents, taskFields } from "./task-fields.ts"
import type { Draft } from "./task-target.ts"

/** Routing values that a visit has, by what a component's `routeAs` says, with the titles of their columns. */
const routedTitles = {
  VisitName: "Visit Name",
  Address: "Address",
  Coordinate: "Coordinate",
  OpenTime: "Open Time",
  CloseTime: "Close Time",
  VisitDuration: "Visit Time",
  Tag: "Tags",
  Pickup: "Pickup From",
  After: "After",
  Workers: "Workers",
  Days: "Days",
  PreferredDays: "Preferred Days",
  PreferredVehicle: "Preferred Vehicle",
} as const
type Routed = keyof typeof routedTitles

/** Without a component for these a file that brings them is refused: where to go must not get lost. */
const indispensable: readonly Routed[] = ["VisitName", "Address", "Coordinate"]

const constraintPrefix = "Constraint."

function routeAs(component: FlowComponent): string {
  return typeof component.routeAs === "string" ? component.routeAs : ""
}

function componentFor(flow: Pick<FlowRow, "pages">, wanted: Routed): FlowComponent | undefined {
  return importedComponents(flow).find((component) => routeAs(component) === wanted)
}

/** Fields of a task whose titles mean something else in a file of visits, with their titles there; the other one is left out. */
const otherMeanings: Readonly<Record<string, string | undefined>> = {
  priority: "Task Priority",
  tags: undefined,
}

/** The columns of a visit import: those of the flow, with the routing titles in front of the flow's own. */
export function visitFields(flow: Pick<FlowRow, "pages">): ImportField[] {
  const components = new Map(importedComponents(flow).map((component) => [component.id, component]))
  const fields = taskFields(flow).flatMap((field): ImportField[] => {
    if (components.has(field.id) || !(field.id in otherMeanings)) return [field]
    const title = otherMeanings[field.id]
    return title === undefined ? [] : [{ ...field, title, otherTitles: [] }]
  })
  const own = fields.map((field): ImportField => {
    const component = components.get(field.id)
    const title = component && visitTitle(component)
    if (!component || !title) return field
    const isName = routeAs(component) === "VisitName"
    return { ...field, title, otherTitles: [titleOf(component)], required: field.required === true || isName }
  })
  const missing = indispensable
    .filter((routed) => !componentFor(flow, routed))
    .map((routed): ImportField => ({ ...unavailable, id: `no-${routed}`, title: routedTitles[routed] }))
  return [
    ...own,
    ...missing,
    {
      id: "visitGroup",
      title: "Visit Group",
      kind: "text",
      help: "Visits of a group are assigned to the same vehicle",
    },
    { id: "visitGroupPriority", title: "Priority", kind: "number", help: "0 to 100; lower values first" },
  ]
}

const unavailable = { kind: "text", isInTemplate: false, isUnavailable: true } as const

function visitTitle(component: FlowComponent): string | undefined {
  const routed = routeAs(component)
  if (routed in routedTitles) return routedTitles[routed as Routed]
  const constraint = routed.startsWith(constraintPrefix) ? routed.slice(constraintPrefix.length) : ""
  return constraint === "" ? undefined : constraint.charAt(0).toUpperCase() + constraint.slice(1)
}

const maxTags = 10

/** What a visit demands besides the rules of its flow's components. */
export function checkVisit(
  line: Line,
  flow: Pick<FlowRow, "pages">,
  { separators }: Reading,
  problem: (fieldId: string, reason: string) => void,
): void {
  const text = (wanted: Routed) => {
    const component = componentFor(flow, wanted)
    return component ? cellToText(line.cell(component.id), wanted.endsWith("Time") ? "time" : undefined) : ""
  }
  const idOf = (wanted: Routed) => componentFor(flow, wanted)?.id ?? `no-${wanted}`
  const [opens, closes] = [parseTime(text("OpenTime")), parseTime(text("CloseTime"))]
  if (opens !== undefined && closes !== undefined && closes < opens)
    problem(idOf("CloseTime"), "must not be before Open Time")
  const minutes = text("VisitDuration")
  if (minutes !== "" && !/^\d+$/.test(minutes))
    problem(idOf("VisitDuration"), "must be a whole number of minutes")
  const workers = text("Workers")
  if (workers !== "" && !isWorkers(Number(workers))) problem(idOf("Workers"), "must be 1 to 5")
  for (const days of ["Days", "PreferredDays"] as const)
    if (!parseDays(text(days)).every(isDay))
      problem(idOf(days), "must be days such as 2031-05-04, 2031-05-06")
  if (parseAfter(text("After")) === undefined)
    problem(idOf("After"), "must be IDs with minutes in between, such as A-17 + 30-120; A-18")
  if (
    text("Tag")
      .split(",")
      .filter((tag) => tag.trim() !== "").length > maxTags
  )
    problem(idOf("Tag"), `at most ${maxTags} tags`)
  for (const component of importedComponents(flow)) {
    if (!routeAs(component).startsWith(constraintPrefix)) continue
    const cell = line.cell(component.id)
    const value = isBlankCell(cell) ? undefined : cellToNumber(cell, separators)
    if (value === undefined) continue
    if (value < 0) problem(component.id, "must be 0 or more")
    else if (value > largestLoad) problem(component.id, `must be at most ${largestLoad}`)
    else if (!isLoad(value)) problem(component.id, "at most 6 decimal digits")
  }
  const priority = cellToText(line.cell("visitGroupPriority"))
  if (priority !== "" && !(/^\d{1,3}$/.test(priority) && Number(priority) <= 100))
    problem("visitGroupPriority", "must be 0 to 100")
}

/** A visit needs a name and somewhere to go. What a data source fills in counts as well. */
export function checkPlace(
  { body, problems, unfilled, isOrphan }: Draft,
  flow: Pick<FlowRow, "pages">,
  fields: readonly ImportField[],
): void {
  if (isOrphan) return
  const isMissing = (wanted: Routed) => {
    const component = componentFor(flow, wanted)
    const value = component && (body[component.id] ?? component.default)
    return value === undefined || value === null || value === ""
  }
  const problem = (wanted: Routed, reason: string) => {
    const component = componentFor(flow, wanted)
    if (component?.required === true || unfilled.has(component?.id ?? "")) return
    const column = fields.find(({ id }) => id === component?.id)?.title ?? routedTitles[wanted]
    problems.push({ column, value: "", reason })
  }
  if (isMissing("VisitName")) problem("VisitName", "is required")
  if (isMissing("Address") && isMissing("Coordinate"))
    problem("Address", "is required when Coordinate is empty")
}

/** The keys of a task that say which visits belong together. */
export function visitKeys(line: Line): { visitGroup?: string; visitGroupPriority?: number } {
  const group = cellToText(line.cell("visitGroup"))
  const priority = cellToText(line.cell("visitGroupPriority"))
  return {
    ...(group === "" ? {} : { visitGroup: group }),
    ...(priority === "" ? {} : { visitGroupPriority: Number(priority) }),
  }
}
