import type { Feature, Polygon } from "geojson"
import { useEffect, useRef } from "react"
import { useMap } from "./MapView.tsx"
import type { GeoJSONSource, MapMouseEvent, MapTouchEvent } from "./map-library.ts"

type Place = readonly [lng: number, lat: number]

/** Whether a place is within a ring of places; the even-odd rule, on the flat map that the person drew on. */
export function isWithin([x, y]: Place, ring: readonly Place[]): boolean {
  let isInside = false
  for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
    const [ax, ay] = ring[at] ?? [0, 0]
    const [bx, by] = ring[before] ?? [0, 0]
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside
  }
  return isInside
}

const sourceId = "lasso"
const fewestCorners = 3

/** While it is there, dragging draws a loop instead of moving the map; letting go ends it. */
export function Lasso({ onDrawn }: { onDrawn(ring: readonly Place[]): void }) {
  const map = useMap()
  const drawn = useRef(onDrawn)
  drawn.current = onDrawn
  useEffect(() => {
    if (!map) return
    let ring: Place[] = []
    const data = (): Feature<Polygon> => ({
      type: "Feature",
      properties: {},
      geometry: {
        type: "Polygon",
        coordinates: [[...ring, ...ring.slice(0, 1)].map(([lng, lat]) => [lng, lat])],
      },
    })
    map.addSource(sourceId, { type: "geojson", data: data() })
    map.addLayer({
      id: sourceId,
      type: "fill",
      source: sourceId,
      paint: { "fill-color": "#f2b84b", "fill-opacity": 0.25, "fill-outline-color": "#8a5a00" },
    })
    const draw = () => map.getSource<GeoJSONSource>(sourceId)?.setData(data())
    const start = (event: MapMouseEvent | MapTouchEvent) => {
      event.preventDefault()
      ring = [[event.lngLat.lng, event.lngLat.lat]]
    }
    const move = (event: MapMouseEvent | MapTouchEvent) => {
      if (ring.length === 0) return
      ring.push([event.lngLat.lng, event.lngLat.lat])
      draw()
    }
    const end = () => {
      const done = ring
      ring = []
      draw()
      if (done.length >= fewestCorners) drawn.current(done)
    }
    map.getCanvas().style.cursor = "crosshair"
    map.dragPan.disable()
    for (const name of ["mousedown", "touchstart"] as const) map.on(name, start)
    for (const name of ["mousemove", "touchmove"] as const) map.on(name, move)
    for (const name of ["mouseup", "touchend"] as const) map.on(name, end)
    return () => {
      map.dragPan.enable()
      map.getCanvas().style.cursor = ""
      for (const name of ["mousedown", "touchstart"] as const) map.off(name, start)
      for (const name of ["mousemove", "touchmove"] as const) map.off(name, move)
      for (const name of ["mouseup", "touchend"] as const) map.off(name, end)
      if (!map.getSource(sourceId)) return
      map.removeLayer(sourceId)
      map.removeSource(sourceId)
    }
  }, [map])
  return null
}
