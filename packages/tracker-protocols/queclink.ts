import { asciiOf, bytesOf, indexOfByte } from "./bytes.ts"
import {
  deviceNumber,
  type Found,
  known,
  message,
  type TrackerAlarm,
  type TrackerAttributes,
  TrackerFormatError,
  type TrackerMessage,
  type TrackerPosition,
  type TrackerProtocol,
  type TrackerSession,
} from "./tracker.ts"
import { decimal, round, timeOfDigits } from "./values.ts"

const maxFrameBytes = 4_096
const plus = 0x2b
const dollar = 0x24
/** More positions are in no report. */
const maxPositions = 30

function find(bytes: Uint8Array): Found {
  if (bytes[0] !== plus) {
    const next = indexOfByte(bytes, plus)
    return { kind: "noise", length: next < 0 ? bytes.length : next }
  }
  const end = indexOfByte(bytes.subarray(0, maxFrameBytes), dollar)
  return end < 0 ? undefined : { kind: "frame", length: end + 1 }
}

/** `+RESP:GTxxx,version,IMEI,…,time of sending,count$`; +BUFF is the same, sent late. */
function decode(frame: Uint8Array, session: TrackerSession): TrackerMessage {
  const fields = asciiOf(frame).slice(0, -1).split(",")
  const [, kind, report = ""] = /^\+(RESP|BUFF|ACK):GT([A-Z]{3})$/.exec(fields[0] ?? "") ?? []
  if (kind === undefined || fields.length < 5) throw new TrackerFormatError("The frame is not a report")
  session.device = deviceNumber(fields[2] ?? "")
  const count = fields.at(-1) ?? ""
  if (!/^[0-9A-F]{4}$/i.test(count)) throw new TrackerFormatError("The frame has no count")
  const isHeartbeat = kind === "ACK" && report === "HBD"
  const version = fields[1] ?? ""
  // It is repeated to the device.
  if (isHeartbeat && !/^[0-9A-Z]{1,16}$/i.test(version))
    throw new TrackerFormatError("The frame has no version")
  const acknowledgement = bytesOf(isHeartbeat ? `+SACK:GTHBD,${version},${count}$` : `+SACK:${count}$`)
  if (kind === "ACK")
    return message(isHeartbeat ? "status" : "other", frame, session, isHeartbeat ? { acknowledgement } : {})
  const groups = positionsOf(fields)
  const end = groups.at(-1)?.end ?? 0
  const attributes = {
    ...attributesOfReport(report, fields),
    ...(end > 0 ? attributesAfter(fields, end, report) : {}),
  }
  if (groups.length === 0)
    return message(report === "INF" ? "status" : "other", frame, session, { attributes, acknowledgement })
  const fixes = groups.flatMap(({ position }) => (position ? [position] : []))
  // The values beside the positions are those of the last one.
  const newest = groups.at(-1)?.position
  if (newest) newest.attributes = { ...newest.attributes, ...attributes }
  return message("position", frame, session, {
    positions: fixes,
    withoutFix: groups.length - fixes.length,
    attributes: newest ? {} : attributes,
    acknowledgement,
  })
}

/**
 * Models put different fields around a position, but its own are always the same and in a row: accuracy, speed, course,
 * altitude, longitude, latitude, time. An accuracy of 0 means that the last known position is repeated.
 */
function positionsOf(fields: readonly string[]) {
  const found: { position: TrackerPosition | undefined; end: number }[] = []
  for (let index = 7; index + 2 < fields.length && found.length < maxPositions; index++) {
    const longitude = /^-?\d{1,3}\.\d{6}$/.test(fields[index] ?? "")
      ? decimal(fields[index], -180, 180)
      : undefined
    const latitude = /^-?\d{1,2}\.\d{6}$/.test(fields[index + 1] ?? "")
      ? decimal(fields[index + 1], -90, 90)
      : undefined
    const time = fields[index + 2] ?? ""
    if (longitude === undefined || latitude === undefined || !/^\d{14}$/.test(time)) continue
    const hdop = decimal(fields[index - 4], 0, 99)
    const hasFix = hdop !== 0 && (latitude !== 0 || longitude !== 0)
    const position = known<TrackerPosition>({
      recordedAt: timeOfDigits(time),
      latitude,
      longitude,
      altitudeMeters: decimal(fields[index - 1]),
      speedKilometersPerHour: decimal(fields[index - 3], 0),
      bearingDegrees: decimal(fields[index - 2], 0, 360),
      attributes: known<TrackerAttributes>({ hdop }),
    })
    found.push({ position: hasFix ? position : undefined, end: index + 3 })
    index += 2
  }
  return found
}

/** After the positions: the cell (four fields), the odometer, and battery and state side by side. */
function attributesAfter(fields: readonly string[], end: number, report: string): TrackerAttributes {
  const tail = fields.slice(end, -2)
  const odometer = tail.slice(4, 8).find((field) => /^\d{1,7}\.\d$/.test(field))
  const isBeside = (index: number) => isState(tail[index] ?? "") && isPercent(tail[index - 1])
  // A state of two digits differs from other fields only by its place.
  const state = tail.findIndex((field, index) => isBeside(index) && index > (field.length > 2 ? 4 : 7))
  const last = tail.at(-1)
  const battery =
    state > 0 ? tail[state - 1] : report === "FRI" && isPercent(last) && tail.length > 5 ? last : undefined
  return known<TrackerAttributes>({
    odometerKilometers: decimal(odometer),
    batteryPercent: decimal(battery, 0, 100),
    ignition: state > 0 ? ignitionOf(tail[state]) : undefined,
  })
}

function isPercent(field: string | undefined): boolean {
  return field !== undefined && /^\d{1,3}$/.test(field) && Number(field) <= 100
}

/** The first two digits say whether the vehicle moves and whether the ignition is on. */
function isState(field: string): boolean {
  return /^(?:11|12|16|1A|21|22|41|42)(?:[0-9A-F]{4}(?:[0-9A-F]{4})?)?$/.test(field)
}

function ignitionOf(state: string | undefined): boolean | undefined {
  return state?.startsWith("1") ? false : state?.startsWith("2") ? true : undefined
}

const alarms: Readonly<Record<string, TrackerAlarm>> = {
  SOS: "sos",
  MPF: "power-cut",
  BPL: "low-battery",
  TOW: "tow",
  CRA: "crash",
  JDS: "jamming",
  JDR: "jamming",
  SPD: "overspeed",
  GIN: "geofence-enter",
  GOT: "geofence-exit",
}

function attributesOfReport(report: string, fields: readonly string[]): TrackerAttributes {
  const beside = report === "FRI" ? fields[4] : report === "ERI" ? fields[5] : undefined
  const millivolts = /^\d{4,5}$/.test(beside ?? "") ? decimal(beside) : undefined
  const state = report === "INF" ? fields[4] : undefined
  const volts =
    report === "INF" ? fields.slice(5, 14).find((field) => /^[34]\.\d{1,2}$/.test(field)) : undefined
  return known<TrackerAttributes>({
    externalVolts: millivolts === undefined ? undefined : round(millivolts / 1000, 3),
    batteryVolts: decimal(volts),
    ignition: ignitionOfReport(report, fields) ?? ignitionOf(state && isState(state) ? state : undefined),
    alarm: report === "HBM" ? harshAlarm(fields[5]) : alarms[report],
  })
}

/** IGN and VGN report that the ignition was switched on, IGF and VGF off, IGL says which by the second digit of its type. */
function ignitionOfReport(report: string, fields: readonly string[]): boolean | undefined {
  if (report === "IGN" || report === "VGN") return true
  if (report === "IGF" || report === "VGF") return false
  const type = report === "IGL" ? /^\d([01])$/.exec(fields[5] ?? "")?.[1] : undefined
  return type === undefined ? undefined : type === "0"
}

/** The second digit: braking, acceleration or turning. */
function harshAlarm(type: string | undefined): TrackerAlarm | undefined {
  const kinds: readonly TrackerAlarm[] = ["harsh-braking", "harsh-acceleration", "harsh-cornering"]
  return kinds[Number(/^\d(\d)$/.exec(type ?? "")?.[1] ?? -1)]
}

/** Queclink's @Track protocol in text. Times are in UTC. */
export const queclink: TrackerProtocol = {
  name: "queclink",
  title: "Queclink",
  transports: ["tcp", "udp"],
  isText: true,
  maxFrameBytes,
  find,
  decode,
}
