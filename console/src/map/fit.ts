import { LngLatBounds, type Map as MapLibre } from "./map-library.ts"

/** Moves the map so that all of the places are in sight; a single one at street height. */
export function fitPlaces(
  map: MapLibre,
  places: readonly { lat: number; lng: number }[],
  animate = false,
): void {
  const [first] = places
  if (!first) return
  const bounds = new LngLatBounds([first.lng, first.lat], [first.lng, first.lat])
  for (const { lng, lat } of places) bounds.extend([lng, lat])
  const { clientWidth, clientHeight } = map.getContainer()
  const padding = Math.max(16, Math.min(64, clientWidth / 6, clientHeight / 6))
  const hasTiles = Object.values(map.getStyle().sources).some(({ type }) => type === "vector")
  map.fitBounds(bounds, { padding, maxZoom: hasTiles ? 15 : 11, animate })
}
