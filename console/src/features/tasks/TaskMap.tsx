import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useRef } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { ClusteredPlaces, type Place } from "../../map/ClusteredPlaces.tsx"
import { fitPlaces } from "../../map/fit.ts"
import MapView, { useMap } from "../../map/MapView.tsx"
import { taskMessages } from "./messages.ts"
import { mostAtOnce, type taskPageQuery, taskPlacesQuery } from "./tasks.queries.ts"

export interface TaskMapProps {
  query: Parameters<typeof taskPageQuery>[0]
  selected: ReadonlySet<string>
  onSelect(selected: ReadonlySet<string>): void
  onOpen(taskId: string): void
}

/** The tasks of the filter where they are to be done. */
export default function TaskMap({ query, selected, onSelect, onOpen }: TaskMapProps) {
  const t = useMessages(taskMessages)
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
  return (
    <div className="map-with-notes">
      <MapView label={t("mapLabel")}>
        <FitOnce places={places} />
        <ClusteredPlaces places={places} onOpen={onOpen} onToggle={toggle} />
      </MapView>
      {data ? (
        <div className="map-note" role="status">
          {t("onMap", { count: places.length })}
          {withoutPlace > 0 ? ` · ${t("withoutPlace", { count: withoutPlace })}` : ""}
          {data.total > mostAtOnce ? ` · ${t("mapLimit", { count: mostAtOnce })}` : ""}
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
