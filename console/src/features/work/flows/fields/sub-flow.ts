import type { FlowComponent } from "../flows.queries.ts"

export interface SubFlow {
  flowId: string
  /** By component of the other flow: a constant, or `$refFlow.<component of this one>`. */
  values: Readonly<Record<string, unknown>>
  /** Further keys that other programs wrote. */
  kept: Readonly<Record<string, unknown>>
}

/** The additional task that a component creates, as stored in the flow. */
export function subFlowOf(component: FlowComponent): SubFlow | undefined {
  const read = component.subFlow
  if (typeof read !== "object" || read === null) return undefined
  const { flowId, values, ...kept } = read as { flowId?: unknown; values?: unknown }
  if (typeof flowId !== "string") return undefined
  const isMap = typeof values === "object" && values !== null && !Array.isArray(values)
  return { flowId, values: isMap ? { ...values } : {}, kept }
}

/** The component that a value is taken from, as `$refFlow.receiver` names it. */
export function referenceTo(value: unknown): string | undefined {
  return typeof value === "string" ? /^\$refFlow\.(.+)$/.exec(value)?.[1] : undefined
}
