import { emptyTrack } from "./track.ts"
import type { FlaggedPoint, TrackSegment } from "./track-segment.ts"

/** Precision: positions to a ten millionth of a degree (11 mm), distances to a centimetre, speeds to 0.1 km/h. */
const degreeParts = 1e7
const meterParts = 100
const speedParts = 10

/**
 * Encodes a segment in about eight bytes a point: integers as differences to the previous point, seven bits per byte.
 * Accuracies are omitted: they are only needed to judge points.
 */
export function encodeSegment(segment: TrackSegment): Buffer {
  const bytes: number[] = []
  const write = (value: number) => {
    // Not by bit operators: a day in milliseconds and a world in parts of a degree are more than 32 bits.
    let rest = value < 0 ? -2 * value - 1 : 2 * value
    while (rest > 127) {
      bytes.push((rest % 128) + 128)
      rest = Math.floor(rest / 128)
    }
    bytes.push(rest)
  }
  const { track, speed, along, flagged } = segment
  for (const count of [segment.pointCount, segment.flaggedCount, Number(segment.startsAnew), speed.length])
    write(count)
  const place = placeWriter(write)
  let meters = 0
  for (const [i, kilometersPerHour] of speed.entries()) {
    place(track.recordedAt[i] ?? 0, track.lng[i] ?? 0, track.lat[i] ?? 0)
    const parts = Math.round((along[i] ?? 0) * meterParts)
    write(parts - meters)
    meters = parts
    write(Number.isNaN(kilometersPerHour) ? 0 : Math.round(kilometersPerHour * speedParts) + 1)
  }
  write(flagged.length)
  const flaggedPlace = placeWriter(write)
  for (const { recordedAt, lng, lat, verdict } of flagged) {
    flaggedPlace(recordedAt, lng, lat)
    write(verdict)
  }
  return Buffer.from(bytes)
}

export function decodeSegment(bytes: Uint8Array): TrackSegment {
  let offset = 0
  const read = () => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[offset++] ?? 0
      value += (byte % 128) * scale
      if (byte < 128) return value % 2 === 1 ? -(value + 1) / 2 : value / 2
    }
  }
  const [pointCount, flaggedCount, startsAnew, length] = [read(), read(), read(), read()]
  const track = emptyTrack(length)
  const [speed, along] = [new Float64Array(length), new Float64Array(length)]
  const place = placeReader(read)
  let meters = 0
  for (let i = 0; i < length; i++) {
    const [recordedAt, lng, lat] = place()
    track.recordedAt[i] = recordedAt
    track.lng[i] = lng
    track.lat[i] = lat
    meters += read()
    along[i] = meters / meterParts
    const kilometersPerHour = read()
    speed[i] = kilometersPerHour === 0 ? Number.NaN : (kilometersPerHour - 1) / speedParts
  }
  const flaggedPlace = placeReader(read)
  const flagged = Array.from({ length: read() }, (): FlaggedPoint => {
    const [recordedAt, lng, lat] = flaggedPlace()
    return { recordedAt, lng, lat, verdict: read() }
  })
  return { track, speed, along, startsAnew: startsAnew === 1, pointCount, flaggedCount, flagged }
}

function placeWriter(write: (value: number) => void) {
  const before = [0, 0, 0]
  return (recordedAt: number, lng: number, lat: number) => {
    for (const [column, value] of [recordedAt, lng * degreeParts, lat * degreeParts].entries()) {
      const whole = Math.round(value)
      write(whole - (before[column] ?? 0))
      before[column] = whole
    }
  }
}

function placeReader(read: () => number) {
  let [recordedAt, lng, lat] = [0, 0, 0]
  return (): [recordedAt: number, lng: number, lat: number] => {
    recordedAt += read()
    lng += read()
    lat += read()
    return [recordedAt, lng / degreeParts, lat / degreeParts]
  }
}
