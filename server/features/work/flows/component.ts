import { taskFieldNames } from "#shared/task-fields.ts"

/** What a flow is made of, as stored. Unknown keys are kept and returned as they came. */
export interface FlowComponent {
  id: string
  component: string
  title?: string
  type?: string
  required?: boolean
  visible?: boolean
  default?: unknown
  showAs?: string | null
  routeAs?: string | null
  options?: string[]
  min?: number | string
  max?: number | string
  [key: string]: unknown
}

export interface FlowPage {
  id: string
  title?: string
  enabled?: boolean
  components: FlowComponent[]
  [key: string]: unknown
}

export interface FlowConfiguration {
  id: string
  adjustment?: number | string
  [key: string]: unknown
}

export const componentKinds = [
  "select",
  "input",
  "photo",
  "signature",
  "view",
  "bill",
  "list",
  "timer",
  "voice",
  "capture",
] as const

export const inputTypes = [
  "String",
  "Date",
  "Datetime",
  "Time",
  "Numeric",
  "Address",
  "Geolocation",
  "PhoneNumber",
  "URL",
  "Currency",
] as const
export type InputType = (typeof inputTypes)[number]

const inputTypeAliases: Record<string, InputType> = { number: "Numeric", boolean: "String" }

/** The kind of an input's value, however its case; undefined for one that is not known. */
export function inputTypeOf(component: FlowComponent): InputType | undefined {
  const wanted = (component.type ?? "String").toLowerCase()
  return inputTypeAliases[wanted] ?? inputTypes.find((type) => type.toLowerCase() === wanted)
}

export interface BillCost {
  name: string
  /** As the flow has it; null when the amount comes with each task only. */
  amount: number | null
  /** Lowers the total instead of raising it. */
  isDiscount: boolean
}

/** The costs in use of a bill, with what its catalogue of costs says about them. */
export function billCosts(component: FlowComponent): BillCost[] {
  if (component.component !== "bill" || !Array.isArray(component.costs)) return []
  const catalogue: unknown[] = Array.isArray(component.masterCosts) ? component.masterCosts : []
  return component.costs.flatMap((cost: unknown) => {
    const name = typeof cost === "string" ? cost : (cost as { name?: unknown } | null)?.name
    if (typeof name !== "string") return []
    const known = catalogue.find((entry) => (entry as { name?: unknown } | null)?.name === name)
    const { amount, type } = (known ?? {}) as { amount?: unknown; type?: unknown }
    const number = amount === undefined || amount === null || amount === "" ? Number.NaN : Number(amount)
    return [{ name, amount: Number.isFinite(number) ? number : null, isDiscount: type === "discount" }]
  })
}

export const reservedTaskKeys: ReadonlySet<string> = new Set(taskFieldNames(({ isFree }) => !isFree))

/** Ids that a flow keeps if it already has them, and that no flow gets any more. */
export { isYielding as isKeptByOlderFlows } from "#shared/task-fields.ts"

/** Stock flows of clients use these three as component ids: tolerated, the value and the computed key coincide. */
export const toleratedReservedIds: ReadonlySet<string> = new Set(["title", "content", "label"])

export const reservedFlowNames: ReadonlySet<string> = new Set(["activity", "handover", "activityworkflow"])
