import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { useLiveEvents } from "../../../live/live.tsx"
import type { LiveEvent } from "../../../live/live-stream.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { useNow } from "../../../ui/now.ts"
import { positionsOfQuery } from "../../location/tracking/positions.ts"
import { type DeskRow, rowsOf } from "./desk-rows.ts"
import { type DayTask, type DispatchDay, dayQuery } from "./dispatch.queries.ts"

export interface Desk {
  day: DispatchDay
  rows: DeskRow[]
  rowOf: ReadonlyMap<string, DeskRow>
  taskOf: ReadonlyMap<string, DayTask>
  /** The people of the rows; the same array while they are the same. */
  userIds: readonly string[]
  /** Epoch seconds; undefined if the day is another than today. */
  now: number | undefined
}

/** The day is read again at most this often, however much changes: a large one takes longer to read and to draw. */
const reloadMilliseconds = (taskCount: number) => 2_000 + taskCount
const clockMilliseconds = 30_000

/** The day with its rows, kept up to date by the event stream; undefined until it is read. */
export function useDispatchDay(date: string | undefined): Desk | undefined {
  const hub = useChosenHub()
  const { data: day } = useQuery(dayQuery(hub, date))
  useReloads(day?.tasks.length ?? 0)
  const present = useNow(clockMilliseconds) / 1000
  const listed = day?.people
    .map(({ _id }) => _id)
    .sort()
    .join()
  const userIds = useMemo(() => (listed ? listed.split(",") : []), [listed])
  const positions = useStartPlaces(userIds, present)
  return useMemo(() => {
    if (!day) return undefined
    const now = present >= day.from && present < day.until ? present : undefined
    const rows = rowsOf(day, now === undefined ? new Map() : positions, now)
    return {
      day,
      rows,
      now,
      userIds,
      rowOf: new Map(rows.map((row) => [row.person.email, row])),
      taskOf: new Map(day.tasks.map((task) => [task._id, task])),
    }
  }, [day, present, positions, userIds])
}

function useReloads(taskCount: number): void {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const take = useCallback(
    (events: LiveEvent[]) => {
      const isOfDay = events.some(({ type }) => /^(task|vehicle|user|hub)\./.test(type))
      if (!isOfDay || timer.current !== undefined) return
      timer.current = setTimeout(() => {
        timer.current = undefined
        void client.invalidateQueries({ queryKey: ["dispatch", "day"] })
      }, reloadMilliseconds(taskCount))
    },
    [client, taskCount],
  )
  useLiveEvents(take)
}

/**
 * Where people are, as the timeline reckons with it: taken over every half minute, not with each of the positions that the
 * map shows as they come.
 */
function useStartPlaces(userIds: readonly string[], present: number): ReadonlyMap<string, LngLat> {
  const { may } = useSession()
  const client = useQueryClient()
  const query = useMemo(() => positionsOfQuery(userIds), [userIds])
  const { isSuccess, isPlaceholderData } = useQuery({
    ...query,
    enabled: userIds.length > 0 && may("view/tracking"),
    notifyOnChangeProps: ["isSuccess", "isPlaceholderData"],
  })
  const [places, setPlaces] = useState<ReadonlyMap<string, LngLat>>(new Map())
  // biome-ignore lint/correctness/useExhaustiveDependencies: the clock says when to look again
  useEffect(() => {
    const known = client.getQueryData(query.queryKey)
    if (!known) return
    setPlaces(
      new Map(
        known.flatMap(({ email, lat, lon, movement }) =>
          lat === null || lon === null || movement === "silent"
            ? []
            : [[email, [lon, lat] as LngLat] as const],
        ),
      ),
    )
  }, [client, query, isSuccess, isPlaceholderData, present])
  return places
}
