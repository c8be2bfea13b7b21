import { setTimeout as pause } from "node:timers/promises"
import { bearingDegrees, destination, distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import type { DemoApi } from "./api.ts"
import type { DemoWorker } from "./seed.ts"

const stepSeconds = 1
const serviceSeconds = 25

interface OpenTask {
  _id: string
  expectedCoordinate: string | null
  /** Its place in a dispatched route. */
  routePlannedOrder: number | null
  orderIndex: number
}

/** Drives one worker through their tasks, by their route or nearest first, reporting their place every second, until the signal. */
export async function drive(api: DemoApi, worker: DemoWorker, signal: AbortSignal): Promise<void> {
  const session = await api.signIn(worker.email, worker.password)
  let place = worker.hub
  while (!signal.aborted) {
    const task = await nextTask(session, place)
    if (!task) {
      place = await follow(session, worker, place, worker.hub, signal)
      await pause(20_000, undefined, { signal }).catch(() => undefined)
      continue
    }
    place = await follow(session, worker, place, task.place, signal)
    await pause(serviceSeconds * 1000, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const done = {
      status: "DONE",
      doneFrom: "MOBILE",
      doneCoordinate: `${place[1]},${place[0]}`,
      receivedBy: "Reception",
    }
    await session.call("PATCH", `/task/${task.id}`, done).catch(() => undefined)
  }
}

async function nextTask(session: DemoApi, place: LngLat): Promise<{ id: string; place: LngLat } | undefined> {
  const response = await session.call<{ tasks: { data: OpenTask[] } }>(
    "GET",
    "/tasks?status=ONGOING&active=true&limit=100&fields=expectedCoordinate,routePlannedOrder,orderIndex",
  )
  const open = response.tasks.data.flatMap(({ _id, expectedCoordinate, routePlannedOrder, orderIndex }) => {
    const target = expectedCoordinate ? parseLatLng(expectedCoordinate) : undefined
    return target ? [{ id: _id, place: target, isPlanned: routePlannedOrder !== null, orderIndex }] : []
  })
  const route = open.filter(({ isPlanned }) => isPlanned)
  if (route.length > 0) return route.toSorted((a, b) => a.orderIndex - b.orderIndex)[0]
  return open.toSorted((a, b) => distanceMeters(place, a.place) - distanceMeters(place, b.place))[0]
}

/** Streets are neither straight nor diagonal: first along one axis, then the other, with a little weave. */
async function follow(
  session: DemoApi,
  worker: DemoWorker,
  from: LngLat,
  to: LngLat,
  signal: AbortSignal,
): Promise<LngLat> {
  const corner: LngLat =
    Math.abs(from[0] - to[0]) > Math.abs(from[1] - to[1]) ? [to[0], from[1]] : [from[0], to[1]]
  let place = from
  for (const target of [corner, to]) {
    while (!signal.aborted && distanceMeters(place, target) > worker.speedMetersPerSecond * stepSeconds) {
      const weave = (Math.random() - 0.5) * 12
      const meters = worker.speedMetersPerSecond * stepSeconds * (0.7 + Math.random() * 0.6)
      place = destination(place, bearingDegrees(place, target) + weave, meters)
      await report(session, worker, place, meters)
      await pause(stepSeconds * 1000, undefined, { signal }).catch(() => undefined)
    }
    place = target
  }
  return place
}

async function report(session: DemoApi, worker: DemoWorker, place: LngLat, meters: number): Promise<void> {
  const point = {
    email: worker.email,
    lat: Number(place[1].toFixed(6)),
    lon: Number(place[0].toFixed(6)),
    speed: Math.round((meters / stepSeconds) * 3.6),
    createdTime: Temporal.Now.instant().toString(),
    data: { battery: 80, gpsAccuracy: 6 },
  }
  await session.call("POST", "/location-history", point).catch(() => undefined)
}
