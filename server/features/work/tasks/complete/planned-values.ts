import { type Caller, may } from "#core/access/caller.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { isNumberInput, isSameValue, valueNumber } from "#shared/values.ts"
import { parseDate, parseDateTime, parseTime } from "#shared/wire-time.ts"
import { type FlowComponent, type FlowPage, inputTypeOf } from "../../flows/index.ts"
import type { TaskRow } from "../wire.ts"
import { plannedAttributes } from "./client-attributes.ts"
import { type ComponentValues, isEmpty, readValue, titleOf } from "./component-values.ts"

type Sent = Readonly<Record<string, unknown>>

export interface Planned {
  /** What was sent, without changes of what the planner filled in. */
  sent: Sent
  /** Values that stay as they are. */
  kept: ComponentValues
  /** What was sent and is not applied. */
  notApplied: Record<string, unknown>
  warnings: string[]
}

/** Workers fill these in wherever they are. */
const openKinds: ReadonlySet<string> = new Set(["photo", "signature", "list", "bill", "view"])

/**
 * What is on the initial page comes from whoever planned the task: people who only do it may fill in what is empty, and
 * change what the flow opens to them (`workerCanEdit`), but not the rest. What they send for it is reported and left out.
 */
export function keepPlanned(caller: Caller, task: TaskRow, pages: readonly FlowPage[], sent: Sent): Planned {
  const planned: Planned = { sent, kept: {}, notApplied: {}, warnings: [] }
  if (mayPlan(caller, task)) return planned
  const components = (pages[0]?.components ?? []).filter(
    ({ component, workerCanEdit }) => !openKinds.has(component) && workerCanEdit !== true,
  )
  const allowed = { ...sent }
  for (const component of components) {
    for (const key of keysOf(component)) {
      const stored = task.values[key]
      if (isEmpty(stored)) continue
      planned.kept[key] = stored
      const alias = key.endsWith("_unit") ? `${component.id}Unit` : key
      const name = key in sent ? key : alias
      if (!(name in sent)) continue
      delete allowed[name]
      if (key === component.id ? meansTheSame(component, stored, sent[name]) : stored === sent[name]) continue
      planned.notApplied[name] = sent[name]
      planned.warnings.push(
        `${titleOf(component)} was not changed: it was filled in when the task was planned. Sent: ${textOf(sent[name])}`,
      )
    }
  }
  planned.sent = allowed
  return planned
}

/** Whether the caller may change what the task was planned with; people who only do it may not. */
export function mayPlan(caller: Caller, task: TaskRow): boolean {
  return may(caller, "edit/task") || task.createdBy === caller.email
}

/**
 * The rarer base fields of a change without those of planning, such as priority and tags, where the caller only does the
 * task. Phones send back whole tasks: what differs from the stored value is reported.
 */
export function keepPlans(
  caller: Caller,
  task: TaskRow,
  attributes: Readonly<Record<string, unknown>>,
): { sentAttributes: Record<string, unknown>; warnings: string[] } {
  if (mayPlan(caller, task)) return { sentAttributes: { ...attributes }, warnings: [] }
  const sentAttributes: Record<string, unknown> = {}
  const warnings: string[] = []
  for (const [field, value] of Object.entries(attributes))
    if (!plannedAttributes.has(field)) sentAttributes[field] = value
    else if (!isSameValue(value ?? null, task.attributes[field] ?? null))
      warnings.push(`${field} was not changed: only people with the permission edit/task may change it`)
  return { sentAttributes, warnings }
}

/** A component's value, its unit, and where the file of a recording is. */
function keysOf({ id, component, useUnit }: FlowComponent): string[] {
  const files = component === "voice" || component === "capture" ? [`${id}_url`, `${id}_path`] : []
  return [id, ...(useUnit === true ? [`${id}_unit`] : []), ...files]
}

/** Compares values in the forms in which clients send the same thing. */
export function meansTheSame(component: FlowComponent, stored: unknown, sent: unknown): boolean {
  if (isSameValue(stored, sent)) return true
  if (isEmpty(sent)) return false
  const read = readValue(component, sent)
  if ("reason" in read) return false
  if (isSameValue(stored, read.value)) return true
  const [one, other] = [String(stored).trim(), String(sent).trim()]
  const same = <T>(parse: (text: string) => T | undefined) => {
    const meant = parse(one)
    return meant !== undefined && JSON.stringify(meant) === JSON.stringify(parse(other))
  }
  if (isNumberInput(component)) return same(valueNumber)
  if (component.component !== "input") return one === other
  switch (inputTypeOf(component)) {
    case "Datetime":
      return same(parseDateTime)
    case "Date":
      return same(parseDate)
    case "Time":
      return same((text) => parseTime(text)?.replace(/^(\d\d:\d\d):00$/, "$1"))
    case "Geolocation":
      return same(parseLatLng)
    case "PhoneNumber":
      return same((text) => text.replace(/[^+\d]/g, ""))
    default:
      return one.replace(/\r\n/g, "\n") === other.replace(/\r\n/g, "\n")
  }
}

const maxShown = 200

function textOf(value: unknown): string {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, maxShown)
}
