import { IconHandGrab, IconLasso } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useRef, useState } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { fitPlaces } from "../../../../map/fit.ts"
import { isWithin, Lasso } from "../../../../map/Lasso.tsx"
import MapView, { useMap } from "../../../../map/MapView.tsx"
import { PeopleCanvas } from "../../../../map/PeopleCanvas.tsx"
import type { PersonOnMap } from "../../../../map/people-changes.ts"
import { useSession } from "../../../../session/session.ts"
import { ActionButton } from "../../../../ui/actions/ActionButton.tsx"
import { useNow } from "../../../../ui/now.ts"
import { movementNow, usePositionsOf } from "../../../location/tracking/positions.ts"
import { hubsQuery } from "../../../organization/hubs/hubs.queries.ts"
import { lateBy } from "../desk-rows.ts"
import { useDesk, useDeskStore } from "../desk-store.ts"
import { dispatchMessages } from "../messages.ts"
import type { Desk } from "../use-dispatch-day.ts"
import { pressOf, useDragStart } from "../use-drag.ts"
import { PersonWay } from "./PersonWay.tsx"
import { type TaskPoint, TaskPoints } from "./TaskPoints.tsx"

interface DeskMapProps {
  desk: Desk
  onOpen(taskId: string): void
}

/** The day's tasks and the people where they are now. */
export default function DeskMap({ desk, onOpen }: DeskMapProps) {
  const t = useMessages(dispatchMessages)
  const { may } = useSession()
  const store = useDeskStore()
  const { data: hubs } = useQuery(hubsQuery)
  const [isDrawing, setDrawing] = useState(false)
  const points = useMemo(
    () =>
      desk.day.tasks.flatMap((task): TaskPoint[] => {
        const { lng, lat } = task
        if (lng === null || lat === null) return []
        const isLate = lateBy(task, desk.rowOf.get(task.assignee[0] ?? ""), desk.now) > 0
        return [{ task, lng, lat, isLate }]
      }),
    [desk],
  )
  useEffect(() => {
    if (!isDrawing) return
    const end = (event: KeyboardEvent) => {
      if (event.key === "Escape") setDrawing(false)
    }
    window.addEventListener("keydown", end)
    return () => window.removeEventListener("keydown", end)
  }, [isDrawing])
  const selectWithin = (ring: Parameters<typeof isWithin>[1]) => {
    const within = points
      .filter(({ task, lng, lat }) => task.status !== "DONE" && isWithin([lng, lat], ring))
      .map(({ task }) => task._id)
    store.set({ selected: new Set([...store.get().selected, ...within]) })
    setDrawing(false)
  }
  const withoutPlace = desk.day.tasks.length - points.length
  return (
    <div className="desk-map">
      <MapView label={t("mapTitle")} hasHint={false}>
        <FitOnce places={points} />
        {desk.day.tasks.length === 0 && hubs ? <FitOnce places={hubs} /> : null}
        <TaskPoints points={points} onOpen={onOpen} />
        <PersonWay desk={desk} />
        {may("view/tracking") ? <PeopleNow desk={desk} /> : null}
        {isDrawing ? <Lasso onDrawn={selectWithin} /> : null}
      </MapView>
      <div className="desk-map-tools">
        <ActionButton
          icon={IconLasso}
          label={isDrawing ? t("lassoOn") : t("lasso")}
          size="xs"
          variant={isDrawing ? "filled" : "default"}
          aria-pressed={isDrawing}
          onClick={() => setDrawing((was) => !was)}
        />
        <DragHandle />
      </div>
      {withoutPlace > 0 ? (
        <div className="map-note" role="status">
          {t("withoutPlace", { count: withoutPlace })}
        </div>
      ) : null}
    </div>
  )
}

/** Takes the whole selection to a person; a lasso leaves the pointer anywhere. */
function DragHandle() {
  const t = useMessages(dispatchMessages)
  const start = useDragStart()
  const selected = useDesk((state) => state.selected)
  const [first] = selected
  if (first === undefined) return null
  return (
    <span className="desk-drag-handle" onPointerDown={pressOf(start, { id: first })}>
      <IconHandGrab size={15} aria-hidden /> {t("dragSelected", { count: selected.size })}
    </span>
  )
}

/** People of the day at their newest positions. */
function PeopleNow({ desk }: { desk: Desk }) {
  const store = useDeskStore()
  const now = useNow(5_000)
  const positions = usePositionsOf(desk.userIds)
  const shownPerson = useDesk((state) => state.shownPerson)
  const people = useMemo(
    () =>
      positions.flatMap((position): PersonOnMap[] => {
        const { lat, lon, email } = position
        if (lat === null || lon === null || !desk.rowOf.has(email)) return []
        const movement = movementNow(position, now)
        return [
          {
            id: email,
            name: position.name,
            lat,
            lng: lon,
            movement,
            bearing: movement === "moving" ? position.bearing : null,
            isChosen: email === shownPerson,
          },
        ]
      }),
    [positions, now, desk.rowOf, shownPerson],
  )
  return <PeopleCanvas people={people} onChoose={(email) => store.set({ shownPerson: email })} />
}

function FitOnce({ places }: { places: readonly { lat: number; lng: number }[] }) {
  const map = useMap()
  const hasFitted = useRef(false)
  useEffect(() => {
    if (!map || hasFitted.current || places.length === 0) return
    hasFitted.current = true
    fitPlaces(map, places)
  }, [map, places])
  return null
}
