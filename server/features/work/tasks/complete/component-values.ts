import { latLngProblem } from "#packages/geodesy/lng-lat-text.ts"
import { valueNumber, valueText } from "#shared/values.ts"
import { parseDate, parseDateTime, parseTime } from "#shared/wire-time.ts"
import { billCosts, type FlowComponent, type FlowPage, inputTypeOf, isRequired } from "../../flows/index.ts"
import { readPhotos } from "./photo-values.ts"

/** The values of a task's components, flat by component id, as they are stored and sent. */
export type ComponentValues = Record<string, unknown>

export interface Problem {
  component: FlowComponent
  /** What is wrong, worded to follow the component's title. */
  reason: string
}

export type Stage = "create" | "change" | "replace" | "complete"

const maxTextLength = 65_535

/** What finishing demands. */
export interface Demands {
  demandedBefore?: ReadonlySet<string> | undefined
  /** Of an outcome that lists its requirements; these alone count then. */
  required?: ReadonlySet<string> | undefined
}

/**
 * Reads component values out of a request. `create` fills defaults and demands what the initial page
 * requires; `replace` does without defaults; `change` checks what is sent; `complete` demands every page's
 * requirements of the merged values, except for components that became required after the task was made
 * (those that `demandedBefore`, when given, lacks); for other outcomes than done it demands the components `required`
 * instead. Keys that are no component are ignored.
 */
export function readValues(
  pages: readonly FlowPage[],
  sent: Readonly<Record<string, unknown>>,
  stage: Stage,
  { demandedBefore, required }: Demands = {},
): { values: ComponentValues; problems: Problem[] } {
  const values: ComponentValues = {}
  const problems: Problem[] = []
  const hidden = hiddenByChoice(pages, sent)
  for (const [index, page] of pages.entries()) {
    for (const component of page.components) {
      if (component.component === "view") continue
      const given = givenValue(component, sent, stage === "create")
      const isDemanded =
        stage === "complete"
          ? demandedBefore === undefined || demandedBefore.has(component.id)
          : stage !== "change" && index === 0 && page.enabled !== false
      const isNeeded =
        (required?.has(component.id) ?? (isDemanded && isRequired(component))) && !hidden.has(component.id)
      if (component.component === "photo") {
        const reason = readPhotos(component, sent, { stage, isNeeded }, values)
        if (reason) problems.push({ component, reason })
        continue
      }
      const hasFile = fileKinds.has(component.component) && readFileKeys(component, sent, values)
      if (isEmpty(given.value) && hasFile) continue
      if (isEmpty(given.value)) {
        if (given.isSent || stage === "create" || stage === "replace") values[component.id] = null
        if (isNeeded) problems.push({ component, reason: "is required" })
        continue
      }
      const read = readValue(component, given.value)
      if ("reason" in read) problems.push({ component, reason: read.reason })
      else values[component.id] = read.value
    }
  }
  copyUnits(pages, sent, values, problems)
  copyCosts(pages, sent, values, problems)
  return { values, problems }
}

const fileKinds: ReadonlySet<string> = new Set(["signature", "voice", "capture"])

/**
 * Where a phone keeps the file of a signature or recording: `<id>_url` and `<id>_path`, as they were sent. An address
 * is the value of the component too. Returns whether there is a file. Without one, a component that is sent empty loses
 * the keys of before.
 */
function readFileKeys(
  { id }: FlowComponent,
  sent: Readonly<Record<string, unknown>>,
  values: ComponentValues,
): boolean {
  const isCleared = id in sent && isEmpty(sent[id])
  for (const key of [`${id}_url`, `${id}_path`]) {
    const value = sent[key]
    if (typeof value === "string" && value.length <= maxTextLength) values[key] = value === "" ? null : value
    else if (isCleared || value === null) values[key] = undefined
  }
  const url = values[`${id}_url`]
  if (isEmpty(sent[id]) && !isEmpty(url)) values[id] = url
  return !isEmpty(url) || !isEmpty(values[`${id}_path`])
}

function givenValue(component: FlowComponent, sent: Readonly<Record<string, unknown>>, withDefault: boolean) {
  const isSent = component.id in sent
  const value = isSent ? sent[component.id] : withDefault ? component.default : undefined
  return { isSent, value }
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
}

/** Chosen units `<id>_unit` belong to their component but have a key of their own. */
function copyUnits(
  pages: readonly FlowPage[],
  sent: Readonly<Record<string, unknown>>,
  values: ComponentValues,
  problems: Problem[],
): void {
  for (const component of pages.flatMap((page) => page.components)) {
    if (component.useUnit !== true) continue
    const unit = sent[`${component.id}_unit`] ?? sent[`${component.id}Unit`]
    if (typeof unit !== "string" || unit === "") continue
    const units = Array.isArray(component.units) ? component.units : []
    if (units.length === 0 || units.includes(unit)) values[`${component.id}_unit`] = unit
    else problems.push({ component, reason: `has no unit ${unit}` })
  }
}

/** Amounts of a bill's costs on this task, `<id>.<cost>`; without one the flow's own amount counts. */
function copyCosts(
  pages: readonly FlowPage[],
  sent: Readonly<Record<string, unknown>>,
  values: ComponentValues,
  problems: Problem[],
): void {
  for (const component of pages.flatMap((page) => page.components)) {
    if (component.component !== "bill") continue
    for (const { name } of billCosts(component)) {
      const key = `${component.id}.${name}`
      if (isEmpty(sent[key])) continue
      const amount = valueNumber(sent[key])
      if (amount !== undefined && amount >= 0) values[key] = amount
      else problems.push({ component, reason: `must have an amount of 0 or more for ${name}` })
    }
  }
}

/** Components that are hidden, and not shown or filled by a choice that was made. */
function hiddenByChoice(pages: readonly FlowPage[], sent: Readonly<Record<string, unknown>>): Set<string> {
  const components = pages.flatMap((page) => page.components)
  const hidden = new Set(
    components.filter((component) => component.visible === false).map((component) => component.id),
  )
  for (const component of components) {
    for (const rule of selectRules(component)) {
      const chosen = choicesOf(sent[component.id])
      if (!chosen.some((choice) => rule.options.includes(choice))) continue
      for (const id of rule.componentAffected) {
        if (rule.action === "hide") hidden.add(id)
        else hidden.delete(id)
      }
    }
  }
  return hidden
}

interface SelectRule {
  options: string[]
  action: string
  componentAffected: string[]
}

function selectRules(component: FlowComponent): SelectRule[] {
  if (component.component !== "select" || !Array.isArray(component.onSelect)) return []
  return component.onSelect.filter(
    (rule): rule is SelectRule =>
      Array.isArray(rule?.options) &&
      Array.isArray(rule?.componentAffected) &&
      typeof rule?.action === "string",
  )
}

function choicesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String)
  return typeof value === "string" ? value.split(",").map((part) => part.trim()) : []
}

type Read = { value: unknown } | { reason: string }

/** One value by the rules of its component. Not for empty values. */
export function readValue(component: FlowComponent, value: unknown): Read {
  switch (component.component) {
    case "input":
      return readInput(component, value)
    case "select":
      return readSelect(component, value)
    case "list":
    case "bill":
      return readItems(value)
    case "timer":
      return readNumber(value)
    case "signature":
    case "voice":
      return typeof value === "string" ? readText(value) : { reason: "must be the address of a file" }
    default:
      return { value }
  }
}

function readInput(component: FlowComponent, value: unknown): Read {
  const text = typeof value === "string" ? value.trim() : String(value)
  switch (inputTypeOf(component)) {
    case "Numeric":
    case "Currency":
      return readNumber(value)
    case "Date":
      return parsed(parseDate(text), "must be a date such as 2031-05-04")
    case "Time":
      return parseTime(text) === undefined ? { reason: "must be a time, for example 09:30" } : { value: text }
    case "Datetime":
      return parseDateTime(text) === undefined
        ? { reason: "must be a date and time, for example 2031-05-04 09:30:00" }
        : { value: text }
    case "Geolocation": {
      const reason = latLngProblem(text)
      return reason === undefined ? { value: text.replace(/\s+/g, "") } : { reason }
    }
    case "PhoneNumber":
      return isPhoneNumber(text) ? { value: text } : { reason: "must be a phone number" }
    case "URL":
      return isWebAddress(text) ? { value: text } : { reason: "must be a URL" }
    default: {
      // Sub-flows, workflows and automations fill inputs from selects, whose options may be a list.
      const joined = typeof value === "object" ? joinedText(value) : text
      if (joined === undefined) return { reason: "must be text" }
      return readText(typeof value === "string" ? value : joined)
    }
  }
}

function joinedText(value: unknown): string | undefined {
  const isPlain = Array.isArray(value) && value.every((entry) => ["string", "number"].includes(typeof entry))
  return isPlain ? (valueText(value) ?? undefined) : undefined
}

function parsed(value: string | undefined, reason: string): Read {
  return value === undefined ? { reason } : { value }
}

export function isPhoneNumber(text: string): boolean {
  return (
    /^\+?[\d ().-]+$/.test(text) &&
    text.replace(/\D/g, "").length >= 6 &&
    text.replace(/\D/g, "").length <= 20
  )
}

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\//i.test(text)
}

/** Numbers stay numbers and numeric text stays text: clients get back the form that they sent. */
function readNumber(value: unknown): Read {
  if (valueNumber(value) === undefined) return { reason: "must be a number" }
  return { value: typeof value === "string" ? value.trim() : value }
}

function readText(value: string): Read {
  return value.length > maxTextLength
    ? { reason: `must not be longer than ${maxTextLength} characters` }
    : { value }
}

/** A list stays a list, even of one option, and text stays text. */
function readSelect(component: FlowComponent, value: unknown): Read {
  const options = component.options ?? []
  const max = Number(component.max ?? 1)
  const min = Number(component.min ?? 0)
  const whole = typeof value === "string" ? canonical(options, value) : undefined
  const chosen =
    whole !== undefined
      ? [whole]
      : choicesOf(typeof value === "number" ? String(value) : value).map((choice) =>
          canonical(options, choice),
        )
  if (chosen.length === 0 || chosen.some((choice) => choice === undefined))
    return { reason: "is not an allowed option" }
  if (chosen.length < min || chosen.length > Math.max(max, 1))
    return { reason: `choose between ${min} and ${max} options` }
  if (Array.isArray(value)) return { value: chosen }
  return { value: chosen.join(String(value).includes(", ") ? ", " : ",") }
}

function canonical(options: readonly string[], choice: string): string | undefined {
  const wanted = choice.trim().toLowerCase()
  return options.find((option) => option.toLowerCase() === wanted)
}

function readItems(value: unknown): Read {
  if (!Array.isArray(value)) return { reason: "must be a list of items" }
  const items = []
  for (const [index, entry] of value.entries()) {
    const item = typeof entry === "string" ? { title: entry } : (entry as Record<string, unknown> | null)
    if (typeof item !== "object" || item === null || typeof (item.title ?? item.name) !== "string")
      return { reason: `item ${index + 1} must have a title` }
    const qty = valueNumber(item.qty ?? 0)
    const price = item.unitPrice ?? item.unit_price ?? null
    const unitPrice = price === null ? null : valueNumber(price)
    const processed = item.qtyProcessed ?? null
    const qtyProcessed = processed === null ? null : valueNumber(processed)
    if ([qty, unitPrice, qtyProcessed].some((number) => number === undefined || Number(number) < 0))
      return { reason: `item ${index + 1} must have quantities and prices of 0 or more` }
    items.push({
      ...item,
      title: item.title ?? item.name,
      content: item.content ?? null,
      data: item.data ?? null,
      qty,
      unitPrice,
      qtyProcessed,
    })
  }
  return { value: items }
}

export function titleOf(component: FlowComponent): string {
  return component.title || component.id
}
