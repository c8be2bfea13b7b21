import type { LngLat } from "#packages/geodesy/geodesy.ts"
import {
  type DevicePosition,
  type DeviceReport,
  type DeviceRequest,
  type RefusalReason,
  refuseAll,
  toPosition,
  toReport,
} from "./device-report.ts"
import { asNumber, asObject, asText, headerOf, parseInstant, parseJsonBody, times } from "./device-values.ts"

/*
 * OwnTracks in HTTP mode (owntracks.org/booklet/tech/http and /tech/json): one JSON message a request. Everything
 * that the app would publish is posted, so most kinds are no position.
 *
 * Answer 200 with a JSON array, also to a refusal: the app keeps what was answered otherwise at the head of its queue
 * and tries it again before anything newer. 5xx and 429 are right when nothing could be stored.
 */

/** Kinds without a position of the device. They are received, and nothing follows from them. */
const quietKinds = new Set([
  "beacon",
  "card",
  "cmd",
  "configuration",
  "dump",
  "lwt",
  "request",
  "status",
  "steps",
  "waypoint",
  "waypoints",
])

export function parseOwnTracks(request: DeviceRequest): DeviceReport {
  const deviceId = namedDevice(request)
  // Removing a friend in the app posts an empty body.
  if (request.body.length === 0) return toReport([], deviceId)
  const message = asObject(parseJsonBody(request.body))
  if (!message) return refuseAll("not-readable")
  const named = deviceId ?? asText(message.topic) ?? asText(message.tid)
  const kind = message._type
  if (kind === "location") return toReport([parseLocation(message)], named)
  // iOS sends where a region was entered; a beacon has no place.
  if (kind === "transition") {
    return message.lat === undefined ? toReport([], named) : toReport([parseLocation(message)], named)
  }
  if (kind === "encrypted") return refuseAll("encrypted")
  return typeof kind === "string" && quietKinds.has(kind) ? toReport([], named) : refuseAll("not-readable")
}

/** User and device from the headers or the address (`?u=…&d=…`), as the Recorder takes them. */
function namedDevice(request: DeviceRequest): string | undefined {
  const user = headerOf(request, "x-limit-u") ?? request.query.get("u")
  const device = headerOf(request, "x-limit-d") ?? request.query.get("d")
  return user && device ? `${user}/${device}` : (user ?? undefined)
}

function parseLocation(message: Readonly<Record<string, unknown>>): DevicePosition | RefusalReason {
  const motion: unknown[] = Array.isArray(message.motionactivities) ? message.motionactivities : []
  return toPosition({
    latitude: message.lat,
    longitude: message.lon,
    recordedAt: parseInstant(message.tst),
    speedMetersPerSecond: times(asNumber(message.vel), 1 / 3.6),
    accuracyMeters: asNumber(message.acc),
    altitudeMeters: asNumber(message.alt),
    bearingDegrees: asNumber(message.cog),
    batteryPercent: asNumber(message.batt),
    charging: isCharging(message.bs),
    activity: motion.filter((each) => typeof each === "string").join(","),
    extras: {
      trigger: message.t,
      connection: message.conn,
      regions: message.inregions,
      event: message.event,
      region: message.desc,
      pressureKilopascals: message.p,
      verticalAccuracyMeters: message.vac,
      place: message.poi,
      tag: message.tag,
    },
  })
}

/** 0 unknown, 1 unplugged, 2 charging, 3 full (and still plugged in). */
function isCharging(batteryStatus: unknown): boolean | undefined {
  if (batteryStatus === 2 || batteryStatus === 3) return true
  return batteryStatus === 1 ? false : undefined
}

export interface OwnTracksFriend {
  /** Stable and unique; becomes part of the topic by which the app distinguishes people. */
  readonly id: string
  readonly name: string
  readonly trackerId: string
  readonly recordedAt: Date
  readonly position: LngLat
  readonly accuracyMeters?: number | undefined
  readonly speedMetersPerSecond?: number | undefined
  readonly bearingDegrees?: number | undefined
  readonly batteryPercent?: number | undefined
  /** Base64 of a small PNG; the app draws the tracker id without it. */
  readonly faceBase64?: string | undefined
}

/** The response to a post: a card and a location for each person that the sender may see. */
export function ownTracksResponse(friends: readonly OwnTracksFriend[]): Readonly<Record<string, unknown>>[] {
  return friends.flatMap((friend) => {
    const topic = `owntracks/fieldway/${friend.id}`
    return [
      { _type: "card", topic, tid: friend.trackerId, name: friend.name, face: friend.faceBase64 },
      {
        _type: "location",
        topic,
        tid: friend.trackerId,
        lat: friend.position[1],
        lon: friend.position[0],
        tst: Math.floor(friend.recordedAt.getTime() / 1000),
        // The app knows whole numbers only, and km/h.
        acc: rounded(friend.accuracyMeters),
        vel: rounded(times(friend.speedMetersPerSecond, 3.6)),
        cog: rounded(friend.bearingDegrees),
        batt: rounded(friend.batteryPercent),
      },
    ]
  })
}

const rounded = (value: number | undefined) => (value === undefined ? undefined : Math.round(value))

/**
 * Two characters for each person, as the app draws them on the map: initials where they are free, else the next free
 * code. In HTTP mode the app takes people with equal codes for one person, so they are unique; with more than 1296
 * people the later ones get longer codes. The order of `people` decides who keeps the initials: pass the oldest first.
 */
export function trackerIds(
  people: readonly { readonly id: string; readonly name: string }[],
): Map<string, string> {
  const taken = new Set<string>()
  const given = new Map<string, string>()
  let next = 0
  for (const person of people) {
    let code = initials(person.name)
    while (code === undefined || taken.has(code)) code = (next++).toString(36).toUpperCase().padStart(2, "0")
    taken.add(code)
    given.set(person.id, code)
  }
  return given
}

function initials(name: string): string | undefined {
  const words = name.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const first = [...(words[0] ?? "")]
  const code = words.length > 1 ? `${first[0]}${[...(words.at(-1) ?? "")][0]}` : first.slice(0, 2).join("")
  return [...code].length === 2 ? code : undefined
}
