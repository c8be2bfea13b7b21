import type { Translate } from "../../../../i18n/messages.ts"
import type { FlowComponent } from "../flows.queries.ts"
import type { flowMessages } from "../messages.ts"
import { type inputTypeMessages, inputTypeName } from "./input-type.ts"

export const componentKinds = [
  "input",
  "select",
  "photo",
  "signature",
  "view",
  "bill",
  "list",
  "timer",
  "voice",
  "capture",
] as const
export type ComponentKind = (typeof componentKinds)[number]

export function componentKindOf(component: Pick<FlowComponent, "component">): ComponentKind | undefined {
  return componentKinds.find((kind) => kind === component.component.toLowerCase())
}

/** What a field is in words: an input is called by its type. */
export function componentKindName(
  component: FlowComponent,
  t: Translate<typeof flowMessages>,
  tType: Translate<typeof inputTypeMessages>,
): string {
  const kind = componentKindOf(component)
  if (kind === "input") return inputTypeName(component.type, tType)
  return kind ? t(kind) : component.component
}
