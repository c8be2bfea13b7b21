import type { FeatureCollection, Point } from "geojson"
import { useEffect, useMemo, useRef } from "react"
import { mapFont } from "./base-style.ts"
import { useMap } from "./MapView.tsx"
import { type GeoJSONSource, type MapLayerMouseEvent, Popup } from "./map-library.ts"

export interface Place {
  id: string
  lat: number
  lng: number
  title: string
  /** Chooses the colour. */
  kind: "UNASSIGNED" | "ONGOING" | "DONE"
  isSelected: boolean
}

export interface ClusteredPlacesProps {
  places: readonly Place[]
  onOpen(id: string): void
  /** With shift or control. */
  onToggle(id: string): void
}

const sourceId = "places"
const clusterRadiusPixels = 44
const lastClusterZoom = 13

/** Thousands of places: near ones as one circle with their number, which opens when it is clicked. */
export function ClusteredPlaces({ places, onOpen, onToggle }: ClusteredPlacesProps) {
  const map = useMap()
  const collection = useMemo(() => toCollection(places), [places])
  const latest = useRef({ collection, onOpen, onToggle })
  latest.current = { collection, onOpen, onToggle }

  useEffect(() => {
    if (!map) return
    map.addSource(sourceId, {
      type: "geojson",
      data: latest.current.collection,
      cluster: true,
      clusterRadius: clusterRadiusPixels,
      clusterMaxZoom: lastClusterZoom,
    })
    map.addLayer({
      id: "place-clusters",
      type: "circle",
      source: sourceId,
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
      id: "place-counts",
      type: "symbol",
      source: sourceId,
      filter: ["has", "point_count"],
      layout: {
        "text-field": ["get", "point_count_abbreviated"],
        "text-font": mapFont,
        "text-size": 12,
        "text-allow-overlap": true,
      },
      paint: { "text-color": "#ffffff" },
    })
    map.addLayer({
      id: "place-points",
      type: "circle",
      source: sourceId,
      filter: ["!", ["has", "point_count"]],
      paint: {
        "circle-color": ["match", ["get", "kind"], "UNASSIGNED", "#d9902f", "ONGOING", "#3b7fc4", "#1f7a63"],
        "circle-radius": ["case", ["get", "isSelected"], 9, 6.5],
        "circle-stroke-color": ["case", ["get", "isSelected"], "#1d2622", "#ffffff"],
        "circle-stroke-width": ["case", ["get", "isSelected"], 3, 1.5],
      },
    })
    const popup = new Popup({ closeButton: false, closeOnClick: false, offset: 12, className: "map-popup" })
    const enter = (event: MapLayerMouseEvent) => {
      const feature = event.features?.[0]
      if (!feature) return
      map.getCanvas().style.cursor = "pointer"
      popup.setLngLat((feature.geometry as Point).coordinates as [number, number])
      popup.setText(String(feature.properties.title)).addTo(map)
    }
    const leave = () => {
      map.getCanvas().style.cursor = ""
      popup.remove()
    }
    const open = (event: MapLayerMouseEvent) => {
      const id = event.features?.[0]?.properties.id
      if (typeof id !== "string") return
      const { shiftKey, ctrlKey, metaKey } = event.originalEvent
      if (shiftKey || ctrlKey || metaKey) latest.current.onToggle(id)
      else latest.current.onOpen(id)
    }
    const zoomIn = async (event: MapLayerMouseEvent) => {
      const feature = event.features?.[0]
      const source = map.getSource<GeoJSONSource>(sourceId)
      if (!feature || !source) return
      const zoom = await source.getClusterExpansionZoom(Number(feature.properties.cluster_id))
      map.easeTo({ center: (feature.geometry as Point).coordinates as [number, number], zoom })
    }
    const pointer = () => {
      map.getCanvas().style.cursor = "pointer"
    }
    map.on("mousemove", "place-points", enter)
    map.on("mouseleave", "place-points", leave)
    map.on("mouseenter", "place-clusters", pointer)
    map.on("mouseleave", "place-clusters", leave)
    map.on("click", "place-points", open)
    map.on("click", "place-clusters", zoomIn)
    return () => {
      popup.remove()
      map.off("mousemove", "place-points", enter)
      map.off("mouseleave", "place-points", leave)
      map.off("mouseenter", "place-clusters", pointer)
      map.off("mouseleave", "place-clusters", leave)
      map.off("click", "place-points", open)
      map.off("click", "place-clusters", zoomIn)
      // A map that is being taken away has no style left to clean.
      if (!map.getSource(sourceId)) return
      for (const layer of ["place-points", "place-counts", "place-clusters"]) map.removeLayer(layer)
      map.removeSource(sourceId)
    }
  }, [map])

  useEffect(() => {
    map?.getSource<GeoJSONSource>(sourceId)?.setData(collection)
  }, [map, collection])
  return null
}

function toCollection(places: readonly Place[]): FeatureCollection<Point> {
  return {
    type: "FeatureCollection",
    features: places.map(({ id, lat, lng, title, kind, isSelected }) => ({
      type: "Feature",
      properties: { id, title, kind, isSelected },
      geometry: { type: "Point", coordinates: [lng, lat] },
    })),
  }
}
