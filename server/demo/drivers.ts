import { setTimeout as pause } from "node:timers/promises"
import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import type { DemoApi } from "./api.ts"
import { type City, stepsAlong } from "./city.ts"
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

export interface DriveOptions {
  api: DemoApi
  city: City
  signal: AbortSignal
}

/** Drives one worker through their tasks, by their route or nearest first, reporting their place every second, until the signal. */
export async function drive(worker: DemoWorker, { api, city, signal }: DriveOptions): Promise<void> {
  // Somebody may have deleted them, or changed their password.
  const session = await api.signIn(worker.email, worker.password).catch(() => undefined)
  if (!session) return
  let place = worker.hub
  const driveTo = async (to: LngLat) => {
    await follow(session, worker, await city.route(place, to), signal)
    place = to
  }
  while (!signal.aborted) {
    const task = await nextTask(session, place).catch(() => undefined)
    if (!task) {
      await driveTo(worker.hub)
      await pause(20_000, undefined, { signal }).catch(() => undefined)
      continue
    }
    await driveTo(task.place)
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

async function follow(
  session: DemoApi,
  worker: DemoWorker,
  path: readonly LngLat[],
  signal: AbortSignal,
): Promise<void> {
  const meters = worker.speedMetersPerSecond * stepSeconds
  let before = path[0]
  for (const place of stepsAlong(path, meters)) {
    if (signal.aborted) return
    await report(session, worker, place, before ? distanceMeters(before, place) : 0)
    before = place
    await pause(stepSeconds * 1000, undefined, { signal }).catch(() => undefined)
  }
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
