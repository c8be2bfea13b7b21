import { ByteReader } from "../bytes.ts"
import { known, type TrackerAlarm, type TrackerAttributes, type TrackerSession } from "../tracker.ts"
import { round } from "../values.ts"
import { type Fix, readPlace } from "./positions.ts"

const alarms: Readonly<Record<number, TrackerAlarm>> = {
  17: "low-battery",
  18: "low-battery",
  19: "power-cut",
  20: "tamper",
}

/** The modular message 0x70: type, length and content, one after another. */
export function readModules(
  reader: ByteReader,
  session: TrackerSession,
): { fix: Fix | undefined; attributes: TrackerAttributes } {
  let fix: Fix | undefined
  const values: { [Key in keyof TrackerAttributes]: TrackerAttributes[Key] | undefined } = {}
  while (reader.left >= 4) {
    const type = reader.u16()
    const module = new ByteReader(reader.bytes(reader.u16()))
    if (type === 0x33) fix = readGpsModule(module, session)
    else if (type === 0x18) values.batteryVolts = round(module.u16() * 0.01, 2)
    else if (type === 0x28) values.hdop = round(module.u8() * 0.1, 1)
    else if (type === 0x2b) values.alarm = alarms[module.u8()]
    else if (type === 0x2e) values.odometerKilometers = round(module.u32() / 1000, 3)
  }
  return { fix, attributes: known<TrackerAttributes>(values) }
}

function readGpsModule(reader: ByteReader, session: TrackerSession): Fix {
  const recordedAt = reader.u32() * 1000 - session.zoneOffsetMilliseconds
  const satellites = reader.u8()
  const altitudeMeters = reader.i16()
  return { recordedAt, altitudeMeters, ...readPlace(reader, satellites) }
}
