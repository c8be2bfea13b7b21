import { queryOptions } from "@tanstack/react-query"
import { type ResponseBody, server } from "../../../api/server.ts"

export type Flow = ResponseBody<"getFlow">["flow"]
export type FlowPageOf = Flow["pages"][number]

/** A component as the console reads it: the keys that people see; others are preserved. */
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

export const flowsQuery = queryOptions({
  queryKey: ["flows"],
  queryFn: async ({ signal }) => {
    const query = { limit: -1, sort_by: "orderIndex", sort_order: "asc" }
    return (await server.get("/api/v3/flows", { query, signal })).flows.data as Flow[]
  },
})

export function flowQuery(flowId: string) {
  return queryOptions({
    queryKey: ["flow", flowId],
    queryFn: async ({ signal }) => (await server.get("/api/v3/flow/{flowId}", { flowId, signal })).flow,
  })
}

export function componentsOf(flow: Flow): FlowComponent[] {
  return flow.pages.flatMap((page) => page.components as FlowComponent[])
}

/**
 * The components of the flows, each id once. Components of different flows often have the same title: then the name of the flow
 * follows it.
 */
export function namedComponents(flows: readonly Flow[]): { component: FlowComponent; name: string }[] {
  const first = new Map<string, { component: FlowComponent; flow: string }>()
  for (const flow of flows)
    for (const component of componentsOf(flow))
      if (!first.has(component.id)) first.set(component.id, { component, flow: flow.name })
  const titleOf = ({ title, id }: FlowComponent) => title || id
  const titles = [...first.values()].map(({ component }) => titleOf(component))
  const isShared = (title: string) => titles.indexOf(title) !== titles.lastIndexOf(title)
  return [...first.values()].map(({ component, flow }) => {
    const title = titleOf(component)
    return { component, name: isShared(title) ? `${title} · ${flow}` : title }
  })
}
