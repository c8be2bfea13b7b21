import { type FlowPage, inputTypeOf } from "../../../work/flows/index.ts"
import type { TaskRow } from "../../../work/tasks/index.ts"
import { tagsOf } from "../read-entries.ts"
import type { RouteNode } from "../result-schemas.ts"

/** What a run knows of a visit that its task may not know: kept apart, because not all of it is the task's. */
export interface MappingContext {
  /** Names of areas, which are tags of the run only. */
  areaTags: ReadonlySet<string>
  /** False where the time on site came from the settings. */
  hasOwnVisitTime: boolean
  dimensions: readonly string[]
}

const constraintPrefix = "Constraint."

/**
 * The values that a dispatch writes into the components that the flow maps to visits: only those that differ,
 * so that a task that was planned as it is keeps its values as they were typed.
 */
export function mappedValues(
  pages: readonly FlowPage[],
  task: Pick<TaskRow, "values">,
  node: RouteNode,
  context: MappingContext,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const component of pages.flatMap((page) => page.components)) {
    const routed = typeof component.routeAs === "string" ? component.routeAs : ""
    const wanted = wantedValue(routed, node, context)
    if (wanted === undefined || isSame(wanted, task.values[component.id])) continue
    values[component.id] =
      component.component === "select" || inputTypeOf(component) !== "String"
        ? wanted
        : Array.isArray(wanted)
          ? wanted.join(",")
          : String(wanted)
  }
  return values
}

function wantedValue(routed: string, node: RouteNode, context: MappingContext): unknown {
  switch (routed) {
    case "VisitName":
      return node.visitName || undefined
    case "Address":
      return node.address || undefined
    case "Coordinate":
      return node.coordinate || undefined
    case "OpenTime":
      return node.timeWindows ? undefined : (node.timeWindow?.startTime ?? undefined)
    case "CloseTime":
      return node.timeWindows ? undefined : (node.timeWindow?.endTime ?? undefined)
    case "VisitDuration":
      return context.hasOwnVisitTime ? (node.visitTime ?? undefined) : undefined
    case "Tag": {
      const own = (node.tags ?? []).filter((tag) => !context.areaTags.has(tag))
      return own.length > 0 ? own : undefined
    }
    default: {
      const name = routed.startsWith(constraintPrefix) ? routed.slice(constraintPrefix.length) : ""
      return context.dimensions.includes(name) && typeof node[name] === "number" ? node[name] : undefined
    }
  }
}

function isSame(wanted: unknown, stored: unknown): boolean {
  if (Array.isArray(wanted)) return tagsOf(stored).toSorted().join() === wanted.toSorted().join()
  if (typeof wanted === "number") return Number(stored ?? 0) === wanted
  const [one, other] = [String(wanted), stored === undefined || stored === null ? "" : String(stored)].map(
    (text) => text.replace(/\s+/g, " ").trim(),
  )
  return one === other || one === `${other}:00` || other === `${one}:00` || compact(one) === compact(other)
}

const compact = (text: string | undefined) => text?.replace(/\s+/g, "")
