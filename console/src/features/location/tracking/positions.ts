import {
  keepPreviousData,
  type QueryKey,
  queryOptions,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
import { useCallback, useMemo } from "react"
import type { operations } from "../../../api/schema.d.ts"
import { dataOf, dataQuery, type ResponseBody, server } from "../../../api/server.ts"
import { byName } from "../../../i18n/by-name.ts"
import { useLiveEvents, useWatchedPeople } from "../../../live/live.tsx"
import type { LiveEvent, Watched } from "../../../live/live-stream.ts"
import type { Area } from "./live/area.ts"

export type Position = ResponseBody<"listPositions">["data"][number]
export type Movement = Position["movement"]

/** Whose positions: of a hub, of a team. */
export interface OfPeople {
  hubId?: string
  teamId?: string
}

/** Sorted once, by name: nothing is sorted however often positions come. */
function positionsIn(
  queryKey: QueryKey,
  query: NonNullable<operations["listPositions"]["parameters"]["query"]>,
  options: Omit<UseQueryOptions<Position[]>, "queryKey" | "queryFn">,
) {
  return queryOptions({
    ...options,
    queryKey,
    queryFn: async ({ signal }) =>
      (await dataOf(server.get("/api/v3/positions", { query, signal }))).toSorted(byName),
  })
}

export const positionsQuery = positionsIn(
  ["positions"],
  {},
  {
    // Callers without `view/user` receive no events of new people, so the page refetches when it opens.
    staleTime: 0,
    // Comparing each field of ten thousand people with each event takes longer than drawing them.
    structuralSharing: false,
  },
)

/** How many people there are, and where, in the cells of an area; by default on the whole earth. */
export function clustersQuery(people: OfPeople, area?: Area) {
  return dataQuery(
    ["position-clusters", people.hubId, people.teamId, area?.bbox, area?.zoom],
    "/api/v3/positions/clusters",
    { query: { ...people, ...(area && { bbox: area.bbox, zoom: area.zoom }) } },
    { staleTime: 10_000, refetchInterval: 15_000, placeholderData: keepPreviousData },
  )
}

/** Of an area. Events keep it up to date; who came or changed without moving is seen with the next request. */
export function areaQuery(people: OfPeople, area: Area | undefined, limit: number) {
  return positionsIn(
    ["positions-in-area", people.hubId, people.teamId, area?.bbox],
    { ...people, ...(area && { bbox: area.bbox }), limit },
    { staleTime: 0, refetchInterval: 60_000, structuralSharing: false },
  )
}

/** Of some people. Events keep it up to date; who went silent without moving is seen with the next request. */
export function positionsOfQuery(userIds: readonly string[]) {
  return positionsIn(
    ["positions-of", ...userIds],
    { userId: userIds.join(",") },
    {
      ...{ staleTime: 0, refetchInterval: 60_000, structuralSharing: false },
      enabled: userIds.length > 0,
      placeholderData: keepPreviousData,
    },
  )
}

/** The first ones by name whose name contains `words`. */
export function foundQuery(people: OfPeople, words: string) {
  return positionsIn(
    ["positions-found", people.hubId, people.teamId, words],
    { ...people, q: words, limit: 100 },
    { staleTime: 0, refetchInterval: 15_000, placeholderData: keepPreviousData },
  )
}

export function positionQuery(userId: string) {
  return dataQuery(
    ["position", userId],
    "/api/v3/positions/{userId}",
    { userId },
    { staleTime: 0, refetchInterval: 60_000, retry: false },
  )
}

/** A position in an event: as in the list. */
function positionOf(event: LiveEvent): Position | undefined {
  return event.type === "position.moved" ? (event.content as Position) : undefined
}

/** A position older than the one that is shown is a replay and changes nothing. */
function newerOf(known: Position, next: Position | undefined): Position {
  return next && (next.time ?? 0) >= (known.time ?? 0) ? next : known
}

/**
 * Keeps a list of positions up to date by the stream: an event contains the whole position, so nothing is refetched.
 * Who no longer belongs in it is removed. `belongs` must be the same function, and `watched` the same value, while they
 * mean the same.
 */
export function useMovedPositions(
  queryKey: QueryKey,
  belongs: (position: Position) => boolean,
  watched: Watched | undefined,
): void {
  const client = useQueryClient()
  useWatchedPeople(watched)
  const take = useCallback(
    (events: LiveEvent[]) => {
      const moved = new Map(
        events.flatMap((event) => positionOf(event) ?? []).map((position) => [position.userId, position]),
      )
      if (moved.size === 0) return
      client.setQueryData<Position[]>(queryKey, (known) => {
        if (!known) return known
        const old = known.filter(({ userId }) => moved.has(userId)).length
        const fresh = [...moved.values()].filter(belongs)
        if (old + fresh.length === 0) return known
        const kept = known.flatMap((position) => {
          const next = newerOf(position, moved.get(position.userId))
          moved.delete(position.userId)
          return next === position || belongs(next) ? [next] : []
        })
        return [...kept, ...fresh.filter(({ userId }) => moved.has(userId))]
      })
    },
    [client, queryKey, belongs],
  )
  useLiveEvents(take)
}

/** The same for single people. */
export function useMovedPeople(userIds: readonly string[]): void {
  const client = useQueryClient()
  useWatchedPeople(useMemo(() => (userIds.length > 0 ? { userIds } : undefined), [userIds]))
  const take = useCallback(
    (events: LiveEvent[]) => {
      for (const next of events.flatMap((event) => positionOf(event) ?? []))
        if (userIds.includes(next.userId))
          client.setQueryData<Position>(
            positionQuery(next.userId).queryKey,
            (known) => known && newerOf(known, next),
          )
    },
    [client, userIds],
  )
  useLiveEvents(take)
}

const everybody = () => true

/** The positions of all people, updated by the stream. Undefined until they are read. */
export function usePositions(isWanted = true): Position[] | undefined {
  const { data } = useQuery({ ...positionsQuery, enabled: isWanted })
  useMovedPositions(positionsQuery.queryKey, everybody, isWanted ? "everybody" : undefined)
  return data
}

/** The positions of some people, updated by the stream. */
export function usePositionsOf(userIds: readonly string[]): readonly Position[] {
  const query = positionsOfQuery(userIds)
  const { data } = useQuery(query)
  const ids = useMemo(() => new Set(userIds), [userIds])
  useMovedPositions(
    query.queryKey,
    useCallback(({ userId }: Position) => ids.has(userId), [ids]),
    useMemo(() => ({ userIds }), [userIds]),
  )
  return data ?? nobody
}

const nobody: readonly Position[] = []

/** Moving or still as the server reports, but silent once the position is too old by this clock. */
export function movementNow(position: Position, now: number): Movement {
  if (position.time === null) return "never-seen"
  return now - position.time > position.silentAfterSeconds * 1000 ? "silent" : position.movement
}
