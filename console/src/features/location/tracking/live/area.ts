import { type BoundingBox, wrapLongitude } from "#packages/geodesy/geodesy.ts"

/** A part of the map, as requests name it. */
export interface Area {
  box: BoundingBox
  bbox: string
  zoom: number
}

/** At zoom 0; half of it at each further level. An eighth to a quarter of a usual map. */
const widestStepDegrees = 90

/** The part of the map in view and a little around it, in steps: a small movement of the map asks for nothing new. */
export function areaOf({ west, south, east, north }: BoundingBox, zoomOfMap: number): Area {
  const zoom = Math.min(22, Math.max(0, Math.round(zoomOfMap)))
  const step = widestStepDegrees / 2 ** zoom
  const below = (degrees: number) => Math.floor(degrees / step) * step
  const above = (degrees: number) => Math.ceil(degrees / step) * step
  const isWholeTurn = above(east) - below(west) >= 360
  const box = {
    west: isWholeTurn ? -180 : wrapLongitude(below(west)),
    south: Math.max(-90, below(south)),
    east: isWholeTurn ? 180 : wrapLongitude(above(east)),
    north: Math.min(90, above(north)),
  }
  return { box, zoom, bbox: [box.west, box.south, box.east, box.north].join(",") }
}
