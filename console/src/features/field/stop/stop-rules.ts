import { lateRule, type OutcomeRule, outcomeRules, type TaskOutcome } from "#shared/task-outcomes.ts"
import { missingFields } from "../../work/flows/fields/missing-fields.ts"
import { shownComponents } from "../../work/flows/fields/shown-components.ts"
import { componentsOf, type Flow, type FlowComponent } from "../../work/flows/flows.queries.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"
import type { Values } from "../kept/field-drafts.ts"

type Configurations = Parameters<typeof outcomeRules>[0]

function configurationsOf(flow: Flow): Configurations {
  return (flow.configurations ?? []) as Configurations
}

/** The outcomes besides done that the flow offers. */
export function offeredOutcomes(flow: Flow): OutcomeRule[] {
  return outcomeRules(configurationsOf(flow)).filter(({ outcome }) => outcome !== "done")
}

export function lateRuleOf(flow: Flow) {
  return lateRule(configurationsOf(flow))
}

/** The key of a built-in field on tasks of a flow: a component of an older flow may have the name. */
export function fieldKey(flow: Flow, name: string): string {
  return componentsOf(flow).some(({ id }) => id === name) ? `_${name}` : name
}

const alwaysOpen = new Set(["photo", "signature", "list", "bill"])

/** What the planner entered can only be read by people who do the task, unless the flow says otherwise. */
export function isPlanned(
  component: FlowComponent,
  { task, flow, email }: { task: Task; flow: Flow; email: string },
): boolean {
  const isOnFirstPage = flow.pages[0]?.components.some(({ id }) => id === component.id) ?? false
  const value = task[component.id]
  const isFilled = value !== undefined && value !== null && value !== ""
  return (
    isOnFirstPage &&
    isFilled &&
    component.workerCanEdit !== true &&
    task.createdBy !== email &&
    !alwaysOpen.has(component.component.toLowerCase())
  )
}

/** The pages that a person goes through for an outcome: all of them, or only what a stop that was not done needs. */
export function pagesFor(flow: Flow, rule: OutcomeRule | undefined): FlowComponent[][] {
  if (rule === undefined || rule.outcome === "partial")
    return flow.pages.map((page) => page.components as FlowComponent[])
  const required = new Set(rule.required)
  return [componentsOf(flow).filter(({ id }) => required.has(id))]
}

/** The components of a page as this person sees them, and ids of those that lack an entry. */
export function checkPage(
  page: readonly FlowComponent[],
  all: readonly FlowComponent[],
  valueFor: (componentId: string) => unknown,
  rule: OutcomeRule | undefined,
): { components: FlowComponent[]; missing: Set<string> } {
  const shown = shownComponents(all, page, valueFor)
  const components = rule === undefined ? shown : shown.map((component) => asRequired(component, rule))
  const missing = components.filter(
    (component) => missingFields([component], ({ id }) => valueFor(id)).length > 0,
  )
  return { components, missing: new Set(missing.map(({ id }) => id)) }
}

function asRequired(component: FlowComponent, { required }: OutcomeRule): FlowComponent {
  const isRequired = required.includes(component.id)
  const min = isRequired ? Math.max(1, Number(component.min ?? 0)) : 0
  return { ...component, required: isRequired, min }
}

/** What is stored with a finished task besides its components. */
export function moreOf(flow: Flow, more: Values): Record<string, unknown> {
  return Object.fromEntries(Object.entries(more).map(([name, value]) => [fieldKey(flow, name), value]))
}

export function chosenRule(flow: Flow, more: Values): OutcomeRule | undefined {
  return offeredOutcomes(flow).find(({ outcome }) => outcome === (more.outcome as TaskOutcome | undefined))
}
