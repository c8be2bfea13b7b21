import type { OpenStop } from "../../work/tasks/index.ts"

type OrderedBy = Pick<
  OpenStop,
  "id" | "startTime" | "orderIndex" | "routingResultId" | "routePlannedOrder" | "isSkipped"
>

/**
 * The order in which somebody makes their stops: where they are, then the planned ones in the order of their route, which
 * a change by hand is part of, then what was assigned by hand by its time, then what was skipped.
 */
export function inOrder<Stop extends OrderedBy>(
  stops: readonly Stop[],
  arrivedAt: (stop: Stop) => Temporal.Instant | null,
): Stop[] {
  const rank = (stop: Stop) => {
    if (arrivedAt(stop) !== null) return 0
    if (stop.isSkipped) return 3
    return stop.routePlannedOrder === null ? 2 : 1
  }
  const compare = (one: Stop, other: Stop) => {
    const [rankOfOne, rankOfOther] = [rank(one), rank(other)]
    if (rankOfOne !== rankOfOther) return rankOfOne - rankOfOther
    const byTime = rankOfOne === 1 ? 0 : one.startTime.epochMilliseconds - other.startTime.epochMilliseconds
    return byTime || one.orderIndex - other.orderIndex || (one.id < other.id ? -1 : 1)
  }
  return stops.toSorted(compare)
}
