import type { FeatureCollection, Point } from "geojson"
import { useEffect, useMemo, useRef } from "react"
import { mapFont } from "./base-style.ts"
import { useMap } from "./MapView.tsx"
import type { GeoJSONSource, MapLayerMouseEvent } from "./map-library.ts"
import { addTrail, type Trails, trailLines } from "./trails.ts"

export interface PersonOnMap {
  id: string
  name: string
  lat: number
  lng: number
  movement: "moving" | "still" | "silent" | "never-seen"
  bearing: number | null
  isChosen: boolean
}

const sourceId = "people"
const trailId = "trails"
const empty = { type: "FeatureCollection", features: [] } as const

/** Drawn by the map itself, not as elements of the page: a thousand people who move once a second stay smooth. */
export function LivePeople({
  people,
  onChoose,
}: {
  people: readonly PersonOnMap[]
  onChoose(id: string): void
}) {
  const map = useMap()
  const collection = useMemo(() => toCollection(people), [people])
  const choose = useRef(onChoose)
  choose.current = onChoose
  const trails = useRef<Trails>(new Map())

  useEffect(() => {
    if (!map) return
    map.addSource(trailId, { type: "geojson", data: { ...empty, features: [] } })
    map.addSource(sourceId, { type: "geojson", data: { ...empty, features: [] } })
    map.addLayer({
      id: trailId,
      type: "line",
      source: trailId,
      layout: { "line-cap": "round", "line-join": "round" },
      paint: { "line-color": "#1f7a63", "line-width": 3, "line-opacity": 0.45 },
    })
    map.addLayer({
      id: "people-dots",
      type: "circle",
      source: sourceId,
      paint: {
        "circle-color": ["match", ["get", "movement"], "moving", "#1f7a63", "still", "#3b7fc4", "#8b9893"],
        "circle-radius": ["case", ["get", "isChosen"], 11, 8],
        "circle-stroke-color": ["case", ["get", "isChosen"], "#f2b84b", "#ffffff"],
        "circle-stroke-width": ["case", ["get", "isChosen"], 3.5, 2],
      },
    })
    map.addLayer({
      id: "people-names",
      type: "symbol",
      source: sourceId,
      layout: {
        "text-field": ["get", "name"],
        "text-font": mapFont,
        "text-size": 12,
        "text-offset": [0, 1.1],
        "text-anchor": "top",
        "text-optional": true,
      },
      paint: { "text-color": "#1d2622", "text-halo-color": "#ffffff", "text-halo-width": 1.6 },
    })
    const click = (event: MapLayerMouseEvent) => {
      const id = event.features?.[0]?.properties.id
      if (typeof id === "string") choose.current(id)
    }
    const enter = () => {
      map.getCanvas().style.cursor = "pointer"
    }
    const leave = () => {
      map.getCanvas().style.cursor = ""
    }
    map.on("click", "people-dots", click)
    map.on("mouseenter", "people-dots", enter)
    map.on("mouseleave", "people-dots", leave)
    return () => {
      map.off("click", "people-dots", click)
      map.off("mouseenter", "people-dots", enter)
      map.off("mouseleave", "people-dots", leave)
      if (!map.getSource(sourceId)) return
      for (const layer of ["people-names", "people-dots", trailId]) map.removeLayer(layer)
      map.removeSource(sourceId)
      map.removeSource(trailId)
    }
  }, [map])

  useEffect(() => {
    if (!map) return
    for (const person of people) addTrail(trails.current, person)
    map.getSource<GeoJSONSource>(sourceId)?.setData(collection)
    map.getSource<GeoJSONSource>(trailId)?.setData(trailLines(trails.current))
  }, [map, collection, people])
  return null
}

function toCollection(people: readonly PersonOnMap[]): FeatureCollection<Point> {
  return {
    type: "FeatureCollection",
    features: people.map(({ lat, lng, ...properties }) => ({
      type: "Feature",
      properties,
      geometry: { type: "Point", coordinates: [lng, lat] },
    })),
  }
}
