import type { ByteReader } from "../bytes.ts"
import { known, TrackerFormatError, type TrackerPosition } from "../tracker.ts"
import { round } from "../values.ts"
import { attributesOf } from "./io-elements.ts"

const codecs = { codec8: 0x08, codec8Extended: 0x8e, codec16: 0x10 } as const

export function isPositionCodec(codec: number): boolean {
  return codec === codecs.codec8 || codec === codecs.codec8Extended || codec === codecs.codec16
}

export interface Records {
  /** How many records the packet contains: what its acknowledgement counts. */
  count: number
  positions: TrackerPosition[]
  withoutFix: number
}

/** Reads codec id, number of records, records and the repeated number. */
export function readRecords(reader: ByteReader): Records {
  const codec = reader.u8()
  if (!isPositionCodec(codec)) throw new TrackerFormatError(`Codec ${codec} does not contain positions`)
  const count = reader.u8()
  const positions: TrackerPosition[] = []
  for (let index = 0; index < count; index++) {
    const position = readRecord(reader, codec)
    if (position) positions.push(position)
  }
  if (reader.u8() !== count) throw new TrackerFormatError("The numbers of records differ")
  return { count, positions, withoutFix: count - positions.length }
}

/** A record without satellites repeats the last known position: it is not one of its time. */
function readRecord(reader: ByteReader, codec: number): TrackerPosition | undefined {
  const recordedAt = reader.u64()
  reader.skip(1)
  const longitude = round(reader.i32() * 1e-7, 7)
  const latitude = round(reader.i32() * 1e-7, 7)
  const altitudeMeters = reader.i16()
  const bearing = reader.u16()
  const satellites = reader.u8()
  const speedKilometersPerHour = reader.u16()
  const { elements, eventId } = readElements(reader, codec)
  const isOutside = Math.abs(latitude) > 90 || Math.abs(longitude) > 180
  if (satellites === 0 || isOutside || (latitude === 0 && longitude === 0)) return undefined
  return known<TrackerPosition>({
    recordedAt,
    latitude,
    longitude,
    altitudeMeters,
    bearingDegrees: bearing <= 360 ? bearing % 360 : undefined,
    speedKilometersPerHour,
    attributes: { satellites, ...attributesOf(elements, eventId) },
  })
}

/** Values of 1, 2 and 4 bytes by id; longer ones contain nothing that is used. */
function readElements(reader: ByteReader, codec: number) {
  const isExtended = codec === codecs.codec8Extended
  const readId = codec === codecs.codec8 ? () => reader.u8() : () => reader.u16()
  const readCount = isExtended ? () => reader.u16() : () => reader.u8()
  const elements = new Map<number, number>()
  const eventId = readId()
  if (codec === codecs.codec16) reader.skip(1)
  readCount()
  for (const size of [1, 2, 4, 8] as const) {
    for (let left = readCount(); left > 0; left--) {
      const id = readId()
      if (size === 8) reader.skip(8)
      else elements.set(id, size === 1 ? reader.u8() : size === 2 ? reader.u16() : reader.u32())
    }
  }
  if (isExtended) {
    for (let left = reader.u16(); left > 0; left--) {
      reader.skip(2)
      reader.skip(reader.u16())
    }
  }
  return { elements, eventId }
}
