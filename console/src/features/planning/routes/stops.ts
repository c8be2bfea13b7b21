import type { RouteNode } from "./routes.queries.ts"

/** How many visits' goods a stop hands over at a sub-hub; 0 for any other node. */
export function handedOver(node: RouteNode): number {
  return Array.isArray(node.handoverVisits) ? node.handoverVisits.length : 0
}

/** The stops of a vehicle that can be moved: visits and handovers of goods. */
export function isStop(node: RouteNode): boolean {
  return !node.isHub || handedOver(node) > 0
}
