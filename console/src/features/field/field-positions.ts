import { ApiError, api, responseOf } from "../../api/client.ts"
import { keep, recallAll, remove } from "./field-store.ts"

interface KeptPoint {
  key: string
  email: string
  lat: number
  lon: number
  speed?: number
  createdTime: string
  createdFrom: string
  data?: { accuracy: number }
  /** Opens or closes a session of work. */
  startTime?: string
  finishTime?: string
}

const sendEveryMilliseconds = 10_000
const maxPerCall = 500

/**
 * Records where the phone is as long as the page is open, and sends it every ten seconds. Points wait on the
 * phone while there is no network; the server keeps a repeated one once. Returns what stops it.
 */
export function recordPositions(email: string): () => void {
  if (!("geolocation" in navigator)) return () => undefined
  const watch = navigator.geolocation.watchPosition(
    ({ coords, timestamp }) => {
      const createdTime = new Date(timestamp).toISOString()
      const point: KeptPoint = {
        key: createdTime,
        email,
        lat: coords.latitude,
        lon: coords.longitude,
        ...(coords.speed === null ? {} : { speed: coords.speed * 3.6 }),
        createdTime,
        createdFrom: "Fieldway",
        data: { accuracy: coords.accuracy },
      }
      void keep("points", point.key, point)
    },
    () => undefined,
    { enableHighAccuracy: true, maximumAge: 5_000 },
  )
  const timer = setInterval(() => void sendPoints(), sendEveryMilliseconds)
  return () => {
    navigator.geolocation.clearWatch(watch)
    clearInterval(timer)
    void sendPoints()
  }
}

let isSending = false

/** Sends what was recorded, oldest first. Points that do not reach the server stay for the next time. */
async function sendPoints(): Promise<void> {
  if (isSending || !navigator.onLine) return
  isSending = true
  try {
    const points = (await recallAll<KeptPoint>("points")).slice(0, maxPerCall)
    if (points.length === 0) return
    const location_histories = points.map(({ key: _key, ...point }) => point)
    await responseOf(api.POST("/api/v3/location-history/bulk", { body: { location_histories } }))
    for (const { key } of points) await remove("points", key)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  } finally {
    isSending = false
  }
}

const quickPlaceMilliseconds = 3_000
const sessionPlaceMilliseconds = 10_000

/** Where the phone is now as `lat,lng`; undefined when it does not tell within a few seconds. */
export function placeNow(timeout = quickPlaceMilliseconds): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (!("geolocation" in navigator)) return resolve(undefined)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve(`${coords.latitude.toFixed(6)},${coords.longitude.toFixed(6)}`),
      () => resolve(undefined),
      { maximumAge: 30_000, timeout },
    )
  })
}

/** A session of work needs a place, and this phone does not tell one. */
export class NoPlaceError extends Error {}

/**
 * Opens or closes a session of work at the place and time of the moment. It waits on the phone like every
 * position, so that a session also begins where there is no network.
 */
export async function markSession(email: string, kind: "start" | "finish"): Promise<void> {
  const place = await placeNow(sessionPlaceMilliseconds)
  if (place === undefined) throw new NoPlaceError()
  const [lat = 0, lon = 0] = place.split(",").map(Number)
  const now = new Date().toISOString()
  const times = kind === "start" ? { startTime: now } : { finishTime: now }
  const point: KeptPoint = { key: now, email, lat, lon, createdTime: now, createdFrom: "Fieldway", ...times }
  await keep("points", point.key, point)
  await sendPoints()
}
