export const protocolNames = ["teltonika", "gt06", "h02", "tk103", "queclink", "meitrack"] as const
export type ProtocolName = (typeof protocolNames)[number]
type Transport = "tcp" | "udp"

export type TrackerAlarm =
  | "sos"
  | "power-cut"
  | "low-battery"
  | "vibration"
  | "movement"
  | "overspeed"
  | "geofence-enter"
  | "geofence-exit"
  | "tow"
  | "crash"
  | "jamming"
  | "tamper"
  | "door"
  | "harsh-acceleration"
  | "harsh-braking"
  | "harsh-cornering"

/** What a device reports besides its position. Absent: not sent. */
export interface TrackerAttributes {
  ignition?: boolean
  batteryPercent?: number
  batteryVolts?: number
  charging?: boolean
  externalVolts?: number
  fuelPercent?: number
  fuelLitres?: number
  odometerKilometers?: number
  alarm?: TrackerAlarm
  satellites?: number
  hdop?: number
}

/** A position with a fix. */
export interface TrackerPosition {
  /** Epoch milliseconds, UTC. */
  recordedAt: number
  /** Decimal degrees, WGS 84. */
  latitude: number
  longitude: number
  altitudeMeters?: number
  speedKilometersPerHour?: number
  /** Degrees, clockwise from north. */
  bearingDegrees?: number
  attributes: TrackerAttributes
}

export type MessageKind = "login" | "position" | "status" | "other" | "unreadable"

/** One frame of a device. */
export interface TrackerMessage {
  kind: MessageKind
  /** The IMEI, or the number that the device sends in its place. Undefined: the frame names none and no login preceded. */
  device: string | undefined
  /** The frame as it was received. */
  frame: Uint8Array
  positions: readonly TrackerPosition[]
  /** Entries that the device sent without a position fix. */
  withoutFix: number
  /** What the frame reports apart from its positions. */
  attributes: TrackerAttributes
  /** Why the frame is unreadable. */
  problem?: string
  /** To send once the positions are stored. Without it the device sends them again. */
  acknowledgement?: Uint8Array
  /** To send to a device that is not accepted. */
  rejection?: Uint8Array
}

/** What earlier frames of a connection contained; later frames of some protocols depend on it. */
export interface TrackerSession {
  device: string | undefined
  /** How far the device's clock is ahead of UTC. */
  zoneOffsetMilliseconds: number
  /** Of the last status message, where positions carry none themselves. */
  status: TrackerAttributes
  /** Epoch milliseconds. */
  now(): number
}

/** Where the next frame ends. Noise belongs to no frame and is skipped. */
export type Found = { kind: "frame" | "noise"; length: number } | undefined

export interface TrackerProtocol {
  name: ProtocolName
  title: string
  transports: readonly Transport[]
  isText: boolean
  /** A longer frame ends the connection. */
  maxFrameBytes: number
  /** Finds the first frame in what has arrived; undefined while it is incomplete. */
  find(bytes: Uint8Array, session: TrackerSession): Found
  /** Throws a TrackerFormatError for a frame that it cannot read. */
  decode(frame: Uint8Array, session: TrackerSession): TrackerMessage
  /** Where a datagram has another format than a frame of a connection. */
  decodeDatagram?(datagram: Uint8Array, session: TrackerSession): TrackerMessage
}

/** The bytes do not follow the protocol. */
export class TrackerFormatError extends Error {}

export function message(
  kind: MessageKind,
  frame: Uint8Array,
  session: TrackerSession,
  rest: Partial<TrackerMessage> = {},
): TrackerMessage {
  return { kind, device: session.device, frame, positions: [], withoutFix: 0, attributes: {}, ...rest }
}

/** IMEIs have 15 digits; some devices send a part of it, or a number of their own. */
export function isDeviceNumber(text: string): boolean {
  return /^\d{8,20}$/.test(text)
}

export function deviceNumber(text: string): string {
  if (!isDeviceNumber(text)) throw new TrackerFormatError("The frame contains no device number")
  return text
}

/** Leaves out what was not sent. */
export function known<T extends object>(values: { [Key in keyof T]?: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
