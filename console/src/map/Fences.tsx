import { useComputedColorScheme } from "@mantine/core"
import type { Feature, FeatureCollection } from "geojson"
import { useEffect, useMemo } from "react"
import { destination } from "#packages/geodesy/geodesy.ts"
import { labelColors, mapFont } from "./base-style.ts"
import { useMap } from "./MapView.tsx"
import type { ExpressionSpecification, GeoJSONSource } from "./map-library.ts"

/** A circle within which a person is at a place. */
export interface MapFence {
  id: string
  name: string
  lat: number
  lng: number
  radiusMeters: number
  kind: "hub" | "task"
}

const layers = ["fence-area", "fence-rim", "fence-center", "fence-name"] as const
const sourceId = "fences"
/** Below this the names of hubs would cover the people. */
const namesFromZoom = 8
const corners = 48

/** Where arrivals are noticed: the circle when it can be seen, its middle from further away. Lies under other layers. */
export function Fences({ fences }: { fences: readonly MapFence[] }) {
  const map = useMap()
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false })
  const collection = useMemo(() => toCollection(fences), [fences])
  useEffect(() => {
    if (!map) return
    map.addSource(sourceId, { type: "geojson", data: { type: "FeatureCollection", features: [] } })
    const color: ExpressionSpecification = ["match", ["get", "kind"], "hub", "#7a5bb5", "#c7791a"]
    // What was drawn before stays above.
    const above = map.getLayer("trails") ? "trails" : undefined
    map.addLayer(
      {
        id: "fence-area",
        type: "fill",
        source: sourceId,
        paint: { "fill-color": color, "fill-opacity": 0.14 },
      },
      above,
    )
    map.addLayer(
      {
        id: "fence-rim",
        type: "line",
        source: sourceId,
        paint: { "line-color": color, "line-width": 1.5, "line-dasharray": [3, 2] },
      },
      above,
    )
    map.addLayer(
      {
        id: "fence-center",
        type: "circle",
        source: sourceId,
        filter: ["==", ["geometry-type"], "Point"],
        paint: {
          "circle-color": color,
          "circle-radius": 4.5,
          "circle-stroke-color": "#ffffff",
          "circle-stroke-width": 1.5,
        },
      },
      above,
    )
    map.addLayer(
      {
        id: "fence-name",
        type: "symbol",
        source: sourceId,
        minzoom: namesFromZoom,
        filter: ["==", ["geometry-type"], "Point"],
        layout: {
          "text-field": ["get", "name"],
          "text-font": mapFont,
          "text-size": 11,
          "text-offset": [0, -0.9],
          "text-anchor": "bottom",
          "text-optional": true,
        },
        paint: { "text-halo-width": 1.4 },
      },
      above,
    )
    return () => {
      if (!map.getSource(sourceId)) return
      for (const layer of layers) map.removeLayer(layer)
      map.removeSource(sourceId)
    }
  }, [map])
  useEffect(() => {
    if (!map?.getLayer("fence-name")) return
    map.setPaintProperty("fence-name", "text-color", labelColors[scheme].text)
    map.setPaintProperty("fence-name", "text-halo-color", labelColors[scheme].halo)
  }, [map, scheme])
  useEffect(() => {
    map?.getSource<GeoJSONSource>(sourceId)?.setData(collection)
  }, [map, collection])
  return null
}

function toCollection(fences: readonly MapFence[]): FeatureCollection {
  return {
    type: "FeatureCollection",
    features: fences.flatMap(({ lat, lng, radiusMeters, ...properties }): Feature[] => [
      {
        type: "Feature",
        properties,
        geometry: { type: "Polygon", coordinates: [circle(lng, lat, radiusMeters)] },
      },
      { type: "Feature", properties, geometry: { type: "Point", coordinates: [lng, lat] } },
    ]),
  }
}

function circle(lng: number, lat: number, meters: number): number[][] {
  return Array.from({ length: corners + 1 }, (_, index) => [
    ...destination([lng, lat], (index % corners) * (360 / corners), meters),
  ])
}
