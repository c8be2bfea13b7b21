import { useEffect } from "react"
import { useMap } from "./MapView.tsx"
import { hasTilesAt, outlineZoom } from "./streets.ts"

const streetZoom = 16
/** A view of a whole city shows no place. */
const cityZoom = 12

/** Moves the map to a place that was typed or found, unless it is in view. */
export function KeepInView({ lng, lat }: { lng: number; lat: number }) {
  const map = useMap()
  useEffect(() => {
    if (!map) return
    const hasStreets = hasTilesAt(map, lng, lat)
    if ((hasStreets && map.getZoom() < cityZoom) || !map.getBounds().contains([lng, lat]))
      map.easeTo({ center: [lng, lat], zoom: hasStreets ? streetZoom : outlineZoom })
  }, [map, lng, lat])
  return null
}
