import { taskFieldNames } from "#shared/task-fields.ts"
import type { componentKinds } from "../fields/component-kind.ts"
import { rulesOf, sourceOf } from "../fields/shown-components.ts"
import { referenceTo, subFlowOf } from "../fields/sub-flow.ts"
import type { Flow, FlowComponent } from "../flows.queries.ts"
import { type Configuration, dataSourcesOf } from "./data-sources.ts"
import { requiredIds } from "./outcome-settings.ts"

/** A flow while it is being written. */
export interface FlowDraft {
  name: string
  pages: DraftPage[]
  /** When tasks begin and end, and which data fills them; others as they came. */
  configurations: Configuration[]
}

interface DraftPage {
  id: string
  title: string
  components: FlowComponent[]
  [key: string]: unknown
}

export type NewKind = (typeof componentKinds)[number]

/** A new flow begins with a page for the planner and one for the person who does the work. */
export function draftOf(flow: Flow | undefined, newPages: readonly string[] = [""]): FlowDraft {
  if (!flow) {
    const pages = newPages.map((title, index) => ({ id: `page${index}`, title, components: [] }))
    return { name: "", pages, configurations: [] }
  }
  const pages = flow.pages.map((page) => ({
    ...page,
    title: page.title ?? "",
    components: page.components as FlowComponent[],
  }))
  return { name: flow.name, pages, configurations: flow.configurations as Configuration[] }
}

/** A component of a kind with what it needs to work. Its id follows its title and is unique in the flow. */
export function newComponent(draft: FlowDraft, kind: NewKind, title: string): FlowComponent {
  const base = { id: freeId(draft, title || kind), component: kind, title, visible: true }
  switch (kind) {
    case "input":
      return { ...base, type: "String", required: false }
    case "select":
      return { ...base, options: ["A", "B"], min: 0, max: 1 }
    case "photo":
      return { ...base, min: 0, max: 4 }
    case "list":
      return { ...base, type: "quantity", required: false }
    default:
      return { ...base, required: false }
  }
}

/** Keys of tasks, which components cannot have. The headings are tolerated. */
const reservedIds = taskFieldNames(({ isFree }) => !isFree).filter(
  (name) => !["title", "content", "label"].includes(name),
)

/** `receiverName` from "Receiver name"; a number behind it when that is taken. */
function freeId(draft: FlowDraft, title: string): string {
  const words = title
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9 ]/g, "")
    .trim()
    .split(/ +/)
    .filter(Boolean)
  const stem =
    words
      .map((word, index) =>
        index === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
      )
      .join("") || "field"
  const taken = new Set([
    ...reservedIds,
    ...draft.pages.flatMap((page) => page.components.map((component) => component.id)),
  ])
  if (!taken.has(stem)) return stem
  let number = 2
  while (taken.has(`${stem}${number}`)) number += 1
  return `${stem}${number}`
}

/**
 * Components that no saved version knows get ids after their present titles: exports and other systems see them.
 * One that another component already names keeps its id.
 */
export function nameNewComponents(draft: FlowDraft, known: ReadonlySet<string>): FlowDraft {
  const spokenOf = new Set([
    ...draft.pages.flatMap((page) =>
      page.components.flatMap((component) => [
        sourceOf(component) ?? "",
        ...rulesOf(component).flatMap((rule) => rule.componentAffected),
        ...Object.values(subFlowOf(component)?.values ?? {}).map((value) => referenceTo(value) ?? ""),
      ]),
    ),
    ...requiredIds(draft.configurations),
    ...dataSourcesOf(draft.configurations).flatMap(({ fields }) =>
      fields.map(({ componentId }) => componentId.split(".")[0] ?? ""),
    ),
  ])
  return draft.pages.reduce(
    (named, page, number) =>
      page.components.reduce((sofar, component, index) => {
        if (known.has(component.id) || spokenOf.has(component.id)) return sofar
        const without = changeComponent(sofar, { page: number, index }, { id: "" })
        return changeComponent(
          without,
          { page: number, index },
          { id: freeId(without, component.title ?? "") },
        )
      }, named),
    draft,
  )
}

export interface Place {
  page: number
  index: number
}

/** Takes the component at one place and puts it before the other. */
export function moveComponent(draft: FlowDraft, from: Place, to: Place): FlowDraft {
  const moved = draft.pages[from.page]?.components[from.index]
  if (!moved) return draft
  const without = draft.pages.map((page, number) =>
    number === from.page ? { ...page, components: page.components.toSpliced(from.index, 1) } : page,
  )
  const shift = from.page === to.page && from.index < to.index ? 1 : 0
  return {
    ...draft,
    pages: without.map((page, number) =>
      number === to.page
        ? { ...page, components: page.components.toSpliced(to.index - shift, 0, moved) }
        : page,
    ),
  }
}

export function changeComponent(draft: FlowDraft, at: Place, change: Partial<FlowComponent>): FlowDraft {
  return withComponents(draft, at.page, (components) =>
    components.map((component, index) => (index === at.index ? { ...component, ...change } : component)),
  )
}

export function removeComponent(draft: FlowDraft, at: Place): FlowDraft {
  return withComponents(draft, at.page, (components) => components.toSpliced(at.index, 1))
}

export function addComponent(draft: FlowDraft, page: number, component: FlowComponent): FlowDraft {
  return withComponents(draft, page, (components) => [...components, component])
}

export function addPage(draft: FlowDraft): FlowDraft {
  const taken = new Set(draft.pages.map((page) => page.id))
  let number = draft.pages.length
  while (taken.has(`page${number}`)) number += 1
  return { ...draft, pages: [...draft.pages, { id: `page${number}`, title: "", components: [] }] }
}

function withComponents(
  draft: FlowDraft,
  number: number,
  change: (components: FlowComponent[]) => FlowComponent[],
): FlowDraft {
  return {
    ...draft,
    pages: draft.pages.map((page, index) =>
      index === number ? { ...page, components: change(page.components) } : page,
    ),
  }
}

/** A new flow without its empty pages; its first input is the title of the tasks if no other is, so that they have one. */
export function withoutGaps(draft: FlowDraft): FlowDraft {
  const filled = draft.pages.filter(({ components }, index) => index === 0 || components.length > 0)
  const all = filled.flatMap(({ components }) => components)
  const title = all.some(({ showAs }) => showAs === "title")
    ? undefined
    : filled[0]?.components.find(({ component }) => component === "input")
  const pages = filled.map((page) => ({
    ...page,
    components: page.components.map((one) => (one === title ? { ...one, showAs: "title" } : one)),
  }))
  return { ...draft, pages }
}

/** What only somebody in the field can give: on the first page the planner would be asked for it. */
export function fieldOnlyTitles(components: readonly FlowComponent[]): string[] {
  const kinds = new Set(["photo", "signature", "voice", "timer"])
  return components.filter(({ component }) => kinds.has(component)).map(({ title, id }) => title || id)
}
