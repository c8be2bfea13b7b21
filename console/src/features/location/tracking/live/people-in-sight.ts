import { useDebouncedValue } from "@mantine/hooks"
import { skipToken, useQueries, useQuery } from "@tanstack/react-query"
import { useCallback, useMemo, useRef } from "react"
import { type BoundingBox, boxHolds } from "#packages/geodesy/geodesy.ts"
import {
  areaQuery,
  clustersQuery,
  foundQuery,
  type OfPeople,
  type Position,
  positionQuery,
  useMovedPeople,
  useMovedPositions,
  usePositions,
} from "../positions.ts"
import type { Area } from "./area.ts"

/** Up to here everybody is read at once. Of more people, the page reads those in the area that the map shows. */
export const maxPeople = 5_000

/** With more people in the area the map shows their numbers. */
const maxInArea = 2_000

export interface Cluster {
  lat: number
  lon: number
  count: number
}

export interface PeopleInSight {
  /** Whether there are too many people to read them all. */
  isLarge: boolean
  /** Everyone who is read, whatever is searched for. */
  known: readonly Position[]
  /** Of the chosen hub and team whose name contains the words; of a large number, those in the area. */
  shown: readonly Position[]
  /** People who are shown as numbers. */
  clusters: readonly Cluster[]
  /** Of the hub and team: how many have a position, of how many, and where they all are. */
  seen: number
  total: number
  bounds: BoundingBox | null
}

interface Wanted {
  people: OfPeople
  words: string
  /** People who are read wherever they are. */
  userIds: readonly string[]
  /** Undefined until the map is there. */
  area: Area | undefined
}

export const fleetQuery = clustersQuery({})

const nobody: readonly Position[] = []
const noClusters: readonly Cluster[] = []
const noIds: readonly string[] = []

/** The people of the tracking page: all of them, or those that it can show. */
export function usePeopleInSight({ people, words, userIds, area }: Wanted): PeopleInSight {
  const { data: fleet } = useQuery(fleetQuery)
  const isLarge = fleet !== undefined && fleet.total > maxPeople
  const all = useEverybody(fleet !== undefined && !isLarge, people, words)
  const part = usePart(isLarge, { people, words, userIds, area })
  return isLarge ? part : all
}

function useEverybody(isWanted: boolean, { hubId, teamId }: OfPeople, words: string): PeopleInSight {
  const positions = usePositions(isWanted) ?? nobody
  const shown = useMemo(() => {
    const wanted = words.trim().toLowerCase()
    return positions.filter(
      (position) =>
        isOf(position, hubId, teamId) && (wanted === "" || position.name.toLowerCase().includes(wanted)),
    )
  }, [positions, hubId, teamId, words])
  const seen = shown.filter(({ lat }) => lat !== null).length
  const total = shown.length
  return { isLarge: false, known: positions, shown, clusters: noClusters, seen, total, bounds: null }
}

function usePart(isLarge: boolean, { people, words, userIds, area }: Wanted): PeopleInSight {
  const { hubId, teamId } = people
  const [text] = useDebouncedValue(words.trim(), 250)
  const { data: counted, isPlaceholderData } = useQuery({
    ...clustersQuery(people, area),
    enabled: isLarge,
  })
  const inCells = (counted?.clusters ?? noClusters).reduce((sum, { count }) => sum + count, 0)
  const isNear = isLarge && area !== undefined && !isPlaceholderData && inCells <= maxInArea
  const nearby = areaQuery(people, area, maxInArea)
  const { data: near } = useQuery({ ...nearby, enabled: isNear })
  const belongs = useCallback(
    (position: Position) =>
      isLarge &&
      area !== undefined &&
      isOf(position, hubId, teamId) &&
      position.lat !== null &&
      position.lon !== null &&
      boxHolds(area.box, [position.lon, position.lat]),
    [isLarge, area, hubId, teamId],
  )
  const bbox = area?.bbox
  const nearbyKey = useMemo(() => ["positions-in-area", hubId, teamId, bbox], [hubId, teamId, bbox])
  // While a new area is being counted, the stream stays with the one before.
  const watched = useRef<string>(undefined)
  if (!isPlaceholderData) watched.current = isNear ? bbox : undefined
  const { current } = watched
  useMovedPositions(
    nearbyKey,
    belongs,
    useMemo(() => (current === undefined ? undefined : { bbox: current }), [current]),
  )
  const { data: found = nobody } = useQuery({
    ...foundQuery(people, text),
    ...(isLarge && text !== "" ? {} : { queryFn: skipToken }),
  })
  const ids = isLarge ? userIds : noIds
  useMovedPeople(ids)
  const chosen = useQueries({
    queries: ids.map(positionQuery),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  })
  const shown = text === "" ? (isNear && near) || nobody : found
  const known = useMemo(() => {
    const own = new Set(chosen.map(({ userId }) => userId))
    return [...chosen, ...shown.filter(({ userId }) => !own.has(userId))]
  }, [chosen, shown])
  return {
    isLarge,
    known,
    shown,
    clusters: text === "" && !(isNear && near) ? (counted?.clusters ?? noClusters) : noClusters,
    seen: counted?.seen ?? 0,
    total: counted?.total ?? 0,
    bounds: counted?.bounds ?? null,
  }
}

function isOf({ hubIds, teamIds }: Position, hubId: string | undefined, teamId: string | undefined): boolean {
  return (hubId === undefined || hubIds.includes(hubId)) && (teamId === undefined || teamIds.includes(teamId))
}
