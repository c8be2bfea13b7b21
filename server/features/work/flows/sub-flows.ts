import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { isId } from "#core/ids.ts"
import type { FlowComponent, FlowPage } from "./component.ts"
import { flowErrors } from "./errors.ts"
import { findFlows } from "./queries.ts"

/**
 * A component that makes a task of another flow whenever a task of this one is made: a `view` with the key `subFlow`,
 * so that clients that know nothing of it show a heading.
 */
export interface SubFlow {
  component: FlowComponent
  flowId: string
  /** What the other task's components begin with: a constant, or `$refFlow.<component of this flow>`. */
  values: Readonly<Record<string, unknown>>
}

/** The sub-flows of a flow in the order of its pages. What is not of their shape is left out. */
export function subFlowsOf(pages: readonly FlowPage[]): SubFlow[] {
  return pages
    .flatMap((page) => page.components)
    .flatMap((component): SubFlow[] => {
      const read = component.subFlow as { flowId?: unknown; values?: unknown } | null | undefined
      if (component.component !== "view" || typeof read?.flowId !== "string") return []
      const values = typeof read.values === "object" && read.values !== null ? read.values : {}
      return [{ component, flowId: read.flowId.toLowerCase(), values: { ...values } }]
    })
}

const maxSubFlows = 20

/** Refuses sub-flows that could make no task: unknown flows, components that these do not have. */
export async function checkSubFlows(
  sql: Sql,
  caller: Pick<Caller, "organizationId">,
  flow: { pages: readonly FlowPage[] },
): Promise<void> {
  const components = flow.pages.flatMap((page) => page.components)
  for (const component of components.filter(({ subFlow }) => subFlow !== undefined && subFlow !== null)) {
    if (component.component !== "view") throw bad(component, "only a view can have a sub-flow")
    const { flowId, values } = component.subFlow as { flowId?: unknown; values?: unknown }
    if (typeof flowId !== "string" || !isId(flowId.toLowerCase()))
      throw bad(component, "its subFlow must have the flowId of another flow")
    if (values !== undefined && (typeof values !== "object" || values === null || Array.isArray(values)))
      throw bad(component, "the values of its subFlow must be an object")
  }
  const subFlows = subFlowsOf(flow.pages)
  if (subFlows.length > maxSubFlows)
    throw flowErrors.badStructure({ message: `A flow can have at most ${maxSubFlows} sub-flows` })
  if (subFlows.length === 0) return
  const flows = await findFlows(
    sql,
    caller,
    subFlows.map(({ flowId }) => flowId),
  )
  const own = new Set(components.map(({ id }) => id))
  for (const { component, flowId, values } of subFlows) {
    const other = flows.find(({ id }) => id === flowId)
    if (!other)
      throw flowErrors.missingDependency({
        message: `Component ${component.id}: the flow ${flowId} does not exist. Choose another one`,
      })
    const theirs = new Set(other.pages.flatMap((page) => page.components.map(({ id }) => id)))
    for (const [target, value] of Object.entries(values)) {
      if (!theirs.has(target)) throw bad(component, `the flow ${other.name} has no component ${target}`)
      const source = referenceIn(value)
      if (source !== undefined && !own.has(source))
        throw bad(component, `no component ${source} can fill ${target}`)
    }
  }
}

/** `$refFlow.customer` names the component customer; undefined for a constant. */
export function referenceIn(value: unknown): string | undefined {
  return typeof value === "string" ? /^\$refFlow\.(.+)$/.exec(value)?.[1] : undefined
}

function bad(component: FlowComponent, reason: string) {
  return flowErrors.badComponent({
    message: `Component ${component.id}: ${reason}`,
    fields: { [component.id]: [reason] },
  })
}
