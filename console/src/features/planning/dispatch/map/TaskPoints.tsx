import { useComputedColorScheme } from "@mantine/core"
import type { FeatureCollection, Point } from "geojson"
import { useEffect, useMemo, useRef } from "react"
import { useMap } from "../../../../map/MapView.tsx"
import {
  type ExpressionSpecification,
  type GeoJSONSource,
  type MapLayerMouseEvent,
  Popup,
} from "../../../../map/map-library.ts"
import { toggleSelected, useDesk, useDeskStore } from "../desk-store.ts"
import type { DayTask } from "../dispatch.queries.ts"
import { useDragStart } from "../use-drag.ts"

export interface TaskPoint {
  task: DayTask
  lng: number
  lat: number
  isLate: boolean
}

const sourceId = "desk-tasks"

/** The selected ones stand out from the map and from the others. */
function ringColor(scheme: "light" | "dark"): ExpressionSpecification {
  const [selected, other] = scheme === "dark" ? ["#ffffff", "#0e1716"] : ["#1d2622", "#ffffff"]
  return ["case", ["boolean", ["feature-state", "selected"], false], selected, other]
}

/**
 * The tasks of the day, each as a point of one layer. What is selected is a state of the point, so that a selection does not
 * send thousands of points again. A point can be dragged to a person.
 */
export function TaskPoints({ points, onOpen }: { points: readonly TaskPoint[]; onOpen(id: string): void }) {
  const map = useMap()
  const store = useDeskStore()
  const start = useDragStart()
  const collection = useCollection(points)
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false })
  const latest = useRef({ collection, onOpen, scheme })
  latest.current = { collection, onOpen, scheme }

  useEffect(() => {
    if (!map) return
    map.addSource(sourceId, { type: "geojson", data: latest.current.collection, promoteId: "id" })
    map.addLayer({
      id: sourceId,
      type: "circle",
      source: sourceId,
      layout: { "circle-sort-key": ["match", ["get", "kind"], "late", 3, "UNASSIGNED", 2, "ONGOING", 1, 0] },
      paint: {
        "circle-color": [
          "match",
          ["get", "kind"],
          "late",
          "#b42318",
          "UNASSIGNED",
          "#d9902f",
          "ONGOING",
          "#3b7fc4",
          "#1f7a63",
        ],
        "circle-radius": [
          "interpolate",
          ["linear"],
          ["zoom"],
          8,
          ["case", ["boolean", ["feature-state", "selected"], false], 6, 3.5],
          14,
          ["case", ["boolean", ["feature-state", "selected"], false], 11, 7.5],
        ],
        "circle-opacity": ["case", ["==", ["get", "kind"], "DONE"], 0.55, 1],
        "circle-stroke-color": ringColor(latest.current.scheme),
        "circle-stroke-width": ["case", ["boolean", ["feature-state", "selected"], false], 3, 1.2],
      },
    })
    const popup = new Popup({ closeButton: false, closeOnClick: false, offset: 12, className: "map-popup" })
    const idOf = (event: MapLayerMouseEvent) => {
      const id: unknown = event.features?.[0]?.properties.id
      return typeof id === "string" ? id : undefined
    }
    const enter = (event: MapLayerMouseEvent) => {
      const feature = event.features?.[0]
      if (!feature || store.get().drag) return
      map.getCanvas().style.cursor = "grab"
      popup.setLngLat((feature.geometry as Point).coordinates as [number, number])
      popup.setText(String(feature.properties.title)).addTo(map)
    }
    const leave = () => {
      map.getCanvas().style.cursor = ""
      popup.remove()
    }
    const press = (event: MapLayerMouseEvent) => {
      const id = idOf(event)
      const { button, clientX, clientY, shiftKey } = event.originalEvent
      if (id === undefined || button !== 0 || shiftKey || event.features?.[0]?.properties.kind === "DONE")
        return
      event.preventDefault()
      popup.remove()
      start({ source: { id }, x: clientX, y: clientY })
    }
    const click = (event: MapLayerMouseEvent) => {
      const id = idOf(event)
      if (id === undefined) return
      const { shiftKey, ctrlKey, metaKey } = event.originalEvent
      if (shiftKey || ctrlKey || metaKey) toggleSelected(store, id)
      else latest.current.onOpen(id)
    }
    map.on("mousemove", sourceId, enter)
    map.on("mouseleave", sourceId, leave)
    map.on("mousedown", sourceId, press)
    map.on("click", sourceId, click)
    return () => {
      popup.remove()
      map.off("mousemove", sourceId, enter)
      map.off("mouseleave", sourceId, leave)
      map.off("mousedown", sourceId, press)
      map.off("click", sourceId, click)
      // A map that is being taken away has no style left to clean.
      if (!map.getSource(sourceId)) return
      map.removeLayer(sourceId)
      map.removeSource(sourceId)
    }
  }, [map, store, start])

  useEffect(() => {
    map?.getSource<GeoJSONSource>(sourceId)?.setData(collection)
  }, [map, collection])
  useEffect(() => {
    if (map?.getLayer(sourceId)) map.setPaintProperty(sourceId, "circle-stroke-color", ringColor(scheme))
  }, [map, scheme])
  useSelectedStates()
  return null
}

/** Marks the selected points, and takes the mark from those that no longer are. */
function useSelectedStates(): void {
  const map = useMap()
  const selected = useDesk((state) => state.selected)
  const marked = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (!map?.getSource(sourceId)) return
    for (const id of marked.current)
      if (!selected.has(id)) map.setFeatureState({ source: sourceId, id }, { selected: false })
    for (const id of selected)
      if (!marked.current.has(id)) map.setFeatureState({ source: sourceId, id }, { selected: true })
    marked.current = selected
  }, [map, selected])
}

/** Sent to the map where it differs: the clock goes on each half minute, and few tasks become late by it. */
function useCollection(points: readonly TaskPoint[]): FeatureCollection<Point> {
  const kept = useRef<{ text: string; collection: FeatureCollection<Point> }>(undefined)
  return useMemo(() => {
    const collection = toCollection(points)
    const text = JSON.stringify(collection)
    if (kept.current?.text !== text) kept.current = { text, collection }
    return kept.current.collection
  }, [points])
}

function toCollection(points: readonly TaskPoint[]): FeatureCollection<Point> {
  return {
    type: "FeatureCollection",
    features: points.map(({ task, lng, lat, isLate }) => ({
      type: "Feature",
      properties: { id: task._id, title: task.title, kind: isLate ? "late" : task.status },
      geometry: { type: "Point", coordinates: [lng, lat] },
    })),
  }
}
