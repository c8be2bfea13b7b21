import { useComputedColorScheme } from "@mantine/core"
import type { Feature, FeatureCollection, Position } from "geojson"
import { useEffect, useMemo, useRef } from "react"
import { unwrapLine, unwrapRing } from "#packages/geodesy/antimeridian.ts"
import { destination, type LngLat } from "#packages/geodesy/geodesy.ts"
import { labelColors, mapFont } from "../../../map/base-style.ts"
import { useMap } from "../../../map/MapView.tsx"
import type { ExpressionSpecification, GeoJSONSource, MapLayerMouseEvent } from "../../../map/map-library.ts"
import type { GeofenceKind } from "./geofences.queries.ts"

export interface ShownArea {
  id: string
  name: string
  color: string
  kind: GeofenceKind
  points: readonly LngLat[]
  holes: readonly (readonly LngLat[])[]
  meters: number
}

const cornersOfCircle = 72
/** Of a pixel at the equator, at zoom 0, with tiles of 512 pixels. */
const metersOfPixel = 78_271.517
const zooms = [0, 22] as const

export interface AreaShapesProps {
  id: string
  areas: readonly ShownArea[]
  onChoose: ((id: string) => void) | undefined
}

/** Filled areas with their names; corridors are lines as wide as they are on the ground. */
export function AreaShapes({ id, areas, onChoose }: AreaShapesProps) {
  const map = useMap()
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false })
  const collection = useMemo(() => toCollection(areas), [areas])
  const choose = useRef(onChoose)
  choose.current = onChoose
  useEffect(() => {
    if (!map) return
    const color: ExpressionSpecification = ["get", "color"]
    const isArea: ExpressionSpecification = ["==", ["geometry-type"], "Polygon"]
    const isLine: ExpressionSpecification = ["==", ["geometry-type"], "LineString"]
    const width: ExpressionSpecification = [
      "interpolate",
      ["exponential", 2],
      ["zoom"],
      ...zooms.flatMap((zoom): (number | ExpressionSpecification)[] => [
        zoom,
        ["max", 3, ["*", ["get", "pixels"], 2 ** zoom]],
      ]),
    ] as ExpressionSpecification
    const layers = [`${id}-area`, `${id}-corridor`, `${id}-edge`, `${id}-name`] as const
    map.addSource(id, { type: "geojson", data: { type: "FeatureCollection", features: [] } })
    map.addLayer({
      ...{ id: layers[0], type: "fill", source: id, filter: isArea },
      paint: { "fill-color": color, "fill-opacity": 0.22 },
    })
    map.addLayer({
      ...{ id: layers[1], type: "line", source: id, filter: isLine },
      layout: { "line-cap": "round", "line-join": "round" },
      paint: { "line-color": color, "line-width": width, "line-opacity": 0.4 },
    })
    map.addLayer({
      ...{ id: layers[2], type: "line", source: id, filter: isArea },
      paint: { "line-color": color, "line-width": 2 },
    })
    map.addLayer({
      ...{ id: layers[3], type: "symbol", source: id },
      layout: { "text-field": ["get", "name"], "text-font": mapFont, "text-size": 12, "text-optional": true },
      paint: { "text-halo-width": 1.4 },
    })
    const clicked = (event: MapLayerMouseEvent) => {
      const [feature] = event.features ?? []
      if (feature) choose.current?.(String(feature.properties.id))
    }
    for (const layer of [layers[0], layers[1]]) map.on("click", layer, clicked)
    return () => {
      for (const layer of [layers[0], layers[1]]) map.off("click", layer, clicked)
      if (!map.getSource(id)) return
      for (const layer of layers) map.removeLayer(layer)
      map.removeSource(id)
    }
  }, [map, id])
  useEffect(() => {
    if (!map?.getLayer(`${id}-name`)) return
    map.setPaintProperty(`${id}-name`, "text-color", labelColors[scheme].text)
    map.setPaintProperty(`${id}-name`, "text-halo-color", labelColors[scheme].halo)
  }, [map, id, scheme])
  useEffect(() => {
    map?.getSource<GeoJSONSource>(id)?.setData(collection)
  }, [map, id, collection])
  return null
}

function toCollection(areas: readonly ShownArea[]): FeatureCollection {
  return { type: "FeatureCollection", features: areas.map(featureOf) }
}

function featureOf({ id, name, color, kind, points, holes, meters }: ShownArea): Feature {
  const latitude = points[0]?.[1] ?? 0
  const pixels = meters / (metersOfPixel * Math.cos((latitude * Math.PI) / 180))
  const feature = { type: "Feature" as const, properties: { id, name, color, pixels } }
  if (kind === "corridor" || (kind === "polygon" && points.length < 3))
    return { ...feature, geometry: { type: "LineString", coordinates: unwrapLine(points) } }
  const rings = kind === "circle" ? [circle(points[0] ?? [0, 0], meters)] : [points, ...holes]
  return { ...feature, geometry: { type: "Polygon", coordinates: rings.map(closed) } }
}

const closed = (ring: readonly LngLat[]): Position[] => unwrapRing([...ring, ...ring.slice(0, 1)])

function circle(center: LngLat, meters: number): LngLat[] {
  return Array.from({ length: cornersOfCircle }, (_, index) =>
    destination(center, index * (360 / cornersOfCircle), meters),
  )
}
