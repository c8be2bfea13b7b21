import { useEffect, useMemo } from "react"
import { fitPlaces } from "../../../../map/fit.ts"
import { useMap } from "../../../../map/MapView.tsx"
import type { GeoJSONSource } from "../../../../map/map-library.ts"
import { useDesk } from "../desk-store.ts"
import type { Desk } from "../use-dispatch-day.ts"

const sourceId = "desk-way"

/** The open stops of the shown person in their order, as a line. */
export function PersonWay({ desk }: { desk: Desk }) {
  const map = useMap()
  const email = useDesk((state) => state.shownPerson)
  const line = useMemo(() => {
    const row = desk.rowOf.get(email ?? "")
    if (!row) return []
    const stops = row.stops.filter(({ isDone }) => !isDone).map(({ lngLat }) => lngLat)
    return [row.worker.from, ...stops].flatMap((place) => (place ? [[...place]] : []))
  }, [desk, email])
  useEffect(() => {
    if (!map) return
    map.addSource(sourceId, { type: "geojson", data: { type: "FeatureCollection", features: [] } })
    const before = map.getLayer("desk-tasks") ? "desk-tasks" : undefined
    map.addLayer(
      {
        id: sourceId,
        type: "line",
        source: sourceId,
        layout: { "line-cap": "round", "line-join": "round" },
        paint: { "line-color": "#2b6cb0", "line-width": 3, "line-dasharray": [1.5, 1.2] },
      },
      before,
    )
    return () => {
      if (!map.getSource(sourceId)) return
      map.removeLayer(sourceId)
      map.removeSource(sourceId)
    }
  }, [map])
  useEffect(() => {
    map
      ?.getSource<GeoJSONSource>(sourceId)
      ?.setData({ type: "Feature", properties: {}, geometry: { type: "LineString", coordinates: line } })
  }, [map, line])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the map moves when another person is shown, not with each change
  useEffect(() => {
    if (map && email && line.length > 0)
      fitPlaces(
        map,
        line.map(([lng = 0, lat = 0]) => ({ lng, lat })),
        true,
      )
  }, [map, email])
  return null
}
