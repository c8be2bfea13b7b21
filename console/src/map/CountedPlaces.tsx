import { useEffect } from "react"
import { useFormats } from "../i18n/formats.ts"
import { addClusterLayers } from "./cluster-layers.ts"
import { useMap } from "./MapView.tsx"
import type { GeoJSONSource } from "./map-library.ts"

const sourceId = "counted-places"

/** Circles with numbers that the server has counted. A click zooms in. */
export function CountedPlaces({
  places,
}: {
  places: readonly { lat: number; lon: number; count: number }[]
}) {
  const map = useMap()
  const formats = useFormats()
  useEffect(() => {
    if (!map) return
    map.addSource(sourceId, { type: "geojson", data: { type: "FeatureCollection", features: [] } })
    const removeLayers = addClusterLayers(map, sourceId)
    return () => {
      removeLayers()
      if (map.getSource(sourceId)) map.removeSource(sourceId)
    }
  }, [map])
  useEffect(() => {
    void map?.getSource<GeoJSONSource>(sourceId)?.setData({
      type: "FeatureCollection",
      features: places.map(({ lat, lon, count }) => ({
        type: "Feature",
        properties: { point_count: count, point_count_abbreviated: formats.number(count) },
        geometry: { type: "Point", coordinates: [lon, lat] },
      })),
    })
  }, [map, places, formats])
  return null
}
