import type { FeatureCollection, Point } from "geojson"
import { useEffect, useMemo, useRef } from "react"
import { addClusterLayers } from "./cluster-layers.ts"
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
    const removeClusters = addClusterLayers(map, sourceId)
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
    map.on("mousemove", "place-points", enter)
    map.on("mouseleave", "place-points", leave)
    map.on("click", "place-points", open)
    return () => {
      popup.remove()
      map.off("mousemove", "place-points", enter)
      map.off("mouseleave", "place-points", leave)
      map.off("click", "place-points", open)
      removeClusters()
      // A map that is being taken away has no style left to clean.
      if (!map.getSource(sourceId)) return
      map.removeLayer("place-points")
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
