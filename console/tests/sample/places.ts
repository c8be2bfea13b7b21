import type { LngLat } from "../../../packages/geodesy/geodesy.ts"
import { parseLatLng } from "../../../packages/geodesy/lng-lat-text.ts"
import { type City, stepsAlong } from "../../../server/demo/city.ts"
import type { DemoWorker } from "../../../server/demo/seed.ts"
import type { SampleOptions } from "./work.ts"

const stepMilliseconds = 15_000
const stopSteps = 10
const fewestDriven = 40

/** Where the couriers were: each from the depot along their stops, up to now; the last of a depot fell silent. */
export async function samplePlaces({
  call,
  workers,
  city,
}: SampleOptions & { city: City }): Promise<{ day: string }> {
  const listed = await call<{ tasks: { data: { assignee: string[]; expectedCoordinate: string | null }[] } }>(
    "GET",
    "/tasks?limit=-1&fields=assignee,expectedCoordinate",
  )
  const now = Date.now()
  const driven = workers.map((worker, index) => {
    const stops = listed.tasks.data.flatMap(({ assignee, expectedCoordinate }) => {
      const place = expectedCoordinate ? parseLatLng(expectedCoordinate) : undefined
      return assignee.includes(worker.email) && place ? [place] : []
    })
    // The first courier's whole morning, of the others the last minutes.
    return drive(worker, index === 0 ? stops : stops.slice(0, 2), { index, now, city })
  })
  const points = (await Promise.all(driven)).flat()
  for (let from = 0; from < points.length; from += 1_000)
    await call("POST", "/location-history/bulk", { location_histories: points.slice(from, from + 1_000) })
  const day = new Date(now).toISOString().slice(0, 10)
  const body = { email: workers[0]?.email, date: day }
  await call("POST", "/location-history/generate-token", body)
  return { day }
}

interface Driving {
  index: number
  now: number
  city: City
}

async function drive(worker: DemoWorker, stops: readonly LngLat[], { index, now, city }: Driving) {
  const places: { place: LngLat; speed: number }[] = []
  let place = worker.hub
  for (const stop of stops) {
    for (const at of stepsAlong(await city.route(place, stop), 105))
      places.push({ place: at, speed: 25 + Math.round(Math.sin(places.length) * 6) })
    place = stop
    for (let step = 0; step < stopSteps; step++) places.push({ place: stop, speed: 0 })
  }
  const silence = index % 4 === 3 ? 50 * 60_000 : 0
  const kept = places.length > fewestDriven && index % 4 !== 2 ? places.slice(0, -stopSteps) : places
  return kept.map(({ place: [lon, lat], speed }, at) => ({
    email: worker.email,
    lat: Number(lat.toFixed(6)),
    lon: Number(lon.toFixed(6)),
    speed,
    createdTime: new Date(now - silence - (kept.length - at) * stepMilliseconds).toISOString(),
    data: { battery: 95 - index * 6, gpsAccuracy: 6 },
  }))
}
