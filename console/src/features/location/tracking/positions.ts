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
    // Callers without `view/user` receive no events of new people, so the page refetches when it opens.
    staleTime: 0,
    // Comparing each field of ten thousand people with each event takes longer than drawing them.
    structuralSharing: false,
  },
)

/** A position in an event: as in the list. */
function positionOf(event: LiveEvent): Position | undefined {
  return event.type === "position.moved" ? (event.content as Position) : undefined
}

/**
 * The positions of all people, updated by the stream: an event contains the whole position, so nothing is refetched.
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

/** Moving or still as the server reports, but silent once the position is too old by this clock. */
export function movementNow(position: Position, now: number): Movement {
  if (position.time === null) return "never-seen"
  return now - position.time > position.silentAfterSeconds * 1000 ? "silent" : position.movement
}
