import { useEffect, useMemo } from "react"
import { useMap } from "./MapView.tsx"
import type { GeoJSONSource } from "./map-library.ts"

export interface FlaggedPointsProps {
  id: string
  points: readonly { lon: number; lat: number }[]
}

/** Stored points that are excluded from the track, as hollow dots. */
export function FlaggedPoints({ id, points }: FlaggedPointsProps) {
  const sourceId = `flagged-${id}`
  const map = useMap()
  const data = useMemo(
    () =>
      ({
        type: "Feature",
        properties: {},
        geometry: { type: "MultiPoint", coordinates: points.map(({ lon, lat }) => [lon, lat]) },
      }) as const,
    [points],
  )
  useEffect(() => {
    if (!map) return
    map.addSource(sourceId, { type: "geojson", data: { type: "FeatureCollection", features: [] } })
    map.addLayer({
      id: sourceId,
      type: "circle",
      source: sourceId,
      paint: {
        "circle-color": "#ffffff",
        "circle-opacity": 0.55,
        "circle-radius": 4,
        "circle-stroke-color": "#c0392b",
        "circle-stroke-width": 2,
      },
    })
    return () => {
      if (!map.getSource(sourceId)) return
      map.removeLayer(sourceId)
      map.removeSource(sourceId)
    }
  }, [map, sourceId])
  useEffect(() => {
    map?.getSource<GeoJSONSource>(sourceId)?.setData(data)
  }, [map, sourceId, data])
  return null
}
