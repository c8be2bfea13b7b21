import type { Point } from "geojson"
import { mapFont } from "./base-style.ts"
import type { GeoJSONSource, MapLayerMouseEvent, MapLibreMap } from "./map-library.ts"

/**
 * Draws the clusters of a source of points: a circle with the number of points in it, which zooms in until it opens
 * when it is clicked. Returns what takes both layers away; the source stays.
 */
export function addClusterLayers(map: MapLibreMap, source: string): () => void {
  const [circles, counts] = [`${source}-clusters`, `${source}-counts`]
  map.addLayer({
    id: circles,
    type: "circle",
    source,
    filter: ["has", "point_count"],
    paint: {
      "circle-color": "#1f7a63",
      "circle-opacity": 0.92,
      "circle-stroke-color": "#ffffff",
      "circle-stroke-width": 2,
      "circle-radius": ["interpolate", ["linear"], ["log10", ["get", "point_count"]], 0.3, 12, 4, 30],
    },
  })
  map.addLayer({
    id: counts,
    type: "symbol",
    source,
    filter: ["has", "point_count"],
    layout: {
      "text-field": ["get", "point_count_abbreviated"],
      "text-font": mapFont,
      "text-size": 12,
      "text-allow-overlap": true,
    },
    paint: { "text-color": "#ffffff" },
  })
  const zoomIn = async (event: MapLayerMouseEvent) => {
    const feature = event.features?.[0]
    const points = map.getSource<GeoJSONSource>(source)
    if (!feature || !points) return
    const id: unknown = feature.properties.cluster_id
    // Only clusters that the map itself has made know when they open.
    const zoom = id === undefined ? map.getZoom() + 2 : await points.getClusterExpansionZoom(Number(id))
    map.easeTo({ center: (feature.geometry as Point).coordinates as [number, number], zoom })
  }
  const enter = () => {
    map.getCanvas().style.cursor = "pointer"
  }
  const leave = () => {
    map.getCanvas().style.cursor = ""
  }
  map.on("click", circles, zoomIn)
  map.on("mouseenter", circles, enter)
  map.on("mouseleave", circles, leave)
  return () => {
    map.off("click", circles, zoomIn)
    map.off("mouseenter", circles, enter)
    map.off("mouseleave", circles, leave)
    // A map that is being taken away has no style left to clean.
    for (const layer of [counts, circles]) if (map.getLayer(layer)) map.removeLayer(layer)
  }
}
