import { distanceMeters } from "#packages/geodesy/geodesy.ts"
import { ApiError, api, responseOf, sentBy } from "../../../api/client.ts"
import { type Stamp, stampOf, timeOf } from "../clock.ts"
import { currentReach, settleClock } from "../connection.ts"
import type { Sighting } from "../stop/follow-stops.ts"
import type { PersonStore, Write } from "./field-store.ts"
import { newName } from "./storage.ts"

export interface KeptPoint {
  key: string
  email: string
  stamp: Stamp
  lat: number
  lon: number
  speed?: number
  createdFrom: string
  /** `isRepeated`: the phone could not measure where it stands, and was here before. */
  data?: { accuracy: number; isRepeated?: true }
  /** Opens or closes a session of work. */
  marks?: "start" | "finish"
  /** Why the server refused it; it is kept and shown. */
  refusal?: string
}

/** Where the phone was, how exactly, and when by its own clock. */
export interface Fix {
  coordinate: string
  accuracyMeters: number
  stamp: Stamp
}

/** Keys of points begin with their time; those of refused ones with this, so that neither is read for the other. */
const refusedStart = "refused-"
const sendEveryMilliseconds = 10_000
const maxPerCall = 500
let newestFix: Fix | undefined

function toFix({ coords, timestamp }: GeolocationPosition): Fix {
  newestFix = {
    coordinate: `${coords.latitude.toFixed(6)},${coords.longitude.toFixed(6)}`,
    accuracyMeters: coords.accuracy,
    stamp: stampOf(timestamp),
  }
  return newestFix
}

interface RecordOptions {
  onNotKept(): void
  onMove(movement: Movement, sighting: Sighting): void
  onSettled: OnSettled
}

/** A browser says nothing while a phone stands still; planners take such a silence for a phone that is gone. */
const heartbeatMilliseconds = 60_000
const heartbeatFixMilliseconds = 8_000

/**
 * Records where the phone is as long as the page is open, and sends it every ten seconds. Points wait on the
 * phone while there is no network; the server keeps a repeated one once. A phone that stands still is recorded once a
 * minute while the page is in front. Returns what stops it.
 */
export function recordPositions(
  store: PersonStore,
  { _id, email }: { _id: string; email: string },
  { onNotKept, onMove, onSettled }: RecordOptions,
): () => void {
  if (!("geolocation" in navigator)) return () => undefined
  const follow = follower()
  let last: GeolocationCoordinates | undefined
  let recordedAt = performance.now()
  let isStopped = false
  const keep = (coords: GeolocationCoordinates, stamp: Stamp, more: Partial<KeptPoint>) => {
    recordedAt = performance.now()
    const point: KeptPoint = {
      key: keyOf(stamp),
      email,
      stamp,
      lat: coords.latitude,
      lon: coords.longitude,
      createdFrom: "Fieldway",
      data: { accuracy: coords.accuracy },
      ...more,
    }
    store.write([{ in: "points", key: point.key, value: point }]).catch(onNotKept)
  }
  const record = (position: GeolocationPosition) => {
    if (isStopped) return
    const { coords, timestamp } = position
    toFix(position)
    last = coords
    onMove(follow(position), {
      at: [coords.longitude, coords.latitude],
      accuracyMeters: coords.accuracy,
      device: timestamp,
    })
    keep(coords, stampOf(timestamp), coords.speed === null ? {} : { speed: coords.speed * 3.6 })
  }
  const beat = () => {
    if (document.visibilityState !== "visible" || performance.now() - recordedAt < heartbeatMilliseconds)
      return
    recordedAt = performance.now()
    const repeatLast = () => {
      // In a tunnel the car goes on; in a basement the person is where they went in.
      if (isStopped || !last || (last.speed ?? 0) > drivingMetersPerSecond) return
      keep(last, stampOf(), { data: { accuracy: last.accuracy, isRepeated: true } })
    }
    const options = { enableHighAccuracy: true, maximumAge: 0, timeout: heartbeatFixMilliseconds }
    navigator.geolocation.getCurrentPosition(record, repeatLast, options)
  }
  const watch = navigator.geolocation.watchPosition(record, () => undefined, {
    enableHighAccuracy: true,
    maximumAge: 5_000,
  })
  const timer = setInterval(() => {
    beat()
    void sendPoints(store, _id, onSettled).catch(onNotKept)
  }, sendEveryMilliseconds)
  return () => {
    isStopped = true
    navigator.geolocation.clearWatch(watch)
    clearInterval(timer)
  }
}

/** What a position adds to the day. */
export interface Movement {
  meters: number
  isDriving: boolean
}

/** Less than the uncertainty of a position is no movement. */
const leastMeters = 15
const roughMeters = 60
const drivingMetersPerSecond = 3
/** A red light is part of the drive. */
const stillDrivingMilliseconds = 3 * 60_000

/** Adds up movement from position to position. */
function follower(): (position: GeolocationPosition) => Movement {
  let last: { at: [number, number]; timestamp: number } | undefined
  let droveAt = Number.NEGATIVE_INFINITY
  return ({ coords: { latitude, longitude, accuracy, speed }, timestamp }) => {
    const drive = (metersPerSecond: number) => {
      if (metersPerSecond > drivingMetersPerSecond) droveAt = timestamp
      return timestamp - droveAt < stillDrivingMilliseconds
    }
    if (accuracy > roughMeters) return { meters: 0, isDriving: drive(speed ?? 0) }
    const at: [number, number] = [longitude, latitude]
    const meters = last ? distanceMeters(last.at, at) : 0
    if (last && meters < Math.max(leastMeters, accuracy)) return { meters: 0, isDriving: drive(speed ?? 0) }
    // Some phones tell no speed.
    const seconds = Math.max(1, (timestamp - (last?.timestamp ?? timestamp)) / 1_000)
    last = { at, timestamp }
    return { meters: Math.round(meters), isDriving: drive(speed ?? meters / seconds) }
  }
}

/** In the order of time, and never that of another point: clocks are set back. */
function keyOf({ device }: Stamp): string {
  return `${new Date(device).toISOString()}-${newName().slice(0, 6)}`
}

const sending = new Set<string>()

/** The server's code for a start while a session is open, and for a finish without one. */
const sessionStateCode = "lochi-032"
/** Hears that a session was open, or finished, before the phone said so: another device did. */
export type OnSettled = (marks: "start" | "finish") => Promise<void>

/**
 * Sends what was recorded, oldest first. Points that do not reach the server stay for the next time; those that it
 * refuses stay with the reason, for the person to see.
 */
export async function sendPoints(store: PersonStore, sender: string, onSettled?: OnSettled): Promise<void> {
  if (sending.has(store.personKey) || !navigator.onLine || currentReach() === "signedOut") return
  sending.add(store.personKey)
  try {
    if ((await countUnsentPoints(store)) === 0 || !(await settleClock())) return
    for (;;) {
      const points = await store.recallAll<KeptPoint>("points", { before: refusedStart, limit: maxPerCall })
      if (points.length === 0) return
      const body = { location_histories: points.map(toWire) }
      const headers = sentBy(sender)
      const outcomes = await responseOf(api.POST("/api/v3/location-history/bulk", { body, headers }))
      let settled: KeptPoint["marks"]
      await store.write(
        points.flatMap((point, index): Write[] => {
          const outcome = outcomes.location_histories[index] as
            | { status: boolean; message: string; failedCode?: string }
            | undefined
          const sent = { in: "points", remove: point.key } as const
          if (!outcome || outcome.status) return [sent]
          if (point.marks && outcome.failedCode === sessionStateCode) {
            settled = point.marks
            return [sent]
          }
          const refused = { ...point, key: refusedStart + point.key, refusal: outcome.message }
          return [sent, { in: "points", key: refused.key, value: refused }]
        }),
      )
      if (settled) await onSettled?.(settled)
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  } finally {
    sending.delete(store.personKey)
  }
}

function toWire({ key: _key, stamp, marks, refusal: _refusal, ...point }: KeptPoint) {
  const createdTime = timeOf(stamp).toISOString()
  return {
    ...point,
    createdTime,
    ...(marks === "start" ? { startTime: createdTime } : {}),
    ...(marks === "finish" ? { finishTime: createdTime } : {}),
  }
}

export function countUnsentPoints(store: PersonStore): Promise<number> {
  return store.count("points", { before: refusedStart })
}

/** Points that the server refused, oldest first. */
export async function refusedPoints(store: PersonStore): Promise<KeptPoint[]> {
  return store.recallAll<KeptPoint>("points", { after: refusedStart })
}

export async function makeRefusedUnsent(store: PersonStore): Promise<void> {
  const points = await refusedPoints(store)
  await store.write(
    points.flatMap(({ refusal: _refusal, ...point }): Write[] => {
      // The difference of the clocks may be known better now.
      const stamp = { ...stampOf(point.stamp.device), heardAt: 0 }
      const again: KeptPoint = { ...point, key: point.key.slice(refusedStart.length), stamp }
      return [
        { in: "points", remove: point.key },
        { in: "points", key: again.key, value: again },
      ]
    }),
  )
}

export async function discardRefused(store: PersonStore): Promise<void> {
  const points = await refusedPoints(store)
  await store.write(points.map(({ key }) => ({ in: "points" as const, remove: key })))
}

const freshMilliseconds = 30_000
const quickFixMilliseconds = 3_000
const sessionFixMilliseconds = 10_000

/** Where the phone is now; undefined when it does not say so within a few seconds. Immediate while it is followed. */
export function fixNow(timeout = quickFixMilliseconds): Promise<Fix | undefined> {
  if (newestFix && Date.now() - newestFix.stamp.device < freshMilliseconds) return Promise.resolve(newestFix)
  return new Promise((resolve) => {
    if (!("geolocation" in navigator)) return resolve(undefined)
    navigator.geolocation.getCurrentPosition(
      (position) => resolve(toFix(position)),
      () => resolve(undefined),
      { maximumAge: freshMilliseconds, timeout, enableHighAccuracy: true },
    )
  })
}

const keepFreshMilliseconds = 20_000
/** The server takes an older position of a phone for no position at all. */
const usableMilliseconds = 10 * 60_000
/** When the phone was last asked where it is and did not say. */
let failedAt = Number.NEGATIVE_INFINITY

/** Measures now and again, so that `fixAtHand` need not wait. Returns what stops it. */
export function keepFixFresh(): () => void {
  const measure = () =>
    void fixNow().then((fix) => {
      failedAt = fix ? Number.NEGATIVE_INFINITY : Date.now()
    })
  measure()
  const timer = setInterval(measure, keepFreshMilliseconds)
  return () => clearInterval(timer)
}

/** Where the phone is, or was a while ago where it does not say so: nobody waits for that twice. */
export function fixAtHand(): Promise<Fix | undefined> {
  return Date.now() - failedAt > freshMilliseconds ? fixNow() : Promise.resolve(newestUsableFix())
}

/** Where the phone last said to be, unless that is too long ago to count. */
export function newestUsableFix(): Fix | undefined {
  return newestFix && Date.now() - newestFix.stamp.device < usableMilliseconds ? newestFix : undefined
}

/** A session of work needs a place, and this phone does not tell one. */
export class NoPlaceError extends Error {}

/**
 * Opens or closes a session of work at the place and time of the moment. It waits on the phone like every
 * position, so that a session also begins where there is no network.
 */
export async function markSession(
  store: PersonStore,
  email: string,
  marks: "start" | "finish",
): Promise<void> {
  const measured = await fixNow(marks === "start" ? sessionFixMilliseconds : quickFixMilliseconds)
  // Nobody is kept at work because the phone does not say where it is: the last known place has to do.
  const fix = measured ?? (marks === "finish" ? newestFix : undefined)
  if (fix === undefined) throw new NoPlaceError()
  const [lat = 0, lon = 0] = fix.coordinate.split(",").map(Number)
  const stamp = stampOf()
  const point: KeptPoint = {
    key: keyOf(stamp),
    email,
    stamp,
    lat,
    lon,
    createdFrom: "Fieldway",
    marks,
  }
  await store.write([{ in: "points", key: point.key, value: point }])
}
