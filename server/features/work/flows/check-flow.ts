import {
  componentKinds,
  type FlowComponent,
  type FlowPage,
  inputTypeOf,
  isKeptByOlderFlows,
  reservedFlowNames,
  reservedTaskKeys,
  toleratedReservedIds,
} from "./component.ts"
import { flowErrors } from "./errors.ts"

const maxPages = 100
const maxComponents = 300
const maxOptions = 1000

/**
 * Refuses a flow that no task could use. The message names the page or component. Components that the flow had before may
 * keep ids that were reserved later.
 */
export function checkFlow(
  flow: { name: string; pages: readonly FlowPage[] },
  before: readonly FlowPage[] = [],
): void {
  const kept = new Set(before.flatMap((page) => page.components.map(({ id }) => id)))
  checkName(flow.name)
  checkPages(flow.pages)
  const components = flow.pages.flatMap((page) => page.components)
  if (components.length > maxComponents)
    throw flowErrors.tooManyComponents({
      message: `A flow can have at most ${maxComponents} components; this one has ${components.length}`,
    })
  const ids = new Set<string>()
  const shownAs = new Map<string, string>()
  const routedAs = new Map<string, string>()
  for (const component of components) {
    checkComponent(component, kept)
    if (ids.has(component.id)) throw bad(component, "its id is used twice")
    ids.add(component.id)
    checkOnce(component, shownAs, "showAs", component.showAs)
    checkOnce(component, routedAs, "routeAs", component.routeAs)
  }
}

export function checkName(name: string): void {
  if (!/^[\p{L}\p{N} _-]{1,100}$/u.test(name) || reservedFlowNames.has(name.toLowerCase()))
    throw flowErrors.badName()
}

function checkPages(pages: readonly FlowPage[]): void {
  if (pages.length === 0 || pages[0]?.id !== "page0") throw flowErrors.badStructure()
  if (pages.length > maxPages)
    throw flowErrors.badStructure({ message: `A flow can have at most ${maxPages} pages` })
  if (new Set(pages.map((page) => page.id)).size !== pages.length)
    throw flowErrors.badStructure({ message: "Two pages have the same id" })
}

function checkComponent(component: FlowComponent, kept: ReadonlySet<string>): void {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(component.id))
    throw bad(component, "its id has other characters than letters, digits, - and _")
  const isTolerated =
    toleratedReservedIds.has(component.id) || (kept.has(component.id) && isKeptByOlderFlows(component.id))
  if (reservedTaskKeys.has(component.id) && !isTolerated)
    throw bad(component, "its id is a reserved key of tasks")
  if (!(componentKinds as readonly string[]).includes(component.component))
    throw bad(component, `the component ${component.component} does not exist`)
  if (component.component === "input" && !inputTypeOf(component))
    throw bad(component, `the input type ${component.type} does not exist`)
  if (component.component === "select") checkSelect(component)
  if (component.component === "view" && !isViewType(component.type))
    throw bad(component, `the view type ${component.type} does not exist`)
  if (component.component === "list" && !isListType(component.type))
    throw bad(component, `the list type ${component.type} does not exist`)
  if (
    component.component === "voice" &&
    !(Number(component.maxDuration ?? 0) >= 0 && Number(component.maxDuration ?? 0) <= 10)
  )
    throw bad(component, "maxDuration is 0 to 10 minutes")
  const [min, max] = [Number(component.min ?? 0), Number(component.max ?? Number.POSITIVE_INFINITY)]
  if (Number.isNaN(min) || Number.isNaN(max) || min > max)
    throw bad(component, "min must be a number not above max")
  if (
    typeof component.addNewValidation === "string" &&
    component.addNewValidationType === "custom" &&
    !isRegularExpression(component.addNewValidation)
  )
    throw bad(component, "its custom validation is not a regular expression")
}

function isViewType(type: string | undefined): boolean {
  return (
    type === undefined ||
    type.toLowerCase() === "image" ||
    inputTypeOf({ id: "", component: "input", type }) !== undefined
  )
}

function isListType(type: string | undefined): boolean {
  return type === undefined || ["text", "checkbox", "quantity"].includes(type.toLowerCase())
}

function checkSelect(component: FlowComponent): void {
  const { options } = component
  if (
    !Array.isArray(options) ||
    options.length === 0 ||
    options.length > maxOptions ||
    options.some((option) => typeof option !== "string")
  )
    throw bad(component, `a select needs 1 to ${maxOptions} options`)
}

function checkOnce(
  component: FlowComponent,
  taken: Map<string, string>,
  key: string,
  value: string | null | undefined,
): void {
  if (!value) return
  const other = taken.get(value)
  if (other) throw bad(component, `${key} ${value} is already given to ${other}`)
  taken.set(value, component.id)
}

function isRegularExpression(source: string): boolean {
  if (source.length > 500) return false
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}

function bad(component: FlowComponent, reason: string) {
  return flowErrors.badComponent({
    message: `Component ${component.id || component.title || "without id"}: ${reason}`,
    fields: { [component.id || "components"]: [reason] },
  })
}
