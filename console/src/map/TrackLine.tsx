import { useEffect, useRef } from "react"
import { useMap } from "./MapView.tsx"
import { type GeoJSONSource, LngLatBounds } from "./map-library.ts"

export interface TrackLineProps {
  id: string
  /** Longitude and latitude, in the order of travel. */
  places: readonly (readonly [number, number])[]
  color: string
  /** Draws this many of the places strongly and the rest faintly; all strongly without it. */
  played?: number
  /** Look at the whole line when it first comes, and whenever `id` changes. */
  isFitted?: boolean
}

const line = (places: TrackLineProps["places"]) =>
  ({
    type: "Feature",
    properties: {},
    geometry: { type: "LineString", coordinates: places.map(([lng, lat]) => [lng, lat]) },
  }) as const

/** The track of one person. */
export function TrackLine({ id, places, color, played, isFitted = false }: TrackLineProps) {
  const map = useMap()
  const fitted = useRef("")
  useEffect(() => {
    if (!map) return
    const [whole, part] = [`track-${id}`, `track-${id}-played`]
    for (const source of [whole, part]) map.addSource(source, { type: "geojson", data: line([]) })
    for (const [source, opacity, width] of [
      [whole, 0.35, 4],
      [part, 0.95, 4],
    ] as const)
      map.addLayer({
        id: source,
        type: "line",
        source,
        layout: { "line-cap": "round", "line-join": "round" },
        paint: { "line-color": color, "line-width": width, "line-opacity": opacity },
      })
    return () => {
      if (!map.getSource(whole)) return
      for (const source of [part, whole]) {
        map.removeLayer(source)
        map.removeSource(source)
      }
    }
  }, [map, id, color])
  useEffect(() => {
    if (!map) return
    map.getSource<GeoJSONSource>(`track-${id}`)?.setData(line(places))
    if (!isFitted || fitted.current === id || places.length === 0) return
    fitted.current = id
    const bounds = new LngLatBounds()
    for (const [lng, lat] of places) bounds.extend([lng, lat])
    map.fitBounds(bounds, { padding: 48, maxZoom: 15, animate: false })
  }, [map, id, places, isFitted])
  useEffect(() => {
    const shown = places.slice(0, played ?? places.length)
    map?.getSource<GeoJSONSource>(`track-${id}-played`)?.setData(line(shown))
  }, [map, id, places, played])
  return null
}
