import { asciiOf, bytesOf } from "../bytes.ts"
import {
  known,
  message,
  type TrackerAlarm,
  type TrackerAttributes,
  TrackerFormatError,
  type TrackerMessage,
  type TrackerPosition,
  type TrackerSession,
} from "../tracker.ts"
import { decimal, degreesOf, pairsOf, round, utcTime } from "../values.ts"

/** `(number, command, content)`, compact or with commas. */
export function decodeBrackets(frame: Uint8Array, session: TrackerSession): TrackerMessage {
  const text = asciiOf(frame).slice(1, -1)
  const [, device, command = "", rest = ""] = /^(\d{8,20}),?([A-Z]{2}[0-9A-Z]{2}),?(.*)$/s.exec(text) ?? []
  if (device === undefined) throw new TrackerFormatError("The frame contains no device number")
  session.device = device
  if (command === "BP00")
    return message("login", frame, session, { acknowledgement: bytesOf(`(${device}AP01HSO)`) })
  if (command === "ZC20") return message("status", frame, session, { attributes: batteryOf(rest) })
  const acknowledgement = acknowledgementOf(device, command, rest)
  const position = positionOf(command, rest)
  if (position === undefined) return message("other", frame, session, acknowledgement)
  return position === "no fix"
    ? message("position", frame, session, { withoutFix: 1, ...acknowledgement })
    : message("position", frame, session, { positions: [position], ...acknowledgement })
}

function acknowledgementOf(device: string, command: string, rest: string): { acknowledgement?: Uint8Array } {
  if (command === "BP05") return { acknowledgement: bytesOf(`(${device}AP05)`) }
  return command === "BO01" ? { acknowledgement: bytesOf(`(${device}AS01${rest.slice(0, 1)})`) } : {}
}

/** Before the date there is a number, an alarm, or nothing. */
const start = /\d{6},?[AV],? {0,3}\d/
const place =
  /^(?<date>\d{6}),?(?<validity>[AV]),? {0,3}(?<latitude>\d{1,5}\.\d{2,6})(?<northSouth>[NS]),? {0,3}(?<longitude>\d{1,5}\.\d{2,6})(?<eastWest>[EW]),?/
const motion =
  /^(?<speed>[ \d.]{1,5}),?(?<time>\d{6}),?(?<course>[ \d.]{1,6})(?:,?(?<power>[01])(?<ignition>[01])[0-9A-F]{6},?L(?<meters>[0-9A-F]{1,8}))?/

function groupsOf(rest: string): Record<string, string | undefined> | undefined {
  const text = rest.slice(start.exec(rest)?.index ?? rest.length)
  const found = place.exec(text)
  const after = found && motion.exec(text.slice(found[0].length))
  return after ? { ...found.groups, ...after.groups } : undefined
}

/** The compact form has dates of year, month and day, the form with commas those of day, month and year. */
function positionOf(command: string, rest: string): TrackerPosition | "no fix" | undefined {
  const groups = groupsOf(rest)
  if (!groups) return undefined
  if (groups.validity !== "A") return "no fix"
  const [first, month, last] = pairsOf(groups.date ?? "")
  const hasCommas = /^\d{6},[AV],/.test(rest)
  const [year, day] = hasCommas ? [last, first] : [first, last]
  const attributes = known<TrackerAttributes>({
    ignition: groups.ignition === undefined ? ignitionOf[command] : groups.ignition === "1",
    odometerKilometers:
      groups.meters === undefined ? undefined : round(Number.parseInt(groups.meters, 16) / 1000, 3),
    alarm: alarmOf(command, rest),
  })
  return known<TrackerPosition>({
    recordedAt: utcTime(year, month, day, ...pairsOf(groups.time ?? "")),
    latitude: degreesOf(groups.latitude ?? "", groups.northSouth ?? ""),
    longitude: degreesOf(groups.longitude ?? "", groups.eastWest ?? ""),
    speedKilometersPerHour: decimal(groups.speed?.trim(), 0),
    bearingDegrees: decimal(groups.course?.trim(), 0, 360),
    attributes,
  })
}

/** Commands of the newer models: ZC with a fix by satellites, DW3 with one of low power. */
const alarmsOfCommand: Readonly<Record<string, TrackerAlarm>> = {
  ZC11: "movement",
  DW31: "movement",
  ZC12: "low-battery",
  DW32: "low-battery",
  ZC13: "power-cut",
  DW33: "power-cut",
  ZC17: "tamper",
  DW37: "tamper",
  ZC25: "sos",
  DW3E: "sos",
  ZC26: "tamper",
  DW3F: "tamper",
}

const ignitionOf: Readonly<Record<string, boolean>> = { ZC15: true, DW35: true, ZC16: false, DW36: false }

const alarmsOfDigit: Readonly<Record<string, readonly (TrackerAlarm | undefined)[]>> = {
  BO01: ["power-cut", "crash", "sos", "vibration", undefined, "overspeed", "geofence-exit"],
  BQ81: ["low-battery", "overspeed", undefined, "harsh-acceleration", "harsh-braking"],
}

function alarmOf(command: string, rest: string): TrackerAlarm | undefined {
  const digits = alarmsOfDigit[command]
  if (!digits) return alarmsOfCommand[command]
  return digits[Number(/^(?:ALARM,)?(\d)/.exec(rest)?.[1] ?? -1)]
}

/** `date,time,level,battery in 0.01 V,external in 0.1 V,…` */
function batteryOf(rest: string): TrackerAttributes {
  const [, , level, battery, external] = rest.split(",").map((field) => decimal(field, 0))
  const percents = [undefined, undefined, 10, 20, 50, 80, 100]
  return known<TrackerAttributes>({
    batteryPercent: percents[level ?? 0],
    batteryVolts: battery === undefined || battery === 65535 ? undefined : round(battery * 0.01, 2),
    externalVolts: external === undefined || external === 65535 ? undefined : round(external * 0.1, 1),
  })
}
