import type { FlowComponent } from "./flows.queries.ts"

interface ComparedPage {
  id: string
  title?: string
  components: readonly FlowComponent[]
}

export interface ComparedFlow {
  name: string
  pages: readonly ComparedPage[]
}

export type FlowDifference =
  | { kind: "renamed"; before: string; after: string }
  | { kind: "pageAdded" | "pageRemoved"; title: string }
  | { kind: "pageRenamed"; before: string; after: string }
  | { kind: "added" | "removed"; title: string }
  | { kind: "moved"; title: string }
  | { kind: "changed"; title: string; keys: string[] }

/** The changes of a flow from one version to another, in the order of its fields. */
export function compareFlows(before: ComparedFlow, after: ComparedFlow): FlowDifference[] {
  const differences: FlowDifference[] = []
  if (before.name !== after.name)
    differences.push({ kind: "renamed", before: before.name, after: after.name })
  const titleOfPage = (page: ComparedPage) => page.title || page.id
  for (const page of after.pages) {
    const old = before.pages.find(({ id }) => id === page.id)
    if (!old) differences.push({ kind: "pageAdded", title: titleOfPage(page) })
    else if (titleOfPage(old) !== titleOfPage(page))
      differences.push({ kind: "pageRenamed", before: titleOfPage(old), after: titleOfPage(page) })
  }
  for (const page of before.pages)
    if (!after.pages.some(({ id }) => id === page.id))
      differences.push({ kind: "pageRemoved", title: titleOfPage(page) })
  const [old, now] = [placesOf(before), placesOf(after)]
  const kept = (places: ReadonlyMap<string, Place>, others: ReadonlyMap<string, Place>, pageId: string) =>
    [...places]
      .filter(([id, { page }]) => page === pageId && others.get(id)?.page === pageId)
      .map(([id]) => id)
  for (const [id, { page, component }] of now) {
    const was = old.get(id)
    const title = component.title || id
    if (!was) {
      differences.push({ kind: "added", title })
      continue
    }
    const hasMoved =
      was.page !== page || kept(old, now, page).indexOf(id) !== kept(now, old, page).indexOf(id)
    if (hasMoved) differences.push({ kind: "moved", title })
    const keys = changedKeys(was.component, component)
    if (keys.length > 0) differences.push({ kind: "changed", title, keys })
  }
  for (const [id, { component }] of old)
    if (!now.has(id)) differences.push({ kind: "removed", title: component.title || id })
  return differences
}

interface Place {
  page: string
  component: FlowComponent
}

function placesOf(flow: ComparedFlow): Map<string, Place> {
  return new Map(
    flow.pages.flatMap((page) =>
      page.components.map((component) => [component.id, { page: page.id, component }] as const),
    ),
  )
}

/** Keys whose values differ; a missing key equals an empty one. */
function changedKeys(before: FlowComponent, after: FlowComponent): string[] {
  const text = (value: unknown) => JSON.stringify(value ?? null)
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => text(before[key]) !== text(after[key]),
  )
}
