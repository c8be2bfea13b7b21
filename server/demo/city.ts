import { readFile } from "node:fs/promises"
import { setTimeout as pause } from "node:timers/promises"
import { destination, distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import type { DemoApi } from "./api.ts"
import { pick } from "./random.ts"

/** The demo's company works in Montevideo, because the repository contains a map of it. */
export const timeZone = "America/Montevideo"

export const depots = {
  harbour: { name: "Harbour depot", address: "Rambla 25 de Agosto de 1825", place: [-56.2058, -34.9027] },
  east: { name: "East depot", address: "Avenida Italia", place: [-56.1265, -34.8872] },
  north: { name: "North depot", address: "Avenida General Flores", place: [-56.1752, -34.8663] },
  west: { name: "West depot", address: "Avenida Agraciada", place: [-56.1966, -34.8788] },
} as const satisfies Record<string, { name: string; address: string; place: LngLat }>

/** Where there is no map, addresses have these names. */
const streets = [
  "18 de Julio",
  "Avenida Italia",
  "Avenida Rivera",
  "Bulevar Artigas",
  "Bulevar España",
  "Colonia",
  "Ejido",
  "Mercedes",
  "Paysandú",
  "Soriano",
]

const mapFile = new URL("../../examples/maps/montevideo.osm.pbf", import.meta.url)

/** Places and ways of the city: on its roads where their map is installed, else anywhere and straight. */
export interface City {
  /** A place to deliver to, at this distance from another one. */
  placeNear(center: LngLat, meters: number, random: () => number): Promise<{ place: LngLat; address: string }>
  /** Positions from one place to another, both included. */
  route(from: LngLat, to: LngLat): Promise<readonly LngLat[]>
}

export async function openCity(owner: DemoApi): Promise<City> {
  const nearest = ([lng, lat]: LngLat) =>
    owner.call<{ waypoints: { name: string; location: LngLat }[] }>(
      "GET",
      `/road/nearest/v1/driving/${lng},${lat}`,
    )
  const hasRoads = await nearest(depots.harbour.place).then(
    () => true,
    () => false,
  )
  return {
    async placeNear(center, meters, random) {
      const number = 1 + Math.floor(random() * 1_800)
      const street = pick(random, streets)
      for (let attempt = 0; attempt < 10; attempt += 1) {
        const place = destination(center, random() * 360, meters)
        if (!hasRoads) return { place: rounded(place), address: `${street} ${number}, Montevideo` }
        const found = await nearest(place).catch(() => undefined)
        const [road] = found?.waypoints ?? []
        if (road?.name && distanceMeters(place, road.location) < 300)
          return { place: rounded(road.location), address: `${road.name} ${number}, Montevideo` }
      }
      return { place: rounded(center), address: `${street} ${number}, Montevideo` }
    },
    async route(from, to) {
      if (!hasRoads) return [from, to]
      const path = `/road/route/v1/driving/${from.join(",")};${to.join(",")}?overview=full&geometries=geojson`
      const found = await owner
        .call<{ routes: { geometry: { coordinates: LngLat[] } }[] }>("GET", path)
        .catch(() => undefined)
      return [from, ...(found?.routes[0]?.geometry.coordinates ?? []), to]
    },
  }
}

/** Installs the map of the city, unless there is a map already, and waits until it is complete. */
export async function installMap(owner: DemoApi): Promise<void> {
  interface Maps {
    data: { regions: unknown[]; builds: { status: string; error: string | null }[] }
  }
  const read = () => owner.call<Maps>("GET", "/map-regions")
  if ((await read()).data.regions.length > 0) return
  const form = new FormData()
  form.append("name", "montevideo")
  form.append("file", new Blob([await readFile(mapFile)]), "montevideo.osm.pbf")
  await owner.send("/map-regions", form)
  for (;;) {
    const { regions, builds } = (await read()).data
    if (regions.length > 0) return
    const failed = builds.find(({ status }) => status === "failed")
    if (failed) throw new Error(`the map could not be built: ${failed.error}`)
    await pause(500)
  }
}

/** Positions along a path at equal distances of `meters`, the end included. */
export function* stepsAlong(path: readonly LngLat[], meters: number): Generator<LngLat> {
  let toNext = meters
  for (const [index, end] of path.entries()) {
    const start = path[index - 1]
    if (!start) continue
    const length = distanceMeters(start, end)
    let at = toNext
    for (; at <= length; at += meters) {
      const share = at / length
      yield [start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share]
    }
    toNext = at - length
  }
  const last = path.at(-1)
  if (last) yield last
}

/** To a decimetre, as a map gives it. */
function rounded([lng, lat]: LngLat): LngLat {
  return [Number(lng.toFixed(6)), Number(lat.toFixed(6))]
}
