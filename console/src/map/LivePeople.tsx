import { useComputedColorScheme } from "@mantine/core"
import { useEffect, useRef } from "react"
import { labelColors, mapFont } from "./base-style.ts"
import { addClusterLayers } from "./cluster-layers.ts"
import { useMap } from "./MapView.tsx"
import type { ExpressionSpecification, GeoJSONSource, MapLayerMouseEvent } from "./map-library.ts"
import { changesOf, featureOf, isEmpty, movementColors, type PersonOnMap } from "./people-changes.ts"
import { extendTrails, type Trails } from "./trails.ts"

export type { PersonOnMap }

const sourceId = "people"
/** The chosen person is shown separately: a cluster never contains them. */
const chosenId = "chosen-person"
const trailId = "trails"
const layers = ["people-dots", "people-names"] as const
const chosenLayers = ["chosen-dot", "chosen-name"] as const
const clusterRadiusPixels = 34
const lastClusterZoom = 12
const empty = { type: "FeatureCollection", features: [] } as const
const colorOfMovement: ExpressionSpecification = [
  "match",
  ["get", "movement"],
  "moving",
  movementColors.moving,
  "still",
  movementColors.still,
  movementColors.silent,
]

/**
 * Drawn by the map itself, not as elements of the page: a thousand people who move once a second stay smooth. People
 * who would cover each other are one circle with their number, which opens when it is clicked.
 */
export function LivePeople({
  people,
  hasTrails = true,
  onChoose,
}: {
  people: readonly PersonOnMap[]
  /** Lines behind those who move: only where people move by themselves, not where somebody moves the clock. */
  hasTrails?: boolean
  onChoose(id: string): void
}) {
  const map = useMap()
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false })
  const choose = useRef(onChoose)
  choose.current = onChoose
  const trails = useRef<Trails>(new Map())
  const shown = useRef<ReadonlyMap<string, PersonOnMap>>(new Map())

  useEffect(() => {
    if (!map) return
    shown.current = new Map()
    trails.current = new Map()
    map.addSource(trailId, { type: "geojson", promoteId: "id", data: { ...empty, features: [] } })
    map.addSource(chosenId, { type: "geojson", data: { ...empty, features: [] } })
    map.addSource(sourceId, {
      type: "geojson",
      promoteId: "id",
      data: { ...empty, features: [] },
      cluster: true,
      clusterRadius: clusterRadiusPixels,
      clusterMaxZoom: lastClusterZoom,
    })
    map.addLayer({
      id: trailId,
      type: "line",
      source: trailId,
      layout: { "line-cap": "round", "line-join": "round" },
      paint: { "line-color": "#1f7a63", "line-width": 3, "line-opacity": 0.45 },
    })
    const removeClusters = addClusterLayers(map, sourceId)
    for (const [dots, names, source] of [
      ["people-dots", "people-names", sourceId],
      ["chosen-dot", "chosen-name", chosenId],
    ] as const) {
      const isChosen = source === chosenId
      map.addLayer({
        id: dots,
        type: "circle",
        source,
        filter: ["!", ["has", "point_count"]],
        paint: {
          "circle-color": colorOfMovement,
          "circle-radius": isChosen ? 11 : 8,
          "circle-stroke-color": isChosen ? "#f2b84b" : "#ffffff",
          "circle-stroke-width": isChosen ? 3.5 : 2,
        },
      })
      map.addLayer({
        id: names,
        type: "symbol",
        source,
        filter: ["!", ["has", "point_count"]],
        layout: {
          "text-field": ["get", "name"],
          "text-font": mapFont,
          "text-size": 12,
          "text-offset": [0, isChosen ? 1.3 : 1.1],
          "text-anchor": "top",
          "text-optional": !isChosen,
          "text-allow-overlap": isChosen,
        },
        paint: { "text-halo-width": 1.6 },
      })
    }
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
      removeClusters()
      if (!map.getSource(sourceId)) return
      for (const layer of [...layers, ...chosenLayers, trailId]) map.removeLayer(layer)
      for (const source of [sourceId, chosenId, trailId]) map.removeSource(source)
    }
  }, [map])

  useEffect(() => {
    for (const layer of ["people-names", "chosen-name"]) {
      if (!map?.getLayer(layer)) continue
      map.setPaintProperty(layer, "text-color", labelColors[scheme].text)
      map.setPaintProperty(layer, "text-halo-color", labelColors[scheme].halo)
    }
  }, [map, scheme])

  useEffect(() => {
    if (!map) return
    const next = new Map(people.flatMap((person) => (person.isChosen ? [] : [[person.id, person] as const])))
    const { diff, moved } = changesOf(shown.current, next)
    shown.current = next
    if (!isEmpty(diff)) void map.getSource<GeoJSONSource>(sourceId)?.updateData(diff)
    const chosen = people.filter(({ isChosen }) => isChosen)
    map
      .getSource<GeoJSONSource>(chosenId)
      ?.setData({ type: "FeatureCollection", features: chosen.map(featureOf) })
    if (!hasTrails) return
    const lines = extendTrails(trails.current, [...moved, ...chosen])
    if (!isEmpty(lines)) void map.getSource<GeoJSONSource>(trailId)?.updateData(lines)
  }, [map, people, hasTrails])
  return null
}
