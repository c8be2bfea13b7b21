import { type ReactNode, useEffect, useRef, useState } from "react"
import { createPortal } from "react-dom"
import { useMap } from "./MapView.tsx"
import { Marker } from "./map-library.ts"

export interface PinMarkerProps {
  lng: number
  lat: number
  anchor?: "bottom" | "center"
  onDragged?(place: { lng: number; lat: number }): void
  children: ReactNode
}

/** Something drawn in HTML at a place; a draggable one reports where it was dropped. */
export function PinMarker({ lng, lat, anchor = "bottom", onDragged, children }: PinMarkerProps) {
  const map = useMap()
  const [element] = useState(() => document.createElement("div"))
  const marker = useRef<Marker>(null)
  const dragged = useRef(onDragged)
  dragged.current = onDragged
  const isDraggable = onDragged !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is followed by the next effect
  useEffect(() => {
    if (!map) return
    const made = new Marker({ element, anchor, draggable: isDraggable }).setLngLat([lng, lat]).addTo(map)
    made.on("dragend", () => {
      const at = made.getLngLat().wrap()
      dragged.current?.({ lng: round(at.lng), lat: round(at.lat) })
    })
    marker.current = made
    return () => {
      made.remove()
      marker.current = null
    }
  }, [map, element, anchor, isDraggable])
  useEffect(() => {
    marker.current?.setLngLat([lng, lat])
  }, [lng, lat])
  return createPortal(children, element)
}

/** Six decimals of a degree are a tenth of a metre. */
export function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}
