import { useEffect, useState } from "react"
import { useMap } from "./MapView.tsx"

export interface ShownPart {
  zoom: number
  /** west,south,east,north in degrees. */
  bbox: string
}

/** Half of the visible part on each side, so that a small move needs nothing new. */
const margin = 0.5

/**
 * What the map shows, with a margin, once it is nearer than `zoom`: the same until the view leaves it, or moves to another
 * zoom. Undefined while the map is further away.
 */
export function useShownPart(zoom: number): ShownPart | undefined {
  const map = useMap()
  const [part, setPart] = useState<ShownPart>()
  useEffect(() => {
    if (!map) return
    const look = () => {
      const near = Math.ceil(map.getZoom())
      const bounds = map.getBounds()
      const [west, east, south, north] = [
        bounds.getWest(),
        bounds.getEast(),
        bounds.getSouth(),
        bounds.getNorth(),
      ]
      setPart((current) => {
        if (near <= zoom) return undefined
        const known = current?.bbox.split(",").map(Number) ?? []
        const [left = 0, bottom = 0, right = 0, top = 0] = known
        if (current?.zoom === near && west >= left && east <= right && south >= bottom && north <= top)
          return current
        const [wide, high] = [(east - west) * margin, (north - south) * margin]
        const box = [west - wide, Math.max(-90, south - high), east + wide, Math.min(90, north + high)]
        return { zoom: near, bbox: box.map((degrees) => degrees.toFixed(6)).join(",") }
      })
    }
    look()
    map.on("moveend", look)
    return () => {
      map.off("moveend", look)
    }
  }, [map, zoom])
  return part
}
