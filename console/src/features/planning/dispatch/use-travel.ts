import { keepPreviousData, type QueryClient, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { formatLatLng } from "#packages/geodesy/lng-lat-text.ts"
import type { TravelSeconds } from "#shared/dispatch/person-day.ts"
import { type DeskRow, type Preview, placesOf, previewOf, withTravel } from "./desk-rows.ts"
import { type DayTask, travelQuery } from "./dispatch.queries.ts"
import type { Desk } from "./use-dispatch-day.ts"

interface TravelTable {
  isByRoad: boolean
  outOfReach: readonly (readonly number[])[]
  seconds: readonly (readonly number[])[]
  indexOf: ReadonlyMap<string, number>
}

interface Placed {
  /** The day as it is, on the travel times that are known. */
  row: DeskRow
  /** The day with the tasks; undefined without tasks. */
  preview: Preview | undefined
  isByRoad: boolean
  /** Places that no road leads to. */
  outOfReach: TravelTable["outOfReach"]
}

const none: readonly DayTask[] = []

/** A person's day on roads, and as it would become with some tasks: the same for the timeline, the pointer and the choice of people. */
export function usePlaced(
  known: DeskRow,
  desk: Desk,
  ids?: readonly string[] | undefined,
  at?: number | undefined,
): Placed {
  const tasks = useMemo(() => ids?.flatMap((id) => desk.taskOf.get(id) ?? []) ?? none, [ids, desk])
  const now = useTravelTable(
    useMemo(() => placesOf(known, none), [known]),
    desk.day.hasRoads,
  )
  const then = useTravelTable(
    useMemo(() => placesOf(known, tasks), [known, tasks]),
    desk.day.hasRoads,
  )
  const table = then ?? now
  return useMemo(() => {
    const row = onRoads(known, table)
    const preview = tasks.length === 0 ? undefined : previewOf(row, tasks, at)
    return { row, preview, isByRoad: table?.isByRoad ?? false, outOfReach: table?.outOfReach ?? [] }
  }, [known, tasks, at, table])
}

/** Until the times between changed places are known, those between the ones before are used. */
function useTravelTable(places: readonly LngLat[], hasRoads: boolean): TravelTable | undefined {
  const query = travelQuery(places)
  const isEnabled = hasRoads && places.length > 1
  return useQuery({ ...query, enabled: isEnabled, placeholderData: keepPreviousData }).data
}

/** The day on the times that its places and those of the tasks have on roads, which are asked for if they are not known yet. */
export async function readOnRoads(
  client: QueryClient,
  row: DeskRow,
  tasks: readonly DayTask[],
): Promise<DeskRow> {
  const places = placesOf(row, tasks)
  if (places.length < 2) return row
  return onRoads(row, await client.ensureQueryData(travelQuery(places)).catch(() => undefined))
}

function onRoads(row: DeskRow, table: TravelTable | undefined): DeskRow {
  if (!table?.isByRoad) return row
  const fallback = row.context.travel
  const { indexOf, seconds } = table
  const travel: TravelSeconds = (from, to) => {
    const [start, end] = [indexOf.get(from.join()), indexOf.get(to.join())]
    return start === undefined || end === undefined ? fallback(from, to) : (seconds[start]?.[end] ?? 0)
  }
  return withTravel(row, travel)
}

/** The titles of the tasks at some places, or their coordinates. */
export function namesAt(places: TravelTable["outOfReach"], { taskOf }: Desk): string {
  const names = places.map(
    ([lng = 0, lat = 0]) =>
      [...taskOf.values()].find((task) => task.lng === lng && task.lat === lat)?.title ||
      formatLatLng([lng, lat]),
  )
  return names.join("; ")
}
