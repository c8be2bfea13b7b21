import type { FlowComponent } from "../flows.queries.ts"

/** Titles of the components of a page that must be filled and are not: the server's rule, checked on the phone. */
export function missingFields(
  components: readonly FlowComponent[],
  valueFor: (component: FlowComponent) => unknown,
): string[] {
  return components
    .filter((component) => isDemanded(component) && countOf(valueFor(component)) < leastOf(component))
    .map((component) => component.title ?? component.id)
}

export function isDemanded(component: FlowComponent): boolean {
  if (component.component === "view") return false
  if (component.component === "select" || component.component === "photo")
    return Number(component.min ?? 0) > 0
  return component.required === true
}

function leastOf(component: FlowComponent): number {
  return component.component === "photo" ? Math.max(1, Number(component.min ?? 0)) : 1
}

function countOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  return value === undefined || value === null || value === "" ? 0 : 1
}
