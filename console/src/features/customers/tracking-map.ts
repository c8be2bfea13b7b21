import { takeMap } from "../../map/drawn-map.ts"
import { fitPlaces } from "../../map/fit.ts"
import { Marker } from "../../map/map-library.ts"
import { type Settings, showStreets } from "../../map/streets.ts"
import type { ShownPlaces } from "./tracking-page.ts"

/** Draws streets, the driver and the destination; returns how the driver is moved. Throws where WebGL is missing. */
export async function drawPlaces(
  element: HTMLElement,
  places: ShownPlaces,
): Promise<(places: ShownPlaces) => void> {
  const response = await fetch("/api/v3/console-settings", { headers: { accept: "application/json" } })
  const settings = ((await response.json()) as { data: Settings }).data
  const scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
  const drawn = takeMap(element, settings.mapStyleUrl, scheme)
  drawn.element.style.height = "100%"
  await drawn.ready
  if (drawn.styleUrl === null) await showStreets(drawn.map, settings.maps, scheme)
  const driver = new Marker({ color: "#1864ab" }).setLngLat(places.driver).addTo(drawn.map)
  if (places.destination) new Marker({ color: "#c92a2a" }).setLngLat(places.destination).addTo(drawn.map)
  fitPlaces(drawn.map, [places.driver, ...(places.destination ? [places.destination] : [])].map(toPlace))
  return ({ driver: position }) => driver.setLngLat(position)
}

const toPlace = ([lng, lat]: [number, number]) => ({ lng, lat })
