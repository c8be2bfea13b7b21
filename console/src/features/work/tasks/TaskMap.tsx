import "../../../ui/StatusBadge.css"
import "./tasks.css"
import { IconLasso } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useRef, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { ClusteredPlaces, type Place } from "../../../map/ClusteredPlaces.tsx"
import { fitPlaces } from "../../../map/fit.ts"
import { isWithin, Lasso } from "../../../map/Lasso.tsx"
import MapView, { useMap } from "../../../map/MapView.tsx"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { viewMessages } from "./list/view-messages.ts"
import { taskMessages } from "./messages.ts"
import { maxAtOnce, type taskPageQuery, taskPlacesQuery } from "./tasks.queries.ts"

export interface TaskMapProps {
  query: Parameters<typeof taskPageQuery>[0]
  selected: ReadonlySet<string>
  onSelect(selected: ReadonlySet<string>): void
  onOpen(taskId: string): void
}

/** The tasks of the filter where they are to be done. */
export default function TaskMap({ query, selected, onSelect, onOpen }: TaskMapProps) {
  const t = useMessages(taskMessages)
  const tView = useMessages(viewMessages)
  const [isDrawing, setDrawing] = useState(false)
  useEffect(() => {
    if (!isDrawing) return
    const end = (event: KeyboardEvent) => {
      if (event.key === "Escape") setDrawing(false)
    }
    window.addEventListener("keydown", end)
    return () => window.removeEventListener("keydown", end)
  }, [isDrawing])
  const { data } = useQuery(taskPlacesQuery(query))
  const places = useMemo(
    () =>
      (data?.tasks ?? []).flatMap((task): Place[] => {
        const [lat, lng] = (task.expectedCoordinate ?? "").split(",").map(Number)
        if (lat === undefined || lng === undefined || !Number.isFinite(lat) || !Number.isFinite(lng))
          return []
        return [
          {
            id: task._id,
            lat,
            lng,
            title: task.title ?? t("untitled"),
            kind: task.status,
            isSelected: selected.has(task._id),
          },
        ]
      }),
    [data, selected, t],
  )
  const withoutPlace = (data?.tasks.length ?? 0) - places.length
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  const selectWithin = (ring: Parameters<typeof isWithin>[1]) => {
    const within = places.filter(({ lng, lat }) => isWithin([lng, lat], ring)).map(({ id }) => id)
    onSelect(new Set([...selected, ...within]))
    setDrawing(false)
  }
  return (
    <div className="map-with-notes">
      <MapView label={t("mapLabel")}>
        <FitOnce places={places} />
        <ClusteredPlaces places={places} onOpen={onOpen} onToggle={toggle} />
        {isDrawing ? <Lasso onDrawn={selectWithin} /> : null}
      </MapView>
      <ActionButton
        icon={IconLasso}
        label={isDrawing ? tView("lassoOn") : tView("lasso")}
        className="map-lasso"
        size="xs"
        variant={isDrawing ? "filled" : "default"}
        aria-pressed={isDrawing}
        onClick={() => setDrawing((was) => !was)}
      />
      {data ? (
        <div className="map-note" role="status">
          {t("onMap", { count: places.length })}
          {withoutPlace > 0 ? ` · ${t("withoutPlace", { count: withoutPlace })}` : ""}
          {data.total > maxAtOnce ? ` · ${t("mapLimit", { count: maxAtOnce })}` : ""}
        </div>
      ) : null}
    </div>
  )
}

function FitOnce({ places }: { places: readonly Place[] }) {
  const map = useMap()
  const hasFitted = useRef(false)
  useEffect(() => {
    if (!map || hasFitted.current || places.length === 0) return
    hasFitted.current = true
    fitPlaces(map, places)
  }, [map, places])
  return null
}
