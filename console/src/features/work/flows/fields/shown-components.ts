import type { FlowComponent } from "../flows.queries.ts"

/** What is entered for a component so far. */
export type AnswerTo = (componentId: string) => unknown

export interface SelectRule {
  options: string[]
  action: string
  componentAffected: string[]
}

/**
 * Which components a person sees, and which of them only to read: hidden ones appear and others vanish by what
 * was chosen elsewhere in the flow. The rules are those by which the server judges whether one is missing.
 */
export function shownComponents(
  all: readonly FlowComponent[],
  wanted: readonly FlowComponent[],
  valueFor: AnswerTo,
): FlowComponent[] {
  const hidden = new Set(all.filter(({ visible }) => visible === false).map(({ id }) => id))
  const readOnly = new Set<string>()
  for (const component of all) {
    const chosen = choicesOf(valueFor(component.id))
    for (const rule of rulesOf(component)) {
      if (!chosen.some((choice) => rule.options.includes(choice))) continue
      for (const id of rule.componentAffected) {
        if (rule.action === "hide") hidden.add(id)
        else hidden.delete(id)
        if (rule.action === "show") readOnly.add(id)
        else readOnly.delete(id)
      }
    }
  }
  return wanted
    .filter(({ id }) => !hidden.has(id))
    .map((component) => (readOnly.has(component.id) ? { ...component, readOnly: true } : component))
}

function choicesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String)
  return typeof value === "string" ? value.split(",").map((part) => part.trim()) : []
}

export function rulesOf(component: FlowComponent): SelectRule[] {
  if (component.component !== "select" || !Array.isArray(component.onSelect)) return []
  return (component.onSelect as Partial<SelectRule>[]).filter(
    (rule): rule is SelectRule =>
      Array.isArray(rule.options) && Array.isArray(rule.componentAffected) && typeof rule.action === "string",
  )
}

/** The component whose value this one takes over, as `$parcels` names it. */
export function sourceOf(component: FlowComponent): string | undefined {
  const value = component.value
  return typeof value === "string" && value.startsWith("$") ? value.slice(1) : undefined
}
