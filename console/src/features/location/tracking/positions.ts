import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useCallback } from "react"
import { dataQuery, type ResponseBody } from "../../../api/server.ts"
import { useLiveEvents } from "../../../live/live.tsx"
import type { LiveEvent } from "../../../live/live-stream.ts"

export type Position = ResponseBody<"listPositions">["data"][number]
export type Movement = Position["movement"]

export const positionsQuery = dataQuery(
  ["positions"],
  "/api/v3/positions",
  {},
  {
    // Who may see no people is not told who joined: whoever opens a page with positions sees everybody.
    staleTime: 0,
  },
)

/** How a position stands in an event: as in the list. */
function positionOf(event: LiveEvent): Position | undefined {
  return event.type === "position.moved" ? (event.content as unknown as Position) : undefined
}

/**
 * Where everybody is, kept up by the stream: an event carries the whole position, so nothing is asked again.
 * Undefined until they are read. A position older than the one that is shown is a replay and changes nothing.
 */
export function usePositions(): Position[] | undefined {
  const client = useQueryClient()
  const { data } = useQuery(positionsQuery)
  const take = useCallback(
    (events: LiveEvent[]) => {
      const moved = new Map(
        events.flatMap((event) => positionOf(event) ?? []).map((position) => [position.userId, position]),
      )
      if (moved.size === 0) return
      client.setQueryData(positionsQuery.queryKey, (known) => {
        if (!known) return known
        const kept = known.map((position) => {
          const next = moved.get(position.userId)
          moved.delete(position.userId)
          return next && (next.time ?? 0) >= (position.time ?? 0) ? next : position
        })
        return [...kept, ...moved.values()]
      })
    },
    [client],
  )
  useLiveEvents(take)
  return data
}

/** Moving or still as the server said, but silent as soon as the position is too old by this clock. */
export function movementNow(position: Position, now: number): Movement {
  if (position.time === null) return "never-seen"
  return now - position.time > position.silentAfterSeconds * 1000 ? "silent" : position.movement
}
