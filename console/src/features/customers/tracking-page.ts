/**
 * The map of the tracking page, which the server renders. The page loads this file only where it shows a map; the map
 * library and its styles follow from here.
 */
export interface ShownPlaces {
  /** Longitude and latitude. */
  driver: [number, number]
  destination: [number, number] | null
}

let shown: { element: HTMLElement; update(places: ShownPlaces): void } | undefined

export async function showPlaces(element: HTMLElement, places: ShownPlaces): Promise<void> {
  if (shown?.element === element) return shown.update(places)
  const { drawPlaces } = await import("./tracking-map.ts")
  shown = { element, update: await drawPlaces(element, places) }
}
